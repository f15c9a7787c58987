import type { Context } from 'aws-lambda';
import { describe, expect, inject, test, vi } from 'vitest';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn, type TestService } from '../support/service.ts';

const log = logOfEachTest();

type Fold = (call: object, context: Context) => Promise<void>;

/** The function as Lambda loads it, with its environment from the template. */
async function load({ tables }: TestService, endpoint: string, restMs: string): Promise<Fold> {
  vi.stubEnv('USERS_TABLE', tables.users);
  vi.stubEnv('DIRECTORY_TABLE', tables.directory);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.stubEnv('MINIMUM_AGE_MS', '0');
  vi.stubEnv('JOURNAL_REST_MS', restMs);
  vi.resetModules();
  return (await import('../../functions/fold.ts')).handler;
}

/** The context of a function with this number of milliseconds left. */
const contextWith = (milliseconds: number) =>
  ({
    awsRequestId: 'request-1',
    functionName: 'user-management-prod-fold',
    getRemainingTimeInMillis: () => milliseconds,
  }) as Context;

const UNITS = { readUnits: expect.any(Number), writeUnits: expect.any(Number) };

describe('the fold as a function', () => {
  test('folds the journal, and logs one line with metrics', async () => {
    const service = await serviceOn.embedded();
    await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }, { name: 'Cleo' }]);
    const fold = await load(service, inject('endpoint'), '0');
    await expect(fold({}, contextWith(60_000))).resolves.toBeUndefined();
    expect(log.faults).toEqual([]);
    expect(log.requests).toEqual([
      {
        level: 'info',
        requestId: 'request-1',
        function: 'user-management-prod-fold',
        milliseconds: expect.any(Number),
        ...UNITS,
        calls: expect.any(Number),
        dynamoMs: expect.any(Number),
        foldedEntries: 3,
        journalEntries: 0,
        oldestEntrySeconds: 0,
        _aws: {
          Timestamp: expect.any(Number),
          CloudWatchMetrics: [
            {
              Namespace: 'UserManagement',
              Dimensions: [['function']],
              Metrics: [
                { Name: 'milliseconds', Unit: 'Milliseconds' },
                { Name: 'readUnits', Unit: 'Count' },
                { Name: 'writeUnits', Unit: 'Count' },
                { Name: 'foldedEntries', Unit: 'Count' },
                { Name: 'journalEntries', Unit: 'Count' },
                { Name: 'oldestEntrySeconds', Unit: 'Seconds' },
              ],
            },
          ],
        },
      },
    ]);
  });

  test.each([
    ['leaves a few entries alone while they are young', '600000', 90_000],
    ['begins no batch when its time may be too short for one', '0', 29_000],
  ])('%s, and logs their number and age', async (_, restMs, milliseconds) => {
    const service = await serviceOn.embedded({ clock: { now: () => Date.now() - 90_000 } });
    await service.users.create({ name: 'Ann' });
    const fold = await load(service, inject('endpoint'), restMs);
    await fold({}, contextWith(milliseconds));
    const [line] = log.requests;
    expect(line).toMatchObject({ foldedEntries: 0, journalEntries: 1 });
    expect(line?.oldestEntrySeconds).toBeGreaterThanOrEqual(90);
    expect(line?.oldestEntrySeconds).toBeLessThan(100);
  });

  test('does not fail when DynamoDB does: it logs the reason but no metrics, which raises the alarm', async () => {
    const service = await serviceOn.embedded();
    const fold = await load(service, 'http://127.0.0.1:1', '0');
    await expect(fold({}, contextWith(60_000))).resolves.toBeUndefined();
    expect(log.requests).toEqual([]);
    expect(log.faults).toHaveLength(1);
  });

  test('logs nothing in a terminal', async () => {
    const service = await serviceOn.embedded();
    vi.stubEnv('IS_OFFLINE', 'true');
    await (await load(service, inject('endpoint'), '0'))({}, contextWith(60_000));
    expect(log.text()).toBe('[[],[]]');
  });
});

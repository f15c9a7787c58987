import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { describe, expect, test, vi } from 'vitest';
import { FLAG_KEY, hasFlag } from '../../lib/users/unique.ts';
import { logOfEachTest, metricsOf } from '../support/logs.ts';
import { temporaryFolder } from '../support/programs.ts';
import { HISTORY_DAYS, serviceOn, type TestService } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

/** The functions that run on a schedule. They have no response, but the log says what they did. */

const log = logOfEachTest();

const folder = temporaryFolder();

type Name = 'fold' | 'sendEvents';
type Run = (milliseconds?: number) => Promise<void>;

/** The environment that the template gives a function. A file stands for the bus. */
const ENVIRONMENT: Record<Name, Record<string, string>> = {
  fold: { MINIMUM_AGE_MS: '0', JOURNAL_REST_MS: '0' },
  sendEvents: { HISTORY_DAYS: String(HISTORY_DAYS), EVENTS_FILE: join(folder, 'sent.ndjson') },
};

/** Loads a function as Lambda does. The argument of a run is the milliseconds that are left to it. */
async function load(name: Name, { tables }: TestService, endpoint: string, env: object = {}): Promise<Run> {
  const tableNames = { USERS_TABLE: tables.users, DIRECTORY_TABLE: tables.directory };
  const all = { ...tableNames, STAGE: 'prod', AWS_ENDPOINT_URL_DYNAMODB: endpoint, ...ENVIRONMENT[name], ...env };
  for (const [variable, value] of Object.entries(all)) vi.stubEnv(variable, value);
  vi.resetModules();
  const { handler } = await import(`../../functions/${name}.ts`);
  return (milliseconds = 300_000) =>
    handler({}, {
      awsRequestId: 'request-1',
      functionName: `user-management-prod-${name}`,
      getRemainingTimeInMillis: () => milliseconds,
    } as Context);
}

/** A line of the log that has these numbers, each with a metric of its unit, besides the usual ones. */
function line(name: Name, numbers: Record<string, unknown>) {
  const usual = ['milliseconds', 'readUnits', 'writeUnits', 'calls', 'dynamoMs'];
  const unitOf = (metric: string) => /(Seconds|Percent)$/.exec(metric)?.[0] ?? 'Count';
  return {
    level: 'info',
    requestId: 'request-1',
    function: `user-management-prod-${name}`,
    ...Object.fromEntries(usual.map((each) => [each, expect.any(Number)])),
    ...numbers,
    stage: 'prod',
    _aws: metricsOf(Object.keys(numbers).map((Name) => ({ Name, Unit: unitOf(Name) }))),
  };
}

describe('the fold as a function', () => {
  test('folds the journal, and logs one line with metrics', async () => {
    const service = await serviceOn.embedded();
    await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }, { name: 'Cleo' }]);
    const fold = await load('fold', service, await storeEndpoint());
    await expect(fold()).resolves.toBeUndefined();
    expect(log.faults).toEqual([]);
    const numbers = { journalEntries: 0, oldestEntrySeconds: 0, sizePercent: expect.any(Number), brokenItems: 0 };
    // DynamoDB Local tells no price of statements.
    const logged = log.requests.map(({ unpriced: _, ...rest }) => rest);
    expect(logged).toEqual([line('fold', numbers)]);
    expect(await service.fold()).toMatchObject({ folded: 0 });
  });

  test.each([
    ['leaves a few entries alone while they are young', '600000', 300_000],
    ['begins no batch when its time may be too short for one', '0', 239_000],
  ])('%s, and logs their number and age', async (_, restMs, milliseconds) => {
    const service = await serviceOn.embedded({ clock: { now: () => Date.now() - 90_000 } });
    await service.fold();
    const fold = await load('fold', service, await storeEndpoint(), { JOURNAL_REST_MS: restMs });
    const began = Date.now();
    await service.users.create({ name: 'Ann' });
    await fold(milliseconds);
    const took = Math.ceil((Date.now() - began) / 1_000);
    const [logged] = log.requests;
    expect(logged).toMatchObject({ journalEntries: 1 });
    expect(logged?.oldestEntrySeconds).toBeGreaterThanOrEqual(90);
    expect(logged?.oldestEntrySeconds).toBeLessThanOrEqual(90 + took);
  });
});

test.each([
  ['stay whole where the stage has that option', 'true', true],
  ['are not taken for whole where it has not, even if they were made before it gets it', 'false', false],
])('items of unique e-mails %s', async (_, UNIQUE_EMAILS, isLeft) => {
  const service = await serviceOn.embedded();
  const fold = await load('fold', service, await storeEndpoint(), { UNIQUE_EMAILS });
  for (let run = 0; run < 2; run++) {
    await service.dynamo.send(new PutCommand({ TableName: service.tables.directory, Item: FLAG_KEY }));
    await fold();
    expect(await hasFlag(service)).toBe(isLeft);
  }
});

test('the sender of events as a function sends each folded change once, and logs one line with metrics', async () => {
  const service = await serviceOn.embedded();
  const [ann] = await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }, { name: 'Cleo' }]);
  await service.users.delete(ann?.id ?? 0);
  await service.fold();
  const send = await load('sendEvents', service, await storeEndpoint());
  await expect(send()).resolves.toBeUndefined();
  await send();
  expect(log.faults).toEqual([]);
  expect(log.requests).toHaveLength(2);
  expect(log.requests[0]).toEqual(line('sendEvents', { sentEvents: 4, eventsLagSeconds: 0 }));
  expect(log.requests[1]).toMatchObject({ sentEvents: 0, eventsLagSeconds: 0, writeUnits: 0 });
});

describe.each(['fold', 'sendEvents'] as const)('the function %s', (name) => {
  test('does not fail when DynamoDB does, but logs the reason and no metrics, which raises the alarm', async () => {
    const run = await load(name, await serviceOn.embedded(), 'http://127.0.0.1:1');
    await expect(run(2_000)).resolves.toBeUndefined();
    expect(log.requests).toEqual([]);
    expect(log.faults).toHaveLength(1);
  });
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Context } from 'aws-lambda';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { createFold } from '../../lib/users/fold/fold.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn, type TestService } from '../support/service.ts';

const log = logOfEachTest();

const folder = mkdtempSync(join(tmpdir(), 'events-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Send = (call: object, context: Context) => Promise<void>;

/** The function as Lambda loads it, with its environment from the template, but with a file in place of the bus. */
async function load({ tables }: TestService, endpoint: string, file: string): Promise<Send> {
  vi.stubEnv('USERS_TABLE', tables.users);
  vi.stubEnv('DIRECTORY_TABLE', tables.directory);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.stubEnv('HISTORY_DAYS', '7');
  vi.stubEnv('EVENTS_FILE', file);
  vi.resetModules();
  return (await import('../../functions/sendEvents.ts')).handler;
}

const context = {
  awsRequestId: 'request-1',
  functionName: 'user-management-prod-sendEvents',
  getRemainingTimeInMillis: () => 60_000,
} as Context;

const foldOf = (service: TestService) =>
  createFold(service, { minimumAgeMs: 0, writtenToDeleteMs: 0, restMs: 0, historyDays: 7 }).run(60_000);

describe('the sender of events as a function', () => {
  test('sends what was folded, once, and logs one line with metrics', async () => {
    const service = await serviceOn.embedded();
    const [ann] = await service.users.createMany([{ name: 'Ann' }, { name: 'Bea' }, { name: 'Cleo' }]);
    await service.users.delete(ann?.id ?? 0);
    await foldOf(service);
    const file = join(folder, 'sent.ndjson');
    const send = await load(service, inject('endpoint'), file);
    await expect(send({}, context)).resolves.toBeUndefined();
    await send({}, context);
    expect(log.faults).toEqual([]);
    expect(log.requests).toHaveLength(2);
    expect(log.requests[0]).toEqual({
      level: 'info',
      requestId: 'request-1',
      function: 'user-management-prod-sendEvents',
      milliseconds: expect.any(Number),
      readUnits: expect.any(Number),
      writeUnits: expect.any(Number),
      calls: expect.any(Number),
      dynamoMs: expect.any(Number),
      sentEvents: 4,
      eventsLagSeconds: 0,
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
              { Name: 'sentEvents', Unit: 'Count' },
              { Name: 'eventsLagSeconds', Unit: 'Seconds' },
            ],
          },
        ],
      },
    });
    expect(log.requests[1]).toMatchObject({ sentEvents: 0, eventsLagSeconds: 0, writeUnits: 0 });
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const events = lines.map(
      (line) => JSON.parse(line) as { 'detail-type': string; detail: { user: { name: string } } },
    );
    expect(events.map((event) => `${event['detail-type']}: ${event.detail.user.name}`).toSorted()).toEqual([
      'User created: Ann',
      'User created: Bea',
      'User created: Cleo',
      'User deleted: Ann',
    ]);
  });

  test('does not fail when events are not accepted: it logs the reason, and how late they are', async () => {
    const service = await serviceOn.embedded({ clock: { now: () => Date.now() - 90_000 } });
    await service.users.create({ name: 'Ann' });
    await foldOf(service);
    const send = await load(service, inject('endpoint'), join(folder, 'missing', 'events.ndjson'));
    await expect(send({}, context)).resolves.toBeUndefined();
    expect(log.faults).toHaveLength(1);
    expect(log.requests).toMatchObject([{ sentEvents: 0 }]);
    expect(log.requests[0]?.eventsLagSeconds).toBeGreaterThanOrEqual(90);
    expect(log.requests[0]?.eventsLagSeconds).toBeLessThan(100);
  });

  test('does not fail when DynamoDB does: it logs the reason but no metrics, which raises the alarm', async () => {
    const send = await load(await serviceOn.embedded(), 'http://127.0.0.1:1', join(folder, 'none.ndjson'));
    await expect(send({}, context)).resolves.toBeUndefined();
    expect(log.requests).toEqual([]);
    expect(log.faults).toHaveLength(1);
  });

  test('logs nothing in a terminal', async () => {
    const service = await serviceOn.embedded();
    vi.stubEnv('IS_OFFLINE', 'true');
    await (await load(service, inject('endpoint'), join(folder, 'none.ndjson')))({}, context);
    expect(log.text()).toBe('[[],[]]');
  });
});

import { describe, expect, test } from 'vitest';
import { fault, metered, unavailable, withDeadline } from '../../../../lib/ground/index.ts';
import { runBatch } from '../../../../lib/http/batch/batch.ts';
import { toUser } from '../../../../lib/users/database.ts';
import { logOfEachTest } from '../../../support/logs.ts';
import { type MemoryService, serviceOn, type TestService } from '../../../support/service.ts';

const log = logOfEachTest();

const send = ({ users, runtime }: TestService, operations: readonly unknown[]) =>
  runBatch(operations, {
    users,
    runtime,
    key: undefined,
    origin: { by: 'ann' },
    isStrict: false,
    requestId: 'request-1',
  });

const creates = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ op: 'create', user: { name: `Ann ${n}` } }));

const namesIn = ({ store }: MemoryService): string[] => store.itemsOf('users').map((item) => toUser(item).name);

const isWrite = ({ command }: { command: string }): boolean => command === 'TransactWriteCommand';

const LATE = {
  ...{ status: 503, code: 'unavailable' },
  message: 'The time of the batch was over before this operation began: send it again',
};

describe('a batch', () => {
  test('writes for at most six users at a time', async () => {
    const service = serviceOn.memory();
    let [running, most] = [0, 0];
    const process = service.processOf(async (_, execute) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      return execute().finally(() => running--);
    });
    const results = await send(process, creates(100));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set([201]));
    expect(most).toBe(6);
  });

  test('that runs out of time answers for what it did, and begins nothing else', async () => {
    const service = serviceOn.memory();
    // Each call takes half a second.
    const slow = service.processOf((_, execute) => {
      service.pass(500);
      return execute();
    });
    const results = await metered((meter) =>
      withDeadline(service.runtime.now() + 7_000, () => send(slow, creates(20))).then((all) => ({ all, meter })),
    );
    const done = results.all.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(5);
    expect(results.all).toEqual([...done, ...Array.from({ length: 20 - done.length }, () => LATE)]);
    expect(namesIn(service).toSorted()).toEqual(done.map(({ user }) => user?.name).toSorted());
    const late = 20 - done.length;
    expect(results.meter).toMatchObject({ operations: 20, failed: { 503: late }, faultyOperations: late });
    // It is no fault of an operation.
    expect(log.faults).toEqual([]);
  });

  test.each([
    ['cannot be reached', unavailable('DynamoDB is not available'), 503, 'unavailable'],
    ['refuses the write', fault('DynamoDB refused Ann'), 500, 'internal'],
    ['makes the code throw', new TypeError('Ann is undefined'), 500, 'internal'],
  ])('goes on where the store %s for one operation, and logs why', async (_, error, status, code) => {
    const service = serviceOn.memory();
    const process = service.processOf((call, execute) =>
      isWrite(call) && JSON.stringify(call).includes('"Ann 1"') ? Promise.reject(error) : execute(),
    );
    const results = await send(process, creates(4));
    const message = { 500: 'Internal server error', 503: 'Service temporarily unavailable, please try again' }[status];
    expect(results.map((result) => (result.status === 201 ? 201 : result))).toEqual([
      201,
      { status, code, message },
      ...[201, 201],
    ]);
    expect(namesIn(service).toSorted()).toEqual(['Ann 0', 'Ann 2', 'Ann 3']);
    expect(log.faults).toMatchObject([{ level: 'error', requestId: 'request-1' }]);
  });
});

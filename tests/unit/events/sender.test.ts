import { describe, expect, test } from 'vitest';
import type { ShownChange } from '../../../lib/changes/shown.ts';
import { createEventBridgeSink } from '../../../lib/events/eventBridge.ts';
import { createSender, type Sink } from '../../../lib/events/sender.ts';
import { ensureTime } from '../../../lib/ground/index.ts';
import type { Database } from '../../../lib/users/database.ts';
import { FakeBus } from '../../support/fake/bus.ts';
import { named, settled } from '../../support/fake/steps.ts';
import type { Line } from '../../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

const GONE =
  'The place of the events is gone: changes after it are no longer kept, or the tables were restored. All changes that are kept are sent, from the oldest on';

/** A stage with senders, and a sink that keeps what it gets. */
function setUpSender() {
  const stage = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const received: ShownChange[] = [];
  const faults: string[] = [];
  const sink: Sink = {
    async send(changes, show) {
      received.push(...(await show(changes)));
    },
  };
  const runOn = (database: Database, to: Sink = sink, milliseconds = 60_000) =>
    createSender(database, to).run(milliseconds, ({ message }) => faults.push(message));
  return {
    ...stage,
    received,
    faults,
    sink,
    run: () => runOn(stage.database),
    runOn,
    /** A call of the sender whose own calls go through `around`. */
    runAround: (around: Line['around']) => runOn(stage.databaseOf(around)),
    /** Creates users with these last names, and folds that. */
    have: async (...names: string[]) => {
      const created = await stage.users.createMany(named(...names));
      await stage.fold();
      return created;
    },
    feed: async () => (await stage.changes.feed({ after: undefined, size: 1_000 })).changes,
  };
}

const namesOf = (changes: readonly ShownChange[]) => changes.map(({ type, user }) => `${type} ${user?.lastName}`);

describe('the sender of events', () => {
  test('leaves changes to another call that is sending, and says how old they are', async () => {
    const { have, run, runOn, database, sink, received, pass } = setUpSender();
    await have('a', 'b');
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    const first = runOn(database, { send: (changes, show) => waiting.then(() => sink.send(changes, show)) });
    await settled();
    pass(10_000);
    expect(await run()).toEqual({ sent: 0, lagMs: 10_000 });
    goOn();
    expect(await first).toEqual({ sent: 2, lagMs: 0 });
    expect(namesOf(received)).toEqual(['created a', 'created b']);
  });

  test('gives up a page before its lease ends', async () => {
    const { have, runOn, databaseOf, faults, pass } = setUpSender();
    await have('a');
    const slow = databaseOf(async (call, execute) => {
      const response = await execute();
      if (call.command === 'UpdateCommand') pass(28_000);
      return response;
    });
    expect(await runOn(slow)).toEqual({ sent: 0, lagMs: 28_000 });
    expect(faults).toEqual(['The request ran out of time']);
  });

  test('ends between two pages when its time is over, and another call goes on', async () => {
    const { have, run, runOn, database, sink, pass, received, feed } = setUpSender();
    await have(...Array.from({ length: 150 }, (_, n) => `n${n}`));
    const slow: Sink = {
      async send(changes, show) {
        pass(1_000);
        await sink.send(changes, show);
      },
    };
    expect(await runOn(database, slow, 1_000)).toEqual({ sent: 100, lagMs: 1_000 });
    expect(await run()).toEqual({ sent: 50, lagMs: 0 });
    expect(received).toEqual(await feed());
  });

  test('sends fewer changes at a time after a page that took longer than its lease', async () => {
    const { have, database, sink, pass, runtime, received, feed } = setUpSender();
    await have(...Array.from({ length: 150 }, (_, n) => `n${n}`));
    const slow: Sink = {
      async send(changes, show) {
        for (const change of changes) {
          pass(300);
          ensureTime(runtime);
          await sink.send([change], show);
        }
      },
    };
    const { run } = createSender(database, slow);
    expect(await run(45_000, () => {})).toMatchObject({ sent: 0 });
    expect(await run(60_000, () => {})).toEqual({ sent: 150, lagMs: 0 });
    expect(received.slice(-150)).toEqual(await feed());
  });

  test('says once that its token is gone, and sends all changes that are kept', async () => {
    const { have, run, pass, faults, received, store } = setUpSender();
    await have('a');
    await run();
    await have('lost');
    // As DynamoDB does with what has expired.
    pass(8 * 86_400_000);
    for (const item of store.itemsOf('directory')) if (item.ttl !== undefined) store.tables.directory?.delete(item);
    await have('b');
    expect(await run()).toEqual({ sent: 1, lagMs: 0 });
    expect(await run()).toEqual({ sent: 0, lagMs: 0 });
    expect(faults).toEqual([GONE]);
    expect(namesOf(received)).toEqual(['created a', 'created b']);
  });

  test('sends nothing of a user who was erased after the page was read, not even in another attempt', async () => {
    const { have, runOn, database, changes, runtime } = setUpSender();
    const all = await have(...Array.from({ length: 30 }, (_, n) => `n${n}`));
    const bus = new FakeBus();
    bus.judge = (entry, call) => (call === 0 && entry < 2 ? 'ThrottlingException' : 'accepted');
    const send: FakeBus['send'] = async (command) => {
      const response = await bus.send(command);
      if (bus.calls.length === 1) for (const n of [0, 25]) await changes.erase(all[n]?.id ?? 0);
      return response;
    };
    await runOn(database, createEventBridgeSink({ client: { send }, bus: 'bus-1', runtime }));
    const shown = bus.received.filter((change) => 'user' in change).map(({ id }) => id);
    expect(bus.received).toHaveLength(30);
    expect(all.filter(({ id }) => !shown.includes(id)).map(({ lastName }) => lastName)).toEqual(['n0', 'n25']);
  });

  test('sends nothing again when a write of its token arrives late', async () => {
    const { have, run, runAround, received } = setUpSender();
    await have(...Array.from({ length: 150 }, (_, n) => `n${n}`));
    const moves: (() => Promise<unknown>)[] = [];
    await runAround(async ({ command, input }, execute) => {
      const isMove = command === 'UpdateCommand' && JSON.stringify(input).includes('SET #next');
      if (isMove) moves.push(execute);
      const response = await execute();
      if (isMove && moves.length > 1) await moves[0]?.().catch(() => {});
      return response;
    });
    expect(moves).toHaveLength(2);
    expect(await run()).toEqual({ sent: 0, lagMs: 0 });
    expect(received).toHaveLength(150);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventBridgeSink } from '../../lib/events/eventBridge.ts';
import { createSender } from '../../lib/events/sender.ts';
import type { Database } from '../../lib/users/database.ts';
import { FakeBus, firstOf } from '../support/fake/bus.ts';
import { named, settled } from '../support/fake/steps.ts';
import type { Line } from '../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

/** The fate of the sender at one of its calls, to the store or to the bus. */
const fate = fc.record({
  at: fc.nat(14),
  kind: fc.constantFrom('dies before', 'dies after', 'fails', 'loses its response', 'is frozen'),
});

type Fate = typeof fate extends fc.Arbitrary<infer Value> ? Value : never;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('write' as const), user: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), fate: fc.option(fate) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('thaw' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const), every: fc.nat(4) }) },
);

/** A death after each of the calls: one is that to the bus. */
const DEATHS = Array.from(
  { length: 15 },
  (_, at): [(typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]] => [
    [{ kind: 'fold' }, { kind: 'send', fate: { at, kind: 'dies after' } }],
  ],
);

/** A stage with four users, and a sender with the fate that a test wants. */
async function createStage() {
  const { users, databaseOf, pass, fold, changes } = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const created = await users.createMany(named('a', 'b', 'c', 'd'));
  const bus = new FakeBus();
  const frozen: (() => void)[] = [];
  const faults: string[] = [];

  const senderOn = (of: Database, send: FakeBus['send']) =>
    createSender(of, createEventBridgeSink({ client: { send }, bus: 'bus-1', runtime: of.runtime }));

  /** Resolves when the call ends, dies or is frozen. */
  function send(met: Fate | null): Promise<unknown> {
    let calls = 0;
    return new Promise<unknown>((ended) => {
      const stop = () => new Promise<never>(() => ended('stopped'));
      const meet: Line['around'] = async (_, execute) => {
        if (met === null || calls++ !== met.at) return execute();
        if (met.kind === 'dies before') return stop();
        if (met.kind === 'fails') throw new Error('The call failed');
        if (met.kind === 'is frozen') {
          await new Promise<void>((thaw) => {
            frozen.push(thaw);
            ended('frozen');
          });
          return execute();
        }
        const response = await execute();
        if (met.kind === 'loses its response') throw new Error('The response is lost');
        void response;
        return stop();
      };
      const put: FakeBus['send'] = (command) =>
        meet({ command: 'PutEventsCommand', input: command.input }, () => bus.send(command)) as ReturnType<
          FakeBus['send']
        >;
      senderOn(databaseOf(meet), put)
        .run(60_000, ({ message }) => faults.push(message))
        .then(ended, ended);
    });
  }

  return {
    bus,
    faults,
    fold,
    pass,
    send,
    async write(user: number) {
      const id = created[user]?.id ?? 0;
      await users.update(id, ({ lastName = '' }) => ({ name: 'Ann', lastName: `${lastName.slice(-5)}x` }));
    },
    async thaw() {
      for (const goOn of frozen.splice(0)) goOn();
      for (let turn = 0; turn < 50; turn++) await settled();
    },
    feed: async () => (await changes.feed({ after: undefined, size: 1_000 })).changes,
  };
}

test('the sender puts each change on the bus at least once, and first the changes of a user in order, whichever calls fail, freeze or die', async () => {
  let repeats = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { bus, faults, fold, pass, send, write, thaw, feed } = await createStage();
      for (const each of steps) {
        if (each.kind === 'write') await write(each.user);
        else if (each.kind === 'fold') await fold();
        else if (each.kind === 'send') await send(each.fate);
        else if (each.kind === 'thaw') await thaw();
        else if (each.kind === 'pass') pass(each.seconds * 1_000);
        else bus.judge = (entry, call) => ((entry + call) % (each.every + 2) === 0 ? 'InternalFailure' : 'accepted');
      }
      bus.judge = () => 'accepted';
      await fold();
      pass(31_000);
      expect(await send(null)).toMatchObject({ lagMs: 0 });
      // Frozen calls go on: they send some changes again, and lose none.
      await thaw();
      pass(31_000);
      expect(await send(null)).toMatchObject({ lagMs: 0 });
      const all = (await feed()).map(({ id, version }) => `${id} ${version}`);
      const first = firstOf(bus.received);
      expect(first.toSorted()).toEqual(all.toSorted());
      expect(faults.filter((message) => message.startsWith('The place of the events is gone'))).toEqual([]);
      repeats += bus.received.length - first.length;
    }),
    { numRuns: 150 * TIMES, examples: DEATHS },
  );
  // Otherwise no call has died after it had sent.
  expect(repeats).toBeGreaterThan(0);
});

import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { describe, expect, test } from 'vitest';
import { withDeadline } from '../../../lib/deadline.ts';
import { callsOf } from '../../../lib/events/entries.ts';
import { createEventBridgeSink } from '../../../lib/events/eventBridge.ts';
import type { ShownChange } from '../../../lib/users/changes/feed.ts';
import { FakeBus } from '../../support/fake/bus.ts';

const AT = Date.parse('2026-11-20T17:27:41.150Z');
const FIRST_ID = 890301895272553;

const change = (user: number, version = 1, lastName = 'Lee'): ShownChange => {
  const id = FIRST_ID + user;
  return { id, version, type: 'updated', at: AT, by: 'admin-1', user: { id, version, name: 'Ann', lastName } };
};

const usersIn = (calls: readonly PutEventsRequestEntry[][]) =>
  calls.map((entries) =>
    entries.map(({ Detail = '' }) => {
      const { id, version } = JSON.parse(Detail) as { id: number; version: number };
      return `${id - FIRST_ID}:${version}`;
    }),
  );

const calls = (changes: readonly ShownChange[]) => [...callsOf(changes, 'bus-1')];

describe('the calls of EventBridge', () => {
  test('have the change as /api/users/changes shows it, and the bus', () => {
    const [[entry] = []] = calls([change(0)]);
    expect({ ...entry, Detail: JSON.parse(entry?.Detail ?? '') }).toEqual({
      EventBusName: 'bus-1',
      Source: 'user-management',
      DetailType: 'User updated',
      Time: new Date('2026-11-20T17:27:41.150Z'),
      Detail: {
        id: FIRST_ID,
        version: 1,
        type: 'updated',
        at: '2026-11-20T17:27:41.150Z',
        by: 'admin-1',
        user: { id: FIRST_ID, name: 'Ann', lastName: 'Lee', createdAt: '2026-11-20T17:27:41.150Z' },
      },
    });
  });

  test('name the type of each change, and have no user if the change was erased', () => {
    const types = ['created', 'updated', 'deleted'] as const;
    const erased = types.map((type, id): ShownChange => ({ id, version: 2, type, at: AT }));
    expect(calls(erased).map((entries) => entries.map(({ DetailType, Detail }) => `${DetailType} ${Detail}`))).toEqual([
      [
        'User created {"id":0,"version":2,"type":"created","at":"2026-11-20T17:27:41.150Z"}',
        'User updated {"id":1,"version":2,"type":"updated","at":"2026-11-20T17:27:41.150Z"}',
        'User deleted {"id":2,"version":2,"type":"deleted","at":"2026-11-20T17:27:41.150Z"}',
      ],
    ]);
  });

  test.each([
    ['ten entries', 21, 'Lee', [10, 10, 1]],
    ['256 KB', 9, 'ß'.repeat(40_000), [3, 3, 3]],
    ['no entry if there is no change', 0, '', []],
  ])('have at most %s', (_, count, lastName, sizes) => {
    const changes = Array.from({ length: count }, (_, user) => change(user, 1, lastName));
    expect(calls(changes).map(({ length }) => length)).toEqual(sizes);
  });

  test('have at most one change of a user, in the order of the changes', () => {
    const changes = [change(0), change(1), change(0, 2), change(2), change(1, 2), change(1, 3)];
    expect(usersIn(calls(changes))).toEqual([['0:1', '1:1'], ['0:2', '2:1', '1:2'], ['1:3']]);
  });
});

/** A sink whose clock passes while it sleeps. */
function setUp() {
  const bus = new FakeBus();
  let time = 1_790_000_000_000;
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    time += milliseconds;
  };
  const runtime = { now: () => time, random: () => 0.5, sleep };
  return { bus, pauses, runtime, sink: createEventBridgeSink({ client: bus, bus: 'bus-1', runtime }) };
}

const versionsOf = ({ received }: FakeBus) => received.map(({ id, version }) => `${id - FIRST_ID}:${version}`);

describe('events that a bus does not accept', () => {
  test('are sent again, after pauses, before later events', async () => {
    const { bus, sink, pauses } = setUp();
    bus.judge = (entry, call) => (call < 3 && entry === 0 ? 'ThrottlingException' : 'accepted');
    await sink.send([change(0), change(1), change(0, 2)]);
    expect(bus.calls).toEqual([2, 1, 1, 1, 1]);
    expect(versionsOf(bus)).toEqual(['1:1', '0:1', '0:2']);
    expect(pauses).toEqual([100, 200, 400]);
  });

  test('are given up after six tries, and so are all later events', async () => {
    const { bus, sink } = setUp();
    bus.judge = () => 'InternalFailure';
    await expect(sink.send([change(0), change(0, 2)])).rejects.toThrow(
      'EventBridge did not accept events on bus bus-1: InternalFailure',
    );
    expect(bus.calls).toEqual([1, 1, 1, 1, 1, 1]);
    expect(bus.received).toEqual([]);
  });

  test('are given up when the time is over', async () => {
    const { bus, sink, runtime } = setUp();
    bus.judge = () => 'ThrottlingException';
    const sending = withDeadline(runtime.now() + 250, () => sink.send([change(0)]));
    await expect(sending).rejects.toThrow('The request ran out of time');
    expect(bus.calls).toEqual([1, 1]);
  });
});

describe('a bus that cannot be reached', () => {
  test('gets all entries again, and the message has only the name of its error', async () => {
    const { runtime } = setUp();
    let tries = 0;
    const denied = Object.assign(new Error('Ann Lee is not accepted'), { name: 'AccessDeniedException' });
    const client = { send: () => Promise.reject(++tries && denied) };
    const sink = createEventBridgeSink({ client, bus: 'bus-1', runtime });
    await expect(sink.send([change(0)])).rejects.toThrow(
      /^EventBridge did not accept events on bus bus-1: AccessDeniedException$/,
    );
    expect(tries).toBe(6);
  });

  test('whose response has no results has accepted nothing', async () => {
    const { runtime, bus } = setUp();
    let isEmpty = true;
    const client = {
      async send(...[command]: Parameters<FakeBus['send']>) {
        const response = await bus.send(command);
        const isFirst = isEmpty;
        isEmpty = false;
        return isFirst ? { $metadata: {} } : response;
      },
    };
    await createEventBridgeSink({ client, bus: 'bus-1', runtime }).send([change(0)]);
    expect(versionsOf(bus)).toEqual(['0:1', '0:1']);
  });
});

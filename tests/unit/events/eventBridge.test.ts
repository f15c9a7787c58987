import { describe, expect, test } from 'vitest';
import type { FeedChange } from '../../../lib/changes/items.ts';
import type { ShownChange } from '../../../lib/changes/shown.ts';
import { createEventBridgeSink, entryOf } from '../../../lib/events/eventBridge.ts';
import { largestFields } from '../../support/arbitraries.ts';
import { FakeBus } from '../../support/fake/bus.ts';

const AT = Date.parse('2026-11-20T17:27:41.150Z');
const FIRST_ID = 890301895272553;

const change = (user: number, version = 1, lastName = 'Lee'): ShownChange => {
  const id = FIRST_ID + user;
  return { id, version, type: 'updated', at: AT, by: 'admin-1', user: { id, version, name: 'Ann', lastName } };
};

const show = async (changes: readonly FeedChange[]): Promise<ShownChange[]> => [...changes];

describe('the calls of EventBridge', () => {
  test('have the change as /api/users/changes shows it, and the bus', () => {
    const entry = entryOf(change(0), 'bus-1');
    expect({ ...entry, Detail: JSON.parse(entry.Detail ?? '') }).toEqual({
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

  test('are within the 256 KB of a call, however large users and subjects are', () => {
    const user = { id: FIRST_ID, version: 1, ...largestFields('😀'), email: `"${'\\"'.repeat(126)}` };
    const { Detail = '' } = entryOf({ ...change(0), by: '\0'.repeat(255), user }, 'bus-1');
    expect(10 * Buffer.byteLength(Detail)).toBeLessThan(120_000);
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
  const sink = createEventBridgeSink({ client: bus, bus: 'bus-1', runtime });
  return { bus, pauses, runtime, send: (changes: ShownChange[]) => sink.send(changes, show) };
}

const versionsOf = ({ received }: FakeBus) => received.map(({ id, version }) => `${id - FIRST_ID}:${version}`);

describe('events that a bus does not accept', () => {
  test('are sent again, after pauses, before later events', async () => {
    const { bus, send, pauses } = setUp();
    bus.judge = (entry, call) => (call < 3 && entry === 0 ? 'ThrottlingException' : 'accepted');
    await send([change(0), change(1), change(0, 2)]);
    expect(bus.calls).toEqual([2, 1, 1, 1, 1]);
    expect(versionsOf(bus)).toEqual(['1:1', '0:1', '0:2']);
    expect(pauses).toEqual([100, 200, 400]);
  });

  test('are given up after six tries, and so are all later events', async () => {
    const { bus, send } = setUp();
    bus.judge = () => 'InternalFailure';
    await expect(send([change(0), change(0, 2)])).rejects.toThrow(
      'EventBridge did not accept events on bus bus-1: InternalFailure',
    );
    expect(bus.calls).toEqual([1, 1, 1, 1, 1, 1]);
    expect(bus.received).toEqual([]);
  });

  test('are sent again if its response has no results', async () => {
    const { runtime, bus } = setUp();
    const send: FakeBus['send'] = async (command) => {
      const response = await bus.send(command);
      return bus.calls.length === 1 ? { $metadata: {} } : response;
    };
    await createEventBridgeSink({ client: { send }, bus: 'bus-1', runtime }).send([change(0)], show);
    expect(versionsOf(bus)).toEqual(['0:1', '0:1']);
  });
});

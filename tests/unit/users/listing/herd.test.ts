import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { people } from '../../../../bench/people.ts';
import { Again, retry, THROTTLING_DELAYS } from '../../../../lib/dynamodb/retry.ts';
import { unavailable } from '../../../../lib/errors.ts';
import { type Runtime, systemRuntime } from '../../../../lib/runtime.ts';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import type { Call } from '../../../support/fake/store.ts';
import { serviceOn } from '../../../support/service.ts';

/** Time that goes on when everybody sleeps. */
class SleepersTime {
  now = 1_790_000_000_000;
  private readonly sleepers: { until: number; wake: () => void }[] = [];

  sleep = (milliseconds: number): Promise<void> =>
    new Promise((wake) => this.sleepers.push({ until: this.now + milliseconds, wake }));

  async runUntil(end: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    end.then(over, over);
    while (!isOver) {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      const [first] = this.sleepers.sort((a, b) => a.until - b.until);
      if (!first) continue;
      this.sleepers.shift();
      this.now = Math.max(this.now, first.until);
      first.wake();
    }
  }
}

/** So many calls a second that a partition serves, and as many at once. */
const CALLS = 10;

/** What a call ends with when the client has tried it three times: see lib/dynamodb/middleware.ts. */
const MOST_TRIES = 3;
const again = () => new Again(THROTTLING_DELAYS, unavailable('The partition was throttled'));

/** Lets each partition of parts serve so many calls a second. */
function throttle(clock: Runtime) {
  const buckets = new Map<string, { left: number; at: number }>();
  const told = { throttled: 0 };
  const isServed = (partition: string): boolean => {
    const bucket = buckets.get(partition) ?? { left: CALLS, at: clock.now() };
    const left = Math.min(CALLS, bucket.left + ((clock.now() - bucket.at) * CALLS) / 1_000);
    buckets.set(partition, { left: left >= 1 ? left - 1 : left, at: clock.now() });
    told.throttled += Number(left < 1);
    return left >= 1;
  };
  const around = ({ input }: Call, execute: () => Promise<unknown>): Promise<unknown> => {
    const { ':partition': partition } =
      (input as { ExpressionAttributeValues?: Record<string, unknown> }).ExpressionAttributeValues ?? {};
    if (!String(partition).startsWith('base:')) return execute();
    return retry(clock, MOST_TRIES, async () => (isServed(String(partition)) ? execute() : again()));
  };
  return { around, told };
}

test('fifty containers that start at once on a throttled store are all answered, within the time of a function', async () => {
  const time = new SleepersTime();
  const clock = { ...systemRuntime, now: () => time.now, monotonic: () => time.now, sleep: time.sleep };
  const service = serviceOn.memory({ clock, limits: { partBytes: 2_000 } });
  const source = people(1);
  await service.users.createMany(Array.from({ length: 1_000 }, () => source.next().value));
  await time.runUntil(service.fold());
  const { around, told } = throttle(clock);
  const began = time.now;
  const query = { filters: {}, order: totalOrder([]), number: 0, size: 1 };
  const pages = Promise.all(
    Array.from({ length: 50 }, () => createUserListing(service.databaseOf(around)).page(query)),
  );
  await time.runUntil(pages);
  expect((await pages).map((page) => 'total' in page && page.total)).toEqual(Array(50).fill(1_000));
  expect(told.throttled).toBeGreaterThan(100);
  expect(time.now - began).toBeLessThan(15_000);
});

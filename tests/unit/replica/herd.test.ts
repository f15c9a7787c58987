import type { BatchGetCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { Again, retry } from '../../../lib/dynamodb/index.ts';
import { type Runtime, unavailable } from '../../../lib/ground/index.ts';
import { createUserListing } from '../../../lib/users/lists.ts';
import { totalOrder } from '../../../lib/users/order.ts';
import { people } from '../../../tools/samples/people.ts';
import { Scheduler } from '../../support/fake/scheduler.ts';
import type { Call } from '../../support/fake/store.ts';
import { serviceOn } from '../../support/service.ts';

/** Calls a second that a partition serves, and as many at the same time. More are refused. */
const CALLS = 10;

/** A call ends with a 503 when the client has tried it three times, with the pauses of throttling: see lib/dynamodb/middleware.ts. */
const MOST_TRIES = 3;
const DELAYS = { base: 100, longest: 1_000 };
const again = () => new Again(unavailable('The partition was throttled'), DELAYS);

/** Lets the partition of the first part of a call serve `CALLS` a second. */
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
    const { Keys: [first] = [] } = (input as BatchGetCommandInput).RequestItems?.directory ?? {};
    if (!first) return execute();
    return retry(clock, MOST_TRIES, async () => (isServed(String(first.pk)) ? execute() : again()));
  };
  return { around, told };
}

test('fifty containers that start at once on a throttled store are all answered, within the time of a function', async () => {
  const scheduler = new Scheduler(1);
  const run = (work: () => Promise<unknown>) => {
    scheduler.start('all', work);
    return scheduler.run();
  };
  const clock = scheduler.runtimeOf('all');
  const service = serviceOn.memory({ clock, limits: { partBytes: 2_000 } });
  const source = people(1);
  await service.users.createMany(Array.from({ length: 1_000 }, () => source.next().value));
  await run(() => service.fold());
  const { around, told } = throttle(clock);
  const began = clock.now();
  const query = { filters: {}, order: totalOrder([]), number: 0, size: 1 };
  const totals: unknown[] = [];
  await run(() =>
    Promise.all(
      Array.from({ length: 50 }, async () => {
        const page = await createUserListing(service.databaseOf(around)).page(query);
        totals.push('total' in page && page.total);
      }),
    ),
  );
  expect(totals).toEqual(Array(50).fill(1_000));
  expect(told.throttled).toBeGreaterThan(100);
  expect(clock.now() - began).toBeLessThan(15_000);
});

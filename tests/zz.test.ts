import { test } from 'vitest';
import { people } from '../lib/local/people.ts';
import { metered } from '../lib/metering.ts';
import { createTestService } from './support/store.ts';
import { totalOrder } from '../lib/users/listing/order.ts';

test('x', async () => {
  const s = await createTestService({}, undefined, { pageBytes: 200, segmentUsers: 3, segmentsPerSum: 3, nearUsers: 2, walkPromise: 0.001 });
  const src = people(1);
  for (let i = 0; i < 4; i++) {
    let t = Date.now();
    await s.users.createMany(Array.from({ length: 30 }, () => src.next().value));
    console.log('create', Date.now() - t); t = Date.now();
    const calls: Record<string, number> = {};
    s.dynamo.middlewareStack.add((next, c) => (a) => { const k = `${c.commandName} ${String((a.input as any).ExpressionAttributeValues?.[':pk'] ?? (a.input as any).IndexName ?? '').slice(0, 9)}`; calls[k] = (calls[k] ?? 0) + 1; return next(a); }, { step: 'initialize', name: 'count', override: true });
    const r = await metered(async (m) => [await s.fold.run(60000), m]);
    console.log('fold', Date.now() - t, JSON.stringify(r), JSON.stringify(calls));
  }
  const t = Date.now();
  const r = await metered(async (m) => [(await s.listing.page({ filters: {}, keyword: undefined, order: totalOrder([{ property: 'name', direction: 'asc' }]), number: 3, size: 7 }) as any).total, m]);
  console.log(Date.now() - t, JSON.stringify(r));
}, 200000);

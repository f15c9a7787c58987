import { expect, test } from 'vitest';
import type { UserPage } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import { serviceOn } from '../../../support/service.ts';

test('users are read once by their ids, and are of one state with the journal, also when one is written meanwhile', async () => {
  const { users, processOf } = serviceOn.memory();
  const [ann, bea] = [await users.create({ name: 'Ann' }), await users.create({ name: 'Bea' })];
  let reads = 0;
  const { listing } = processOf(async ({ command }, execute) => {
    const response = await execute();
    if (command !== 'BatchGetCommand') return response;
    if (reads++ === 0) await users.update(ann.id, () => ({ name: 'Zoe' }));
    return response;
  });
  const asked = {
    filters: { id: [ann.id, bea.id] },
    order: totalOrder([{ property: 'name', direction: 'asc' }]),
    number: 0,
    size: 20,
  };
  const page = (await listing.page(asked)) as UserPage;
  expect([reads, page.users.map(({ name }) => name)]).toEqual([1, ['Bea', 'Zoe']]);
  expect((await listing.page(asked)).tag).toBe(page.tag);
});

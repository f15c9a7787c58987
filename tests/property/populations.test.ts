import { expect, test } from 'vitest';
import { checkCounts } from '../support/fake/counts.ts';
import { populations } from '../support/populations.ts';
import { askPage } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run test:long` has them whole, in the embedded DynamoDB. Both stores throw when something is too large for DynamoDB. */
const IS_LONG = process.env.LONG !== undefined;
/** So many users write and are folded at a time. */
const CHUNK = 2_000;

test.each(populations(IS_LONG ? 1 : 0.02))(
  '$name: nothing fails, and pages and totals are exact',
  async ({ users, keyword, total }) => {
    const memory = IS_LONG ? undefined : serviceOn.memory();
    const service = memory ?? (await serviceOn.embedded());
    const all = users();
    for (let i = 0; i < all.length; i += CHUNK) {
      await service.users.createMany(all.slice(i, i + CHUNK));
      expect((await service.fold()).left).toBe(0);
    }
    if (memory) checkCounts(memory.store);
    const { page } = await askPage(service.listing, keyword === undefined ? {} : { keyword });
    expect([page.totalElements, page.content.length]).toEqual([total, Math.min(20, total)]);
  },
);

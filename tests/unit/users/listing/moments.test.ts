import { beforeAll, describe, expect, test } from 'vitest';
import type { SortProperty } from '../../../../lib/users/fields.ts';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { represent } from '../../../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';
import { TINY } from '../../../support/tinySizes.ts';

const email = 'a@b.de';

/** Most were created in the same millisecond, some before and after it. */
async function listingOf(count: number, sizes: object) {
  const { users, pass, fold, database } = serviceOn.memory({ sizes });
  const fields = (n: number) => ({
    name: `n${n % 5}`,
    email,
    status: n % 7 ? 'on' : 'off',
    country: n % 9 ? 'DE' : 'de',
  });
  const created: ModelUser[] = [];
  for (const [first, last] of [
    [0, 10],
    [10, count - 10],
    [count - 10, count],
  ] as const) {
    const some = Array.from({ length: last - first }, (_, i) => fields(first + i));
    created.push(...(await users.createMany(some)).map((user) => represent(user) as ModelUser));
    pass(10);
  }
  await fold();
  return { listing: createUserListing(database), created };
}

const by = (...properties: SortProperty[]): ModelQuery['sort'] =>
  properties.map((property) => ({ property, direction: property === 'createdAt' ? 'desc' : 'asc' }));

describe.each([
  ['usual', 700, 20, {}],
  ['tiny', 60, 2, TINY],
])('users of one millisecond, with %s sizes,', (_, count, size, sizes) => {
  let given: Awaited<ReturnType<typeof listingOf>>;
  beforeAll(async () => {
    given = await listingOf(count, sizes);
  });

  test.each<Partial<ModelQuery>>([
    { sort: by('createdAt') },
    { sort: by('createdAt'), status: 'on' },
    { sort: by('createdAt'), status: 'on', country: 'DE' },
    { sort: by('createdAt'), email },
    { sort: by('createdAt', 'name'), status: 'on' },
    { sort: by('status', 'createdAt') },
    { sort: by('country', 'createdAt') },
  ])('are on the right pages: %j', async (asked) => {
    const { listing, created } = given;
    for (let page = 0; page * size < count; page++) {
      const query: ModelQuery = { sort: [], ...asked, page, size };
      expect((await askPage(listing, query)).page).toEqual(modelPage(created, query));
    }
  });
});

import { beforeAll, expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { represent } from '../../../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

/** So that pages lie in the middle of segments, far from both ends of a part of a list, which may end within a segment. */
const SIZES = { segmentUsers: 60, sumUsers: 150, nearUsers: 4 };

const ASKED: Partial<ModelQuery>[] = [
  { status: 'b' },
  { status: 'b', country: 'DE' },
  { country: 'DE' },
  { country: 'DE', sort: [{ property: 'name', direction: 'desc' }] },
  { status: 'b', sort: [{ property: 'name', direction: 'asc' }] },
  { sort: [{ property: 'status', direction: 'desc' }] },
];

async function prepared() {
  const { users, fold, database } = serviceOn.memory({ sizes: SIZES });
  const all: ModelUser[] = [];
  for (const [status, count] of [
    ['a', 70],
    ['b', 190],
    ['c', 95],
  ] as const) {
    const created = await users.createMany(
      Array.from({ length: count }, (_, i) => ({ name: `n${(i * 37) % 101}`, status, country: i % 5 ? 'DE' : 'FR' })),
    );
    all.push(...created.map((user) => represent(user) as ModelUser));
    await fold();
  }
  return { listing: createUserListing(database), all };
}

let given: Awaited<ReturnType<typeof prepared>>;
beforeAll(async () => {
  given = await prepared();
});

test.each(ASKED)('each page of a part of a list is right, wherever its segments begin and end: %j', async (asked) => {
  const { listing, all } = given;
  for (const size of [3, 10]) {
    for (let page = 0; page * size < all.length; page++) {
      const query: ModelQuery = { sort: [], ...asked, page, size };
      expect((await askPage(listing, query)).page, `page ${page} of ${size}`).toEqual(modelPage(all, query));
    }
  }
});

test.each(['asc', 'desc'] as const)(
  'the first page of a container reads a list, %s, and then the journal',
  async (direction) => {
    const { users, fold, databaseOf } = serviceOn.memory();
    await users.createMany(Array.from({ length: 30 }, (_, i) => ({ name: `n${i}` })));
    await fold();
    const read: string[] = [];
    const database = databaseOf((call, execute) => {
      const { IndexName = 'Directory' } = call.input as { IndexName?: string };
      read.push(IndexName);
      return execute();
    });
    const query: ModelQuery = { sort: [{ property: 'name', direction }], page: 0, size: 5 };
    const { page } = await askPage(createUserListing(database), query);
    expect(page.totalElements).toBe(30);
    expect(page.content.map(({ name }) => name)).toEqual(
      direction === 'asc' ? ['n0', 'n1', 'n10', 'n11', 'n12'] : ['n9', 'n8', 'n7', 'n6', 'n5'],
    );
    expect(read).toEqual(['byName', 'Directory']);
  },
);

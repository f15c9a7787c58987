import { beforeAll, describe, expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import type { Sizes } from '../../../../lib/users/sizes.ts';
import { represent, type UserFields } from '../../../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';
import { TINY } from '../../../support/tinySizes.ts';

const STATUSES = ['on', 'on', 'On', 'off', 'on', 'zero', undefined, 'on'];
const COUNTRIES = ['DE', 'DE', 'FR', 'rare', 'de', undefined];

const fields = (n: number): UserFields => {
  const [status, often] = [STATUSES[n % STATUSES.length], COUNTRIES[(n * 5) % COUNTRIES.length]];
  const country = often === 'rare' ? `E${n % 11}` : often;
  return { name: `n${n % 4}`, ...(status && { status }), ...(country && { country }) };
};

const by = (...keys: string[]): ModelQuery['sort'] =>
  keys.map((key) => {
    const [property, direction = 'asc'] = key.split(' ');
    return { property, direction } as ModelQuery['sort'][number];
  });

async function prepared(sizes: Sizes) {
  const { users, pass, fold, database } = serviceOn.memory({ sizes });
  const all: ModelUser[] = [];
  for (let n = 0; n < 120; n++) {
    const user = await users.create({ name: 'first', status: 'zero' });
    all.push(represent(user) as ModelUser);
    pass(1);
  }
  await fold();
  // The even ones first, so that the others come between them.
  const places = [...all.keys()].sort((a, b) => (a % 2) - (b % 2));
  for (const n of places) {
    const { id = 0 } = all[n] ?? {};
    all[n] = represent(await users.update(id, () => fields(n))) as ModelUser;
    if (n % 40 === 0) await fold();
  }
  await fold();
  return { listing: createUserListing(database), all };
}

/** With larger segments, several short runs are in one. */
describe.each([
  ['tiny', TINY],
  ['larger', { ...TINY, segmentUsers: 12, neighbourUsers: 2 }],
])('with %s segments', (_, sizes) => {
  let given: Awaited<ReturnType<typeof prepared>>;
  beforeAll(async () => {
    given = await prepared(sizes);
  });

  test.each<Partial<ModelQuery>>([
    { status: 'on' },
    { status: 'On' },
    { country: 'DE' },
    { status: 'on', country: 'DE' },
    { status: 'on', sort: by('createdAt desc') },
    { sort: by('status') },
    { sort: by('status desc') },
    { sort: by('country', 'id desc') },
    { sort: by('country desc', 'name') },
    { sort: by('status', 'name desc', 'id desc') },
    { country: 'DE', sort: by('status') },
    { country: 'DE', sort: by('status desc', 'name') },
  ])('each page of the runs of status and country is right: %j', async (asked) => {
    const { listing, all } = given;
    for (const size of [1, 7])
      for (let page = 0; page * size < all.length; page++) {
        const query: ModelQuery = { sort: [], ...asked, page, size };
        expect((await askPage(listing, query)).page).toEqual(modelPage(all, query));
      }
  });
});

import { expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { represent } from '../../../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelPage } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';
import { only } from '../../../support/tinySizes.ts';

/** Countries that differ in case have one place in an order: their users are in the order of ids together. */
const COUNTRIES = ['DE', 'de', 'De', 'FR', 'fr'];

const ASKED: Partial<ModelQuery>[] = [
  { keyword: 'e' },
  { keyword: 'lee' },
  { status: 'on' },
  { status: 'on', keyword: 'e' },
  {},
];

test.each(['walk', 'slice', 'gather', 'groups'].flatMap((kind) => ASKED.map((asked) => [kind, asked] as const)))(
  'pages by country mix users of DE, de and De, in the order of ids: plan %s, asked %j',
  async (kind, asked) => {
    const { users, fold, database } = serviceOn.memory({ sizes: only(kind) });
    const created = await users.createMany(
      Array.from({ length: 40 }, (_, i) => ({
        name: `n${i}`,
        lastName: i % 3 ? 'Lee' : 'Abe',
        country: COUNTRIES[i % COUNTRIES.length] ?? '',
        status: i % 4 ? 'on' : 'off',
      })),
    );
    await fold();
    const all = created.map((user) => represent(user) as ModelUser);
    const listing = createUserListing(database);
    for (const direction of ['asc', 'desc'] as const) {
      for (let page = 0; page < 6; page++) {
        const query: ModelQuery = { ...asked, sort: [{ property: 'country', direction }], page, size: 7 };
        expect((await askPage(listing, query)).page).toEqual(modelPage(all, query));
      }
    }
  },
);

import { expect, test } from 'vitest';
import { people } from '../../lib/tooling/local/people.ts';
import type { SortProperty } from '../../lib/users/fields.ts';
import { createUserListing } from '../../lib/users/listing/listing.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { usersOf } from '../support/fake/steps.ts';
import { type ModelQuery, type ModelUser, modelFilter, modelPage } from '../support/model.ts';
import { askPage } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** `npm run test:long` asks more. */
const QUESTIONS = process.env.LONG ? 6_000 : 100;
const USERS = 2_500;
/** Users who are written after the others were loaded. The last ones stay in the journal. */
const WRITTEN = 300;
const RECENT = 25;

const PROPERTIES: SortProperty[] = [
  'id',
  'name',
  'email',
  'age',
  'firstName',
  'lastName',
  'status',
  'country',
  'createdAt',
];

function questionFrom(random: () => number, users: readonly ModelUser[]): ModelQuery {
  const below = (limit: number) => Math.floor(random() * limit);
  const someone = () => users[below(users.length)] as ModelUser;
  const { status } = random() < 0.4 ? someone() : {};
  const { country } = random() < 0.3 ? someone() : {};
  const { email } = random() < 0.05 ? someone() : {};
  const { lastName = '' } = random() < 0.4 ? someone() : {};
  const letters = Array.from(lastName);
  const start = below(letters.length);
  const keyword = letters.slice(start, start + 1 + below(4)).join('');
  const sort = Array.from({ length: below(3) }, () => ({
    property: PROPERTIES[below(PROPERTIES.length)] as SortProperty,
    direction: random() < 0.5 ? ('asc' as const) : ('desc' as const),
  })).filter(({ property }, i, all) => all.findIndex((each) => each.property === property) === i);
  const filters = {
    ...(status && { status }),
    ...(country && { country }),
    ...(email && { email }),
    ...(keyword && { keyword }),
  };
  const size = 1 + below(30);
  return { ...filters, sort, size, page: below(Math.ceil(modelFilter(users, filters).length / size) + 1) };
}

test('pages among thousands of users equal the in-memory model, with the sizes of a stage', async () => {
  const seed = Number(process.env.SEED ?? 8);
  const { store, database, users, fold, pass } = serviceOn.memory();
  const source = people(seed);
  await loadUsers(database, source, { users: USERS - WRITTEN - RECENT });
  pass(60_000);
  await users.createMany(Array.from({ length: WRITTEN }, () => source.next().value));
  await fold();
  await users.createMany(Array.from({ length: RECENT }, () => source.next().value));
  const all = usersOf(store);
  const listing = createUserListing(database);
  const random = chanceOf(seed);
  const plans = new Set<string>();
  for (let i = 0; i < QUESTIONS; i++) {
    const query = questionFrom(random, all);
    const { page, plan } = await askPage(listing, query);
    expect(page, `${JSON.stringify(query)} by ${plan}`).toEqual(modelPage(all, query));
    for (const part of (plan ?? '').split(', ')) plans.add(part.split(' ')[0] ?? '');
  }
  expect([...plans]).toEqual(expect.arrayContaining(['slice', 'gather', 'walk', 'names', 'by']));
}, 900_000);

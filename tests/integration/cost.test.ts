import { describe, expect, test } from 'vitest';
import { type Meter, metered } from '../../lib/ground/index.ts';
import type { Filters } from '../../lib/users/filters.ts';
import { createUserListing } from '../../lib/users/lists.ts';
import { totalOrder } from '../../lib/users/order.ts';
import type { UserBatch } from '../../lib/users/questions.ts';
import type { SortProperty } from '../../lib/users/user.ts';
import { loadUsers } from '../../tools/samples/loadUsers.ts';
import { people } from '../../tools/samples/people.ts';
import { largestFields } from '../support/arbitraries.ts';
import { handlerCalls } from '../support/calls.ts';
import { chanceOf } from '../support/fake/scheduler.ts';
import { read } from '../support/files.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn, type TestService } from '../support/service.ts';

logOfEachTest();

/** DynamoDB charges by rules, so these are facts and not timings. */
const USERS = 2_000;

/** A clock that moves when it is read, for ids and so for units that are the same in each run. No time passes for readers. */
function clockOf(seed: number) {
  // Ahead of every real clock: a store may remove what has expired.
  let time = Date.UTC(2050, 0);
  return { now: () => time++, monotonic: () => 0, random: chanceOf(seed) };
}

const createPeople = ({ users }: TestService, count: number, source = people(2)) =>
  users.createMany(Array.from({ length: count }, () => source.next().value));

/** The units of some work. */
const costOf = (work: () => Promise<unknown>): Promise<Meter> =>
  metered(async (meter) => {
    await work();
    return meter;
  });

const written = async (work: () => Promise<unknown>) => (await costOf(work)).writeUnits;

const pageOf = (listing: TestService['listing'], filters: Filters, sort: SortProperty[] = [], number = 0) => {
  const order = totalOrder(sort.map((property) => ({ property, direction: 'desc' })));
  return costOf(() => listing.page({ filters, order, number, size: 20 }));
};

const large = await serviceOn.embedded({ clock: clockOf(1) });
await loadUsers(large, people(1), { users: USERS });
await pageOf(large.listing, {});

describe('any page of any question', () => {
  test.each<[string, Filters, SortProperty[], number]>([
    ['the first page', {}, [], 0],
    ['a page in the middle, by two properties', {}, ['age', 'lastName'], 50],
    [
      'two ranges and a beginning, by three properties',
      { 'age.gte': 30, 'createdAt.gte': 0, 'firstName.startsWith': 'j' },
      ['status', 'age', 'name'],
      0,
    ],
    ['a hundred ids', { id: Array.from({ length: 100 }, (_, i) => i) }, [], 0],
  ])('is one unit and one call: %s', async (_, filters, sort, number) => {
    expect(await pageOf(large.listing, filters, sort, number)).toMatchObject({
      ...{ readUnits: 1, calls: 1, writeUnits: 0, replica: 'warm', journal: 0 },
    });
  });

  test('is one unit for each four kilobytes of the journal, which is empty after the fold and a read of its delta', async () => {
    await createPeople(large, 100);
    expect(await pageOf(large.listing, {})).toMatchObject({ readUnits: 4, calls: 1, journal: 100, changes: 100 });
    await large.fold();
    expect(await pageOf(large.listing, {})).toMatchObject({ calls: 2 });
    expect(await pageOf(large.listing, {})).toMatchObject({ readUnits: 1, calls: 1 });
  });

  test('is the journal and half a unit for each four kilobytes of the base in a new container', async () => {
    const { readUnits, calls, replica } = await pageOf(createUserListing(large), {});
    expect(replica).toMatch(/^0\.\d MB in \d+ ms$/);
    expect(calls).toBe(3);
    expect(readUnits).toBeGreaterThan(5);
    expect(readUnits).toBeLessThanOrEqual(20);
  });

  test('is one unit for all users, for counts, and for a list that has not changed', async () => {
    const { listing } = large;
    const all = { filters: {}, order: totalOrder([]) };
    const asked = [
      () => listing.all(all),
      () => listing.counts({ filters: { keyword: 'a' }, by: ['status', 'country'], most: 1_000 }),
      () => listing.after({ filters: {}, after: 0, size: 20 }, () => true),
      () => createUserListing(large).all(all, () => true),
    ];
    for (const ask of asked) expect(await costOf(ask)).toMatchObject({ readUnits: 1, calls: 1 });
  });

  test.each<[Filters, number]>([
    [{}, 2],
    [{ status: 'active' }, 2],
    [{ country: 'US' }, 2],
    [{ status: 'active', country: 'US' }, 1],
    [{ status: ['active', 'pending'] }, 1],
  ])('after a cursor with the filters %j is %d units', async (filters, most) => {
    const { readUnits, calls } = await costOf(async () => {
      const { users } = (await large.listing.after({ filters, after: 0, size: 20 })) as UserBatch;
      expect(users).toHaveLength(20);
    });
    expect([calls, readUnits <= most, readUnits]).toEqual([most, true, readUnits]);
  });

  test('is a unit and a call for each part of the journal, and the write units of a create are those of one part', async () => {
    const service = await serviceOn.embedded({ clock: clockOf(4), limits: { journalParts: 4 } });
    await createPeople(service, 10);
    const { users, listing, fold } = service;
    await users.create({ name: 'Ann' });
    await fold();
    await pageOf(listing, {});
    expect(await pageOf(listing, {})).toMatchObject({ readUnits: 4, calls: 4 });
    expect(await costOf(() => users.create({ name: 'Bea' }))).toMatchObject({ readUnits: 0, writeUnits: 5 });
    expect(await pageOf(listing, {})).toMatchObject({ readUnits: 4, calls: 4, journal: 1 });
  });

  test('says what it cost in Server-Timing', async () => {
    const call = await handlerCalls(large);
    for (const query of ['', '?sort=age,desc&keyword=a']) await call('GET', `/api/users${query}`);
    const { headers } = await call('GET', '/api/users?sort=age,desc&page=7');
    expect(headers.get('server-timing')).toMatch(
      /^replica;desc="warm", journal;desc="0", changes;desc="0", dynamodb;desc="1 RRU";dur=\d+$/,
    );
  });
});

describe('write units', () => {
  const user = {
    ...{ name: 'Ann Andrews', email: 'ann@example.com', age: 30, firstName: 'Ann', lastName: 'Andrews' },
    ...{ status: 'active', country: 'US' },
  };

  test('of a create and a delete at once are seven: four of the transaction, and one for each index', async () => {
    let id = 0;
    expect(await written(async () => ({ id } = await large.users.create(user)))).toBe(7);
    expect(await written(() => large.users.delete(id))).toBe(7);
    expect(await written(() => large.users.create({ name: 'Ann' }))).toBe(5);
  });

  test.each([
    [{ age: 31 }, 7],
    [{ lastName: 'Lee' }, 7],
    [{ country: 'DE' }, 8],
    [{ status: undefined, country: 'DE' }, 8],
  ])('of a change to %j at once are %d', async (change, units) => {
    const { id } = await large.users.create(user);
    const changed = () => large.users.update(id, (current) => ({ ...current, ...change }) as typeof current);
    expect(await written(changed)).toBe(units);
  });

  test('of an update that changes nothing are none, for one read unit', async () => {
    const { id } = await large.users.create(user);
    expect(await costOf(() => large.users.update(id, (current) => ({ ...current })))).toMatchObject({
      ...{ readUnits: 1, writeUnits: 0 },
    });
  });

  test('of a unique e-mail are two more, for its user at once, four when it changes, and none otherwise', async () => {
    const { users } = await serviceOn.embedded({ uniqueEmails: true });
    // The first writes that the stage is one from its beginning.
    await users.create({ name: 'First' });
    let id = 0;
    expect(await written(async () => ({ id } = await users.create(user)))).toBe(9);
    const change = (fields: object) => written(() => users.update(id, (current) => ({ ...current, ...fields })));
    expect([await change({ age: 31 }), await change({ email: 'bea@example.com' })]).toEqual([7, 11]);
    expect(await written(() => users.delete(id))).toBe(9);
  });

  test('of an external id are two more, for its user at once, four when it changes, and none otherwise; a PUT by it that changes nothing reads two', async () => {
    let id = 0;
    expect(await written(async () => ({ id } = await large.users.create({ ...user, externalId: 'auth0|1' })))).toBe(9);
    const change = (fields: object) => written(() => large.users.update(id, (now) => ({ ...now, ...fields })));
    expect([await change({ age: 31 }), await change({ externalId: 'auth0|2' })]).toEqual([7, 11]);
    const again = () => large.users.upsert('auth0|2', { ...user, age: 31, externalId: 'auth0|2' }, () => {});
    expect(await costOf(again)).toMatchObject({ readUnits: 2, writeUnits: 0 });
    expect(await written(() => large.users.delete(id))).toBe(9);
  });

  test('of a create with an external id and a kilobyte of attributes are 16, and of a change to one attribute 14', async () => {
    const attributes = { constructor: 'x'.repeat(472), level: 3, notes: 'y'.repeat(500), team: 'red' };
    expect(JSON.stringify(attributes)).toHaveLength(1_024);
    let id = 0;
    // The first user with these names adds them.
    await large.users.create({ ...user, externalId: 'auth0|6', attributes });
    const create = async () => ({ id } = await large.users.create({ ...user, externalId: 'auth0|7', attributes }));
    expect(await written(create)).toBe(16);
    const change = () => large.users.update(id, (now) => ({ ...now, attributes: { ...attributes, level: 4 } }));
    expect(await written(change)).toBe(14);
  });

  test('of a create with these seven fields at their limits are 28', async () => {
    const { name, email, age, firstName, lastName, status, country } = largestFields('𠮷');
    const fields = { name, email, age, firstName, lastName, status, country };
    expect(await written(() => large.users.create(fields))).toBe(28);
  });

  test.each([
    [1, 15],
    [10, 11],
    [100, 10],
  ])(
    'of a create, where %d are folded together, are at most %d in all: also to keep its change',
    async (count, most) => {
      await large.fold();
      const created = await written(() => createPeople(large, count));
      const folded = await written(() => large.fold());
      expect(folded).toBeGreaterThanOrEqual(2 * count);
      expect((created + folded) / count).toBeLessThanOrEqual(most);
    },
  );
});

test('the read units of a page of changes are one for each, and fifteen more after a bulk write, as docs/changes.md says', async () => {
  const others = await serviceOn.embedded({ clock: clockOf(2) });
  await others.fold();
  const { next } = await others.changes.feed({ after: 'now', size: 1 });
  await others.users.createMany(Array.from({ length: 5_000 }, (_, i) => ({ name: `Changed ${i}` })));
  await others.fold();
  const { readUnits } = await costOf(() => others.changes.feed({ after: next, size: 100 }));
  expect(readUnits).toBe(115);
  expect(read('docs/changes.md')).toContain(`and 2 to ${readUnits - 100} more`);
});

test('the read units of changes are two for a poll that finds nothing, four and one per change for a page, and two for the history of a user', async () => {
  const others = await serviceOn.embedded({ clock: clockOf(2) });
  await others.fold();
  const { feed, history } = others.changes;

  /** DynamoDB Local takes less than DynamoDB for a query that finds nothing. */
  const expectUnits = async (above: number, most: number, mostCalls: number, read: () => Promise<unknown>) => {
    const { readUnits, calls } = await costOf(read);
    expect(readUnits).toBeGreaterThan(above);
    expect(readUnits).toBeLessThanOrEqual(most);
    expect(calls).toBeLessThanOrEqual(mostCalls);
  };

  const { next } = await feed({ after: 'now', size: 1 });
  await expectUnits(0, 2, 2, () => feed({ after: next, size: 100 }));
  const [first] = await others.users.createMany(Array.from({ length: 200 }, (_, i) => ({ name: `Changed ${i}` })));
  await others.fold();
  await expectUnits(100, 104, 4, () => feed({ after: next, size: 100 }));
  await expectUnits(100, 104, 4, () => feed({ before: 'now', size: 100 }));
  await expectUnits(2, 10, 3, () => feed({ before: 'now', size: 100, ids: [first?.id ?? 0] }));
  await expectUnits(200, 204, 5, () => feed({ before: 'now', size: 1, by: ['ann'] }));
  await expectUnits(0, 2, 2, () => history({ id: first?.id ?? 0, before: undefined, size: 500 }));
});

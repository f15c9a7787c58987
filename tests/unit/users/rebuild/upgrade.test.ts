import { describe, expect, test } from 'vitest';
import type { Database } from '../../../../lib/users/database.ts';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { makeFormat6 } from '../../../support/earlierFormat.ts';
import type { ModelQuery } from '../../../support/model.ts';
import { askNames, NOTHING_WRONG } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

const page = (database: Database, asked: Partial<ModelQuery> = {}) =>
  askNames(createUserListing(database), { sort: [{ property: 'name', direction: 'asc' }], size: 100, ...asked });

const ADVICE = {
  status: 503,
  message: 'Table directory has statistics of format 6: "npm run verify -- --repair" brings them to format 7',
};

const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `n${from + i}`);
const people = (from: number, to: number) =>
  names(from, to).map((name) => ({ name, lastName: 'Abel', country: 'DE', status: 'on' }));

/** Tables of format 6 with twenty folded users, and four in the journal. */
async function inFormat6(batched = 0) {
  const given = serviceOn.memory();
  const created = await given.users.createMany(people(10, 30));
  await given.fold();
  created.push(...(await given.users.createMany(people(30, 34))));
  await makeFormat6(given.database, batched);
  given.pass(10_000);
  return { ...given, created };
}

/** What kinds of partitions the Directory table has. */
const kindsOf = ({ store }: Awaited<ReturnType<typeof inFormat6>>) =>
  [...new Set(store.itemsOf('directory').map(({ pk }) => String(pk).replace(/:.*/, '')))].toSorted();

describe('tables of format 6', () => {
  test('refuse lists with advice, and accept writes', async () => {
    const { database, users, created } = await inFormat6();
    const listing = createUserListing(database);
    await expect(page(database)).rejects.toMatchObject(ADVICE);
    await expect(listing.after({ filters: {}, keyword: undefined, after: 0, size: 5 })).rejects.toMatchObject(ADVICE);
    await expect(listing.all({ filters: {}, order: totalOrder([]) })).rejects.toMatchObject(ADVICE);
    await expect(verify(database)).rejects.toMatchObject(ADVICE);
    const { id } = await users.create({ name: 'Ann' });
    expect(await users.update(id, () => ({ name: 'Anne' }))).toMatchObject({ name: 'Anne', version: 2 });
    await users.delete(created[0]?.id ?? 0);
  });

  test.each([
    ['at rest', 0],
    ['with a batch under way', 3],
    ['with a batch of all entries under way', 4],
  ])('are brought to format 7, %s, while users are created, changed and deleted', async (_, batched) => {
    const given = await inFormat6(batched);
    const { database, users, created, fold, store } = given;
    const written = new Set(names(10, 34));
    let calls = 0;
    // Before every third call of the repair a user is created, and another one is deleted or changed.
    const busy = given.databaseOf(async (_, execute) => {
      if (calls++ % 3 === 0) {
        const name = `x${String(calls).padStart(3, '0')}`;
        await users.create({ name, lastName: 'Abel', country: 'DE', status: 'on' });
        written.add(name);
        const leaving = created.pop();
        if (leaving && calls % 2 === 0) {
          await users.delete(leaving.id);
          written.delete(leaving.name);
        } else if (leaving) {
          await users.update(leaving.id, (now) => ({ ...now, name: `y${leaving.name}` }));
          written.delete(leaving.name);
          written.add(`y${leaving.name}`);
        }
      }
      return execute();
    });
    expect(await verify(busy, { repair: true, keepOldMs: 0 })).toMatchObject({ repaired: true });
    expect(calls).toBeGreaterThan(20);
    const expected = { names: [...written].toSorted(), total: written.size };
    expect(await page(database)).toEqual(expected);
    expect(await page(database, { country: 'DE', status: 'on' })).toEqual(expected);
    expect(await page(database, { keyword: 'bel' })).toEqual(expected);
    await fold();
    expect(await page(database)).toEqual(expected);
    expect(await page(database, { keyword: 'ab' })).toEqual(expected);
    expect(await verify(database)).toMatchObject({ users: written.size, ...NOTHING_WRONG });
    const head = store.tables.directory?.get({ pk: 'journal', sk: '#head' });
    expect(head).toMatchObject({ format: 7, total: written.size });
    expect(kindsOf(given)).toEqual([`g${head?.generation}`, 'journal']);
    expect(head).not.toHaveProperty('recent');
  });

  test('are brought to format 7 by another repair, wherever the one before was killed', async () => {
    const { database, databaseOf, fold } = await inFormat6(2);
    let allowed = 0;
    for (let isDone = false; !isDone; allowed += 3) {
      let calls = 0;
      const dying = databaseOf((_, execute) => (calls++ < allowed ? execute() : Promise.reject(new Error('killed'))));
      const outcome = await verify(dying, { repair: true, keepOldMs: 0 }).catch((error: Error) => error.message);
      isDone = outcome !== 'killed';
      const listed = await page(database).catch((error: Error) => error.message);
      if (listed !== ADVICE.message) expect(listed).toEqual({ names: names(10, 34), total: 24 });
    }
    expect(allowed).toBeGreaterThan(30);
    await fold();
    expect(await page(database)).toEqual({ names: names(10, 34), total: 24 });
    expect(await verify(database)).toMatchObject({ users: 24, ...NOTHING_WRONG });
  });
});

test.each([5, 8])('tables of format %d are refused by lists and by repairs, and stay as they are', async (format) => {
  const { store, database } = serviceOn.memory();
  const head = { pk: 'journal', sk: '#head', format, epoch: 1, total: 0 };
  store.tables.directory?.put(head);
  const refused = { status: 500, message: `The tables have format ${format}; this version knows formats 6 to 7` };
  await expect(page(database)).rejects.toMatchObject(refused);
  await expect(verify(database, { repair: true })).rejects.toMatchObject(refused);
  await expect(verify(database, { restored: true })).rejects.toMatchObject(refused);
  expect(store.itemsOf('directory')).toEqual([head]);
});

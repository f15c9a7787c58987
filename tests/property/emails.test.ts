import { PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toUser } from '../../lib/users/database.ts';
import { createUserStore } from '../../lib/users/store.ts';
import { EMAIL, EXTERNAL_ID, FLAG_KEY, hasFlag, uniqueKey, valueIn } from '../../lib/users/unique.ts';
import { pickFields } from '../../lib/users/user.ts';
import { fillEmails, fillUnique, forgetEmails } from '../../tools/verify/fillUnique.ts';
import { type MemoryService, serviceOn } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

/** Addresses in their spellings, below how they are compared. */
const SPELLINGS = {
  'ann@example.com': ['ann@example.com', 'ANN@example.com', '"a\\nn"@EXAMPLE.com'],
  'eve@example.com': ['"eve"@example.com'],
  '"a b"@[192.0.2.1]': ['"A\\ b"@[192.0.2.1]'],
  'straße@xn--bcher-kva.example': ['straße@BU\u0308CHER.example', 'STRAẞE@xn--bcher-kva.example'],
  'strasse@xn--bcher-kva.example': ['STRASSE@b\u00fccher.example'],
  'mi\u212ae@example.com': ['MI\u212aE@example.com', 'mi\u212ae@EXAMPLE.com'],
};
const FORMS = new Map<unknown, string>(
  Object.entries(SPELLINGS).flatMap(([form, all]) => all.map((email): [string, string] => [email, form])),
);
const ADDRESSES = [...Object.values(SPELLINGS).flat(), undefined];

const STEP = fc.record({
  does: fc.constantFrom('create', 'create once', 'update', 'delete', 'bring back'),
  email: fc.constantFrom(...ADDRESSES),
  externalId: fc.constantFrom('a|1', 'A|1', undefined),
  who: fc.nat(3),
});
const WRITERS = fc.array(fc.array(STEP, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 4 });

const addressesOf = ({ store }: MemoryService) =>
  store
    .itemsOf('users')
    .map(toUser)
    .flatMap(({ id, email }): [string, number][] => (email === undefined ? [] : [[FORMS.get(email) ?? email, id]]));

const itemsOf = ({ store }: MemoryService) =>
  store
    .itemsOf('directory')
    .filter(({ pk }) => String(pk).startsWith('email:') && pk !== FLAG_KEY.pk)
    .map(({ pk, id }) => [String(pk).slice('email:'.length), Number(id)]);

/** The users of external ids, by the users and by the items. */
const externalIdsOf = ({ store }: MemoryService) => ({
  users: store
    .itemsOf('users')
    .map(toUser)
    .flatMap(({ id, externalId }) => (externalId ? [[externalId, id]] : [])),
  items: store.itemsOf('directory').flatMap((item) => {
    const value = valueIn(EXTERNAL_ID, item);
    return value === undefined ? [] : [[value, Number(item.id)]];
  }),
});

/** Each user with an address or an external id has its item, nobody else has one, and none has two users. */
function expectWhole(service: MemoryService): void {
  const addresses = addressesOf(service);
  expect(itemsOf(service).toSorted()).toEqual(addresses.toSorted());
  expect(new Set(addresses.map(([address]) => address)).size).toBe(addresses.length);
  const { users, items } = externalIdsOf(service);
  expect(items.toSorted()).toEqual(users.toSorted());
  expect(new Set(users.map(([externalId]) => externalId)).size).toBe(users.length);
}

const start = (uniqueEmails = true) => serviceOn.memory({ uniqueEmails });

const putInto = ({ database: { dynamo, tables } }: MemoryService, table: keyof typeof tables, Item: object) =>
  dynamo.send(new PutCommand({ TableName: tables[table], Item }));

test('however writers, lost answers and a making of items meet, an address or external id has one user, and is free at once when she leaves it', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(WRITERS, fc.scheduler(), fc.infiniteStream(fc.nat(9)), async (writers, scheduler, chance) => {
      const service = start();
      const ids = [(await service.users.create({ name: 'First' })).id];
      const { users } = service.processOf(async ({ command }, execute) => {
        await scheduler.schedule(Promise.resolve());
        const response = await execute();
        // The same transaction comes again.
        if (command === 'TransactWriteCommand' && chance.next().value === 0) await execute();
        return response;
      });
      const idOf = (who: number) => ids[who % ids.length] ?? 0;
      const run = async ({ does, email, externalId, who }: (typeof writers)[number][number]) => {
        const fields = pickFields({ name: 'Ann', email, externalId });
        if (does === 'create') ids.push((await users.create(fields)).id);
        else if (does === 'create once') await users.createOnce({ key: JSON.stringify([who, fields]), fields });
        else if (does === 'update') await users.update(idOf(who), () => fields);
        else if (does === 'delete') await users.delete(idOf(who));
        else await users.createWithId(idOf(who), fields);
      };
      const work = writers.map(async (steps) => {
        for (const step of steps)
          await run(step).then(
            () => outcomes.add('written'),
            // An id of this very millisecond may be ahead of the clock.
            ({ code }) => code === 'impossible-id' || outcomes.add(code),
          );
      });
      const beside = service.databaseOf(async (_, execute) => scheduler.schedule(Promise.resolve()).then(execute));
      await scheduler.waitFor(Promise.all([...work, fillEmails(beside), fillUnique(beside, EXTERNAL_ID)]));
      expectWhole(service);
    }),
    { numRuns: 150 * TIMES },
  );
  expect([...outcomes].toSorted()).toEqual([
    ...['email-taken', 'external-id-taken', 'user-exists', 'user-not-found', 'written'],
  ]);
});

test('a stage with users takes no address until all have their items, and says who must change first', async () => {
  const before = start(false);
  const ann = await before.users.create({ name: 'Ann', email: 'ann@example.com' });
  const twin = await before.users.create({ name: 'Twin', email: 'ANN@example.com' });
  const users = createUserStore({ ...before.database, uniqueEmails: true });
  const bea = { name: 'Bea', email: 'bea@example.com' };
  await expect(users.create(bea)).rejects.toMatchObject({ status: 503 });
  await users.update(ann.id, (user) => ({ ...user, age: 5 }));
  const { id } = await users.create({ name: 'Nobody' });
  expect(await fillEmails(before.database)).toEqual({ sharing: [[ann.id, twin.id]], made: 0, deleted: 0 });
  expect(itemsOf(before)).toEqual([]);
  // An item of an earlier time, when addresses were unique, too. Its user has left the address since.
  await putInto(before, 'directory', { ...uniqueKey(EMAIL, 'ann@example.com'), id });
  await users.delete(twin.id);
  expect(await fillEmails(before.database)).toEqual({ sharing: [], made: 1, deleted: 0 });
  await expect(users.update(id, () => ({ name: 'Twin', email: 'ANN@EXAMPLE.COM' }))).rejects.toMatchObject({
    code: 'email-taken',
    message: 'There is a user with this email',
  });
  await users.create(bea);
  expectWhole(before);
});

test('a stage whose addresses an earlier version compared otherwise takes none until all have their items anew', async () => {
  const before = start(false);
  const put = (item: object) => putInto(before, 'directory', item);
  const quoted = { name: 'Eve', email: '"eve"@example.com' };
  const [eve, fan] = [await before.users.create(quoted), await before.users.create({ name: 'Fan' })];
  await put({ ...uniqueKey(EMAIL, quoted.email), id: eve.id });
  await put({ ...FLAG_KEY, sk: '-' });
  const users = createUserStore({ ...before.database, uniqueEmails: true });
  for (const write of [
    () => users.create({ name: 'Bea', email: 'bea@b\u00fccher.example' }),
    () => users.update(fan.id, () => ({ name: 'Fan', email: 'eve@example.com' })),
  ])
    await expect(write()).rejects.toMatchObject({ status: 503 });
  await users.update(eve.id, () => ({ ...quoted, name: 'Eva' }));
  expect(await fillEmails(before.database)).toEqual({ sharing: [], made: 1, deleted: 1 });
  expect(await hasFlag(before.database)).toBe(true);
  await expect(users.create({ name: 'Bea', email: 'EVE@example.com' })).rejects.toMatchObject({ code: 'email-taken' });
  await users.update(eve.id, () => ({ name: 'Eve' }));
  await users.create(quoted);
  expectWhole(before);
  expect(await forgetEmails(before.database)).toBe(1);
  expect(itemsOf(before)).toEqual([]);
});

test('an external id that a version without the field has left out is its user’s still, and free for others once the items are made anew', async () => {
  const service = start(false);
  const [ann, bea] = [
    { name: 'Ann', externalId: 'a|1' },
    { name: 'Bea', externalId: 'a|2' },
  ];
  const ids = [(await service.users.create(ann)).id, (await service.users.create(bea)).id] as const;
  for (const id of ids) await putInto(service, 'users', { entity: 'user', id, version: 2, name: 'Old' });
  await service.users.update(ids[0], () => ann);
  for (const write of [() => service.users.create(bea), () => service.users.upsert(bea.externalId, bea, () => {})])
    await expect(write()).rejects.toMatchObject({ code: 'external-id-taken' });
  expect(await fillUnique(service.database, EXTERNAL_ID)).toEqual({ sharing: [], made: 0, deleted: 1 });
  await service.users.create(bea);
  expectWhole(service);
});

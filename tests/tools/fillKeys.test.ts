import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { fillKeys } from '../../lib/users/rebuild/fillKeys.ts';
import { askPage } from '../support/questions.ts';
import { serviceOn, type TestService } from '../support/service.ts';

/** Makes a user as it was stored before the field of a key existed. */
const forgetKeys = ({ dynamo, tables }: TestService, id: number) =>
  dynamo.send(new UpdateCommand({ TableName: tables.users, Key: { id }, UpdateExpression: 'REMOVE aKey, eKey' }));

const agesOf = async ({ listing }: TestService): Promise<(number | undefined)[]> => {
  const { page } = await askPage(listing, { sort: [{ property: 'age', direction: 'asc' }], size: 50 });
  return page.content.map(({ age }) => age);
};

async function filled(ages: number[]) {
  const service = await serviceOn.embedded();
  const users = await service.users.createMany(ages.map((age) => ({ name: `n${age}`, age })));
  await service.fold();
  return { service, ids: users.map(({ id }) => id) };
}

test('users get the keys that they lack, and are otherwise unchanged', async () => {
  const { service, ids } = await filled([3, 1, 2, 4]);
  for (const id of ids.slice(0, 3)) await forgetKeys(service, id);
  expect(await agesOf(service)).toEqual([4]);
  expect(await fillKeys(service)).toBe(3);
  expect(await agesOf(service)).toEqual([1, 2, 3, 4]);
  for (const id of ids) expect(await service.users.get(id)).toMatchObject({ id, version: 1 });
  expect(await fillKeys(service)).toBe(0);
});

test('users who are written or deleted at the same time stay as they were written or deleted', async () => {
  const { service, ids } = await filled(Array.from({ length: 40 }, (_, n) => n));
  for (const id of ids) await forgetKeys(service, id);
  const [first = 0, ...others] = ids;
  const write = async () => {
    for (const id of others.slice(0, 20)) await service.users.update(id, (user) => ({ ...user, age: 100 }));
    await service.users.delete(first);
  };
  await Promise.all([fillKeys(service), write()]);
  await service.fold();
  const unchanged = Array.from({ length: 19 }, (_, n) => n + 21);
  expect(await agesOf(service)).toEqual([...unchanged, ...Array<number>(20).fill(100)]);
});

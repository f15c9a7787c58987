import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { people } from '../../bench/people.ts';
import { userItem } from '../../lib/users/userItem.ts';
import { isAllRight, verify } from '../../lib/users/verify/verify.ts';
import { loadUsers } from '../../tools/local/loadUsers.ts';
import { askAfter, askNames, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

const USERS = 150;

// Which differences are found is in unit/users/verify/verify.test.ts, over a store in memory.
test('a verification of a real store finds what lists have otherwise, and repairs it while others write', async () => {
  const service = await serviceOn.embedded();
  const { dynamo, tables, users, fold, listing } = service;
  await loadUsers(service, people(1), { users: USERS });
  const [changed, gone] = (await askAfter(listing, {}, 0, 2)).users.map(({ id }) => id);
  await dynamo.send(
    new PutCommand({ TableName: tables.users, Item: userItem({ id: changed ?? 0, version: 1, name: 'Ann' }) }),
  );
  await dynamo.send(new DeleteCommand({ TableName: tables.users, Key: { id: gone } }));
  const found = await verify(service);
  expect(found).toMatchObject({ users: USERS - 1, differences: [{ id: changed }, { id: gone }], repaired: false });
  expect(isAllRight(found)).toBe(false);
  const writing = Promise.all(
    Array.from({ length: 5 }, async (_, writer) => {
      for (let n = 0; n < 4; n++) await users.create({ name: `Writer ${writer}` });
    }),
  );
  const [report] = await Promise.all([verify(service, { repair: true }), writing]);
  expect(report.repaired).toBe(true);
  await fold();
  expect(await verify(service)).toMatchObject({ users: USERS + 19, ...NOTHING_WRONG });
  expect(await askNames(listing, { size: 1 })).toMatchObject({ total: USERS + 19 });
});

import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import { represent, type UserFields } from '../../../../lib/users/user.ts';
import { loadUsers } from '../../../../tools/local/loadUsers.ts';
import type { ModelQuery, ModelUser } from '../../../support/model.ts';
import { askPage, expectPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';
import { only } from '../../../support/tinySizes.ts';

test('a walk to one of three reads at once a few users more than it expects', async () => {
  const { database: loaded, databaseOf } = serviceOn.memory({ sizes: { ...only('walk'), partUnits: 100 } });
  const users = Array.from({ length: 300 }, (_, n) => ({ name: `n${n}`, status: n % 3 === 0 ? 'wanted' : 'other' }));
  await loadUsers(loaded, users.values(), { users: users.length });
  const limits: number[] = [];
  const database = databaseOf((call, execute) => {
    const { IndexName, Limit } = call.input as { IndexName?: string; Limit?: number };
    if (IndexName === 'byName') limits.push(Limit ?? 0);
    return execute();
  });
  const sort = [{ property: 'name' as const, direction: 'asc' as const }];
  const { page } = await askPage(createUserListing(database), { status: 'wanted', sort, page: 0, size: 20 });
  expect(page.content).toHaveLength(20);
  // 60 are expected. 22 more are read, and in a short query four more for what the journal may change.
  expect(limits).toEqual([86]);
});

test('a walk that ends within many equal values asks for these in the rest of the order', async () => {
  const { users, listing, fold } = serviceOn.memory({ sizes: only('walk') });
  const all = await users.createMany(
    Array.from({ length: 500 }, (_, n) => ({
      name: `n${n}`,
      age: n < 10 ? 20 : 30,
      status: n % 3 ? 'other' : 'wanted',
    })),
  );
  await fold();
  const sort = [
    { property: 'age' as const, direction: 'asc' as const },
    { property: 'name' as const, direction: 'desc' as const },
  ];
  const { plan } = await expectPage(listing, all.map(represent) as ModelUser[], {
    status: 'wanted',
    sort,
    page: 1,
    size: 20,
  });
  expect(plan).toMatch(/^walk byAge, walk/);
});

test('a search does not read users whose names are in other scripts', async () => {
  const { database, databaseOf } = serviceOn.memory();
  const given = Array.from({ length: 500 }, (_, n): UserFields => {
    const isLatin = n % 5 === 0;
    return { name: `${isLatin ? 'ö' : n % 2 === 0 ? 'ж' : '鈴'} ${n}`, lastName: isLatin ? `a${n}` : 'ж' };
  });
  await loadUsers(database, given.values(), { users: given.length });
  let read = 0;
  const counting = databaseOf(async ({ input }, execute) => {
    const output = (await execute()) as { Items?: unknown[] };
    if ((input as QueryCommandInput).IndexName) read += output.Items?.length ?? 0;
    return output;
  });
  const asked = { keyword: 'a', sort: [{ property: 'name', direction: 'desc' }], page: 0, size: 20 } as ModelQuery;
  const { page } = await askPage(createUserListing(counting), asked);
  const matching = given.filter(({ lastName }) => lastName?.startsWith('a'));
  const names = matching
    .map(({ name }) => name)
    .sort()
    .reverse();
  expect(page.content.map(({ name }) => name)).toEqual(names.slice(0, 20));
  // 400 others come first in this order.
  expect(read).toBeLessThan(250);
});

import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createUserListing } from '../../../../lib/users/listing/listing.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { loadUsers } from '../../../../tools/local/loadUsers.ts';
import type { ModelQuery } from '../../../support/model.ts';
import { askPage } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

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

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { checkUser } from '../../../../lib/http/request/userBody.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import { people } from '../../../../tools/samples/people.ts';

const take = (count: number, seed = 1): UserFields[] => {
  const source = people(seed);
  return Array.from({ length: count }, () => source.next().value);
};

/** People, enough that there are some with each rare kind of name. */
const USERS = take(20_000);

test('people are the same for the same seed', () => {
  const hash = createHash('sha256').update(JSON.stringify(USERS)).digest('hex');
  expect(hash).toBe('0445a56147fb359da5f50962c3b3569d1c4022be92fa8a54891b6977a01b3fd5');
  expect(take(3, 2)).not.toEqual(take(3, 1));
  expect(take(100)).toEqual(USERS.slice(0, 100));
});

test('people are valid users', () => {
  for (const user of USERS) if (checkUser(user) !== user) throw new Error(`${user.name} was changed`);
});

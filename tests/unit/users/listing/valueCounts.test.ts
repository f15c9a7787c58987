import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EXACT_FIELDS, type ExactField } from '../../../../lib/users/fields.ts';
import { decodeOptional } from '../../../../lib/users/keys.ts';
import { MAX_COUNTS, type ValueCounts } from '../../../../lib/users/listing/valueCounts.ts';
import { toUser } from '../../../../lib/users/userItem.ts';
import { loadUsers } from '../../../../tools/local/loadUsers.ts';
import { countries, statuses, userFields } from '../../../support/arbitraries.ts';
import { serviceOn } from '../../../support/service.ts';
import { TINY } from '../../../support/tinySizes.ts';

const BY: ExactField[][] = [[], ['status'], ['country'], ['status', 'country'], ['country', 'status']];

const someOf = (values: readonly string[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values, 'nobody'), { minLength: 1, maxLength: 3 }), { nil: undefined });

const filters = fc.record({ status: someOf(statuses), country: someOf(countries) });

test('users are counted by their values as a plain count does, within values, before and after a fold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(userFields, { maxLength: 40 }), filters, async (people, { status, country }) => {
      const service = serviceOn.memory({ sizes: TINY });
      await service.users.createMany(people);
      for (const isFolded of [false, true]) {
        if (isFolded) await service.fold();
        const matching = service.store
          .itemsOf('users')
          .map(toUser)
          .filter(
            (user) => (status?.includes(user.status ?? '') ?? true) && (country?.includes(user.country ?? '') ?? true),
          );
        for (const by of BY) {
          const found = (await service.listing.counts({ filters: { status, country }, by })) as ValueCounts;
          const plain = Map.groupBy(matching, (user) => JSON.stringify(by.map((field) => user[field] ?? null)));
          const shown = found.counts.map(({ values, total }): [string, number] => [
            JSON.stringify(by.map((field) => decodeOptional(values[field] ?? '') ?? null)),
            total,
          ]);
          const expected = by.length === 0 ? [] : [...plain].map(([name, users]) => [name, users.length]);
          expect([found.total, found.others]).toEqual([matching.length, 0]);
          expect(shown.toSorted()).toEqual(expected.toSorted());
          const sizes = shown.map(([, count]) => count);
          expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        }
      }
    }),
    { numRuns: 20 },
  );
});

test('beyond a thousand values users are counted together, and their tag is the one of the lists', async () => {
  const service = serviceOn.memory();
  const many = Array.from({ length: MAX_COUNTS + 20 }, (_, n) => ({ name: 'Ann', status: `status ${n}` }));
  const users = [...many, ...many.slice(0, 5)];
  await loadUsers(service.database, users.values(), { users: users.length });
  const { tag, ...found } = (await service.listing.counts({ filters: {}, by: [...EXACT_FIELDS] })) as ValueCounts & {
    tag: string;
  };
  expect([found.total, found.counts.length, found.others]).toEqual([MAX_COUNTS + 25, MAX_COUNTS, 20]);
  expect(found.counts.slice(0, 6).map(({ total }) => total)).toEqual([2, 2, 2, 2, 2, 1]);
  expect(await service.listing.after({ filters: {}, after: 0, size: 1 })).toMatchObject({ tag });
});

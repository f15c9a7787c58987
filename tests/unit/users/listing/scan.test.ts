import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../../../lib/users/database.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { scan } from '../../../../lib/users/listing/scan.ts';
import { createView } from '../../../../lib/users/listing/view.ts';
import type { User, UserFields } from '../../../../lib/users/user.ts';
import { listBy } from '../../../support/listBy.ts';
import { serviceOn } from '../../../support/service.ts';

const TINY = { nodeBytes: 60, segmentUsers: 4, sumUsers: 9, nearUsers: 1 };

const people = (...names: string[]): UserFields[] => names.map((name) => ({ name }));

const viewOf = (database: Database) => withJournal(database, async (journal) => createView(database, journal));

const namesOf = (users: readonly User[]): string => users.map(({ name }) => name).join(' ');

const NAMES = { list: listBy('name') };

describe('a scan of a list', () => {
  test.each([
    ['nobody knows how many', Number.POSITIVE_INFINITY, [undefined, undefined, undefined, undefined]],
    ['nine', 9, [9, 3, 6, 12]],
  ])('goes on after a page that DynamoDB cuts, if %s are expected', async (_, expected, limits) => {
    const { users, fold, databaseOf } = serviceOn.memory({ sizes: TINY, itemsPerPage: 6 });
    await users.createMany(people(...Array.from({ length: 20 }, (_, i) => `n${i}`)));
    await fold();
    const asked: unknown[] = [];
    const database = databaseOf(({ input }, execute) => {
      const { IndexName, Limit } = input as QueryCommandInput;
      if (IndexName) asked.push(Limit);
      return execute();
    });
    let found = 0;
    for await (const page of scan(await viewOf(database), NAMES, { direction: 'asc', expected })) found += page.length;
    expect(found).toBe(20);
    expect(asked).toEqual(limits);
  });

  test('reads the journal again between two pages, and never after the last', async () => {
    const { users, fold, database } = serviceOn.memory({ sizes: TINY });
    await users.createMany(people('a', 'b', 'c', 'd'));
    await fold();
    const seen = await viewOf(database);
    let renewed = 0;
    const renew = async () => {
      renewed++;
      if (renewed === 1) await users.createMany(people('a2', 'c2'));
      seen.journal = await withJournal(database, async (journal) => journal);
      return true;
    };
    const pages: string[] = [];
    for await (const some of scan(seen, NAMES, { direction: 'asc', expected: 2, most: 2, renew }))
      pages.push(namesOf(some));
    // `a2` belongs to a page that has been given.
    expect(pages.filter((page) => page !== '')).toEqual(['a b', 'c c2', 'd']);
    expect(renewed).toBe(2);
  });
});

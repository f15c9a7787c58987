import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import type { Direction } from '../../../../lib/users/listing/order.ts';
import { scan } from '../../../../lib/users/listing/scan.ts';
import { createView, type View } from '../../../../lib/users/listing/view.ts';
import type { Range } from '../../../../lib/users/lists.ts';
import type { User, UserFields } from '../../../../lib/users/user.ts';
import { listBy } from '../../../support/listBy.ts';
import { serviceOn } from '../../../support/service.ts';

const TINY = { nodeBytes: 60, segmentUsers: 4, sumUsers: 9, nearUsers: 1 };

const people = (...names: string[]): UserFields[] => names.map((name) => ({ name }));

function setUpView() {
  const service = serviceOn.memory({ sizes: TINY });
  const view = () => withJournal(service.database, async (journal) => createView(service.database, journal));
  return { ...service, view };
}

const namesOf = (users: readonly User[]): string => users.map(({ name }) => name).join(' ');

const byName = (range: Range = {}) => ({ list: listBy('name'), ...range });

async function pagesOf(view: View, range: Range, direction: Direction, expected: number, most?: number) {
  const pages: string[] = [];
  const options = { direction, expected, ...(most !== undefined && { most }) };
  for await (const users of scan(view, byName(range), options)) pages.push(namesOf(users));
  return pages;
}

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
    const seen = await withJournal(database, async (journal) => createView(database, journal));
    await pagesOf(seen, {}, 'asc', expected);
    expect(asked).toEqual(limits);
  });

  test('reads the journal again between two pages, and never after the last', async () => {
    const { users, fold, view, database } = setUpView();
    await users.createMany(people('a', 'b', 'c', 'd'));
    await fold();
    const seen = await view();
    let renewed = 0;
    const renew = async () => {
      renewed++;
      if (renewed === 1) await users.createMany(people('a2', 'c2'));
      seen.journal = await withJournal(database, async (journal) => journal);
      return true;
    };
    const pages: string[] = [];
    for await (const some of scan(seen, byName(), { direction: 'asc', expected: 2, most: 2, renew }))
      pages.push(namesOf(some));
    // `a2` belongs to a page that has been given.
    expect(pages.filter((page) => page !== '')).toEqual(['a b', 'c c2', 'd']);
    expect(renewed).toBe(2);
  });
});

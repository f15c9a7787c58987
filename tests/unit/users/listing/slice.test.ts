import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { sizeOf } from '../../../../lib/users/listing/ranks.ts';
import { usersAt } from '../../../../lib/users/listing/slice.ts';
import { createView } from '../../../../lib/users/listing/view.ts';
import { rangeOfText, type Span } from '../../../../lib/users/lists.ts';
import type { User } from '../../../../lib/users/user.ts';
import { listBy } from '../../../support/listBy.ts';
import { type MemoryService, serviceOn } from '../../../support/service.ts';

const SIZES = { nodeBytes: 60, segmentUsers: 8, sumUsers: 24, nearUsers: 2 };
const MANY = 48;

const nameOf = (n: number): string => `n${String(n).padStart(2, '0')}`;
const statusOf = (n: number): string => ['a', 'b', 'b', 'c'][n % 4] ?? '';

/** The numbers of the users of each span, in its order. */
const numbers = Array.from({ length: MANY }, (_, n) => n);
const SPANS: [what: string, span: Span, numbers: number[]][] = [
  ['a whole list', { list: listBy('name') }, numbers],
  ['a range of a list', { list: listBy('name'), from: nameOf(5), to: nameOf(27) }, numbers.slice(5, 27)],
  ['a list from a key on', { list: listBy('name'), from: nameOf(11) }, numbers.slice(11)],
  ['a list up to a key', { list: listBy('name'), to: nameOf(23) }, numbers.slice(0, 23)],
  [
    'the users of one value',
    { list: listBy('status'), ...rangeOfText('b\0b') },
    numbers.filter((n) => statusOf(n) === 'b'),
  ],
  ['the users of one text', { list: listBy('lastName'), ...rangeOfText('lee') }, numbers],
];

let service: MemoryService;

beforeAll(async () => {
  service = serviceOn.memory({ sizes: SIZES });
  for (const n of numbers) {
    await service.users.create({ name: nameOf(n), lastName: 'Lee', status: statusOf(n) });
    if (n % 4 === 3) await service.fold();
  }
});

/** What a view gives, and how many users it has read in lists for it. */
async function reading<Result>(ask: (view: ReturnType<typeof createView>) => Promise<Result>) {
  let read = 0;
  const database = service.databaseOf(async ({ input }, execute) => {
    const output = (await execute()) as { Items?: unknown[] };
    if ((input as QueryCommandInput).IndexName) read += output.Items?.length ?? 0;
    return output;
  });
  const result = await withJournal(database, (journal) => ask(createView(database, journal)));
  return { result, read };
}

const told = (users: readonly User[] | undefined) => users?.map(({ name }) => Number(name.slice(1)));

describe.each(SPANS)('a slice of %s', (_, span, expected) => {
  const total = expected.length;

  test('knows how many users there are', async () => {
    expect((await reading((view) => sizeOf(view, span))).result).toBe(total);
  });

  test.each([1, 3, 7])('has the users at all places, %i at a time, and reads few others', async (size) => {
    for (let start = 0; start < total; start++) {
      const end = Math.min(total, start + size);
      const { result, read } = await reading((view) => usersAt(view, span, {}, total, [start, end]));
      expect(told(result)).toEqual(expected.slice(start, end));
      const isNear = start <= SIZES.nearUsers || total - end <= SIZES.nearUsers;
      // Of a segment the part up to the page is read, from the nearer end, and of the one that a range begins in.
      if (isNear) expect(read).toBeLessThanOrEqual(Math.min(end, total - start) + 1);
      else
        expect(read).toBeLessThanOrEqual(
          size + SIZES.segmentUsers / 2 + (span.from === undefined ? 0 : SIZES.segmentUsers),
        );
    }
  });
});

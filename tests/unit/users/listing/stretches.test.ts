import { describe, expect, test } from 'vitest';
import type { UsersIndex } from '../../../../lib/users/indexes.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import type { Direction } from '../../../../lib/users/listing/order.ts';
import { canLeaveOut, type KeyRange, stretchesWith } from '../../../../lib/users/listing/stretches.ts';
import { createView, type View } from '../../../../lib/users/listing/view.ts';
import type { Segment } from '../../../../lib/users/statistics/segments.ts';
import { setUp } from '../../../support/fake/setUp.ts';
import { listBy } from '../../../support/listBy.ts';

const FIRST = '\0';
const WHOLE: KeyRange = { low: undefined, high: undefined };

const LIST = listBy('name');

const segment = (from: string, users: number, counts: Record<string, number> = {}): Segment => ({
  from,
  users,
  byScript: new Map(Object.entries(counts).map(([script, n]) => [`in ${script}`, n])),
});

interface Given {
  users: number;
  segments?: readonly Segment[];
  sums?: readonly Segment[];
}

/** A view of a list with given segments, of which up to 21 users have few segments. It notes which it is asked for. */
async function viewOf({ users, segments = [], sums = [] }: Given) {
  const { database } = setUp({ segmentUsers: 4, fewSegments: 10 });
  const asked: string[] = [];
  const view: View = {
    ...(await withJournal(database, async (journal) => createView(database, journal))),
    total: async () => users,
    sums: async () => {
      asked.push('sums');
      return [...sums];
    },
    segments: async (_, from, to) => {
      asked.push(`segments from ${from === FIRST ? 'the first' : from} to ${to ?? 'the last'}`);
      return segments.filter((each) => each.from >= from && (to === undefined || each.from < to));
    },
  };
  return { view, asked };
}

async function stretches(given: Given, keyword: string, range = WHOLE, direction: Direction = 'asc') {
  const { view, asked } = await viewOf(given);
  const found: KeyRange[] = [];
  for await (const stretch of stretchesWith(view, LIST, keyword, range, direction)) found.push(stretch);
  return { found, asked };
}

const found = async (...question: Parameters<typeof stretches>) => (await stretches(...question)).found;

/** 19 users: cyrillic, latin, latin, none, latin. */
const SEGMENTS: Given = {
  users: 19,
  segments: [
    segment(FIRST, 4, { cyrillic: 4 }),
    segment('b', 4, { latin: 1, cyrillic: 3 }),
    segment('d', 4, { latin: 4 }),
    segment('f', 4),
    segment('h', 3, { latin: 3 }),
  ],
};

describe('the stretches of a list that can have a keyword', () => {
  test('are the segments with its script, joined where they meet', async () => {
    expect(await found(SEGMENTS, 'a')).toEqual([
      { low: 'b', high: 'f' },
      { low: 'h', high: undefined },
    ]);
    expect(await found(SEGMENTS, 'ж')).toEqual([{ low: undefined, high: 'd' }]);
  });

  test('come from the end in the other direction', async () => {
    expect(await found(SEGMENTS, 'a', WHOLE, 'desc')).toEqual([
      { low: 'h', high: undefined },
      { low: 'b', high: 'f' },
    ]);
    expect(await found(SEGMENTS, 'ж', WHOLE, 'desc')).toEqual([{ low: undefined, high: 'd' }]);
  });

  test('have all scripts of a keyword of several', async () => {
    expect(await found(SEGMENTS, 'жa1')).toEqual([{ low: 'b', high: 'd' }]);
  });

  test('are none if nobody has its script', async () => {
    expect(await found(SEGMENTS, '鈴')).toEqual([]);
  });

  test.each([
    [
      { low: 'c', high: 'i' },
      [
        { low: 'c', high: 'f' },
        { low: 'h', high: 'i' },
      ],
    ],
    [
      { low: 'e', high: undefined },
      [
        { low: 'e', high: 'f' },
        { low: 'h', high: undefined },
      ],
    ],
    [{ low: undefined, high: 'e' }, [{ low: 'b', high: 'e' }]],
    [{ low: 'd1', high: 'd2' }, [{ low: 'd1', high: 'd2' }]],
    [{ low: 'k', high: undefined }, [{ low: 'k', high: undefined }]],
    [{ low: undefined, high: 'a' }, []],
    [{ low: 'g', high: 'g9' }, []],
  ])('begin and end with the range %j', async (range, expected) => {
    expect(await found(SEGMENTS, 'a', range)).toEqual(expected);
    expect(await found(SEGMENTS, 'a', range, 'desc')).toEqual(expected.toReversed());
  });

  test('are the whole range while the segments do not add up', async () => {
    expect(await found({ ...SEGMENTS, users: 18 }, 'a', { low: 'c', high: 'g' })).toEqual([{ low: 'c', high: 'g' }]);
    expect(await found({ ...SEGMENTS, users: 20 }, '鈴')).toEqual([WHOLE]);
    expect(await found({ users: 19 }, '鈴')).toEqual([WHOLE]);
  });

  test('are found without sums in a list that has few segments', async () => {
    expect((await stretches(SEGMENTS, 'a')).asked).toEqual(['segments from the first to the last']);
  });

  test('are the whole range of a list that is not cut, of which nothing is read', async () => {
    expect(await stretches({ users: 4 }, 'a')).toEqual({ found: [WHOLE], asked: [] });
    expect(await stretches({ users: 0 }, 'a')).toEqual({ found: [], asked: [] });
  });
});

/** 38 users, so that sums are worth reading. */
const SUMS: Given = {
  users: 38,
  sums: [
    segment(FIRST, 14, { latin: 2, cyrillic: 10 }),
    segment('m', 8, { latin: 4, cyrillic: 4 }),
    segment('s', 10, { cyrillic: 9 }),
    segment('v', 6, { latin: 1, cyrillic: 1 }),
  ],
  segments: [
    segment(FIRST, 4, { cyrillic: 4 }),
    segment('d', 4, { latin: 1, cyrillic: 2 }),
    // Has grown, and is not cut yet.
    segment('g', 6, { latin: 1, cyrillic: 4 }),
    segment('m', 4, { latin: 4 }),
    segment('p', 4, { cyrillic: 4 }),
    segment('s', 10, { cyrillic: 9 }),
    segment('v', 3, { latin: 1 }),
    segment('y', 3, { cyrillic: 1 }),
  ],
};

describe('the stretches of a list with sums', () => {
  test('are looked for in sums with many users of other scripts, and joined with their neighbours', async () => {
    expect(await stretches(SUMS, 'a')).toEqual({
      // The second sum has as many others as one segment: it is read as it is.
      found: [
        { low: 'd', high: 's' },
        { low: 'v', high: 'y' },
      ],
      asked: ['sums', 'segments from the first to m', 'segments from v to the last'],
    });
  });

  test('come from the end in the other direction', async () => {
    expect(await stretches(SUMS, 'a', WHOLE, 'desc')).toEqual({
      found: [
        { low: 'v', high: 'y' },
        { low: 'd', high: 's' },
      ],
      asked: ['sums', 'segments from v to the last', 'segments from the first to m'],
    });
  });

  test('are not looked for in sums outside of the range', async () => {
    expect(await stretches(SUMS, 'a', { low: 'n', high: 'u' })).toEqual({
      found: [{ low: 'n', high: 's' }],
      asked: ['sums'],
    });
    expect(await stretches(SUMS, 'a', { low: 'e', high: 'f' })).toEqual({
      found: [{ low: 'e', high: 'f' }],
      asked: ['sums', 'segments from the first to m'],
    });
  });

  test('are the whole sum whose segments do not add up', async () => {
    const segments = SUMS.segments?.filter(({ from }) => from !== 'd') ?? [];
    expect(await found({ ...SUMS, segments }, 'a')).toEqual([
      { low: undefined, high: 's' },
      { low: 'v', high: 'y' },
    ]);
  });

  test('are the whole range while the sums do not add up', async () => {
    const sums = SUMS.sums?.filter(({ from }) => from !== 's') ?? [];
    expect(await found({ ...SUMS, sums }, 'a')).toEqual([WHOLE]);
  });

  test('are found in the segments of a list that has no sums yet', async () => {
    expect(await stretches({ ...SUMS, sums: [] }, 'a')).toEqual({
      found: [
        { low: 'd', high: 'p' },
        { low: 'v', high: 'y' },
      ],
      asked: ['sums', 'segments from the first to the last'],
    });
  });
});

describe('stretches can be left out', () => {
  test('if the keyword has letters', () => {
    expect(canLeaveOut(LIST, 'a')).toBe(true);
    expect(canLeaveOut(LIST, '1ж')).toBe(true);
    expect(canLeaveOut(LIST, '1-2')).toBe(false);
    expect(canLeaveOut(LIST, '')).toBe(false);
    expect(canLeaveOut(LIST, undefined)).toBe(false);
  });

  test('of a list in the order of texts: no other counts scripts', () => {
    const by = (order: UsersIndex['order']) => canLeaveOut(listBy(order), 'a');
    expect([by('lastName'), by('email'), by('id'), by('age')]).toEqual([true, true, false, false]);
  });

  test('of a whole list, not of a run of it', () => {
    expect(canLeaveOut({ ...LIST, text: 'ann' }, 'a')).toBe(false);
  });
});

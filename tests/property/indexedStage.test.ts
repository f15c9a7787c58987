import { describe, expect, test } from 'vitest';
import { everyOrderOf, type Rule, type Size, type Write } from '../support/indexedStage.ts';

const PUT: Write = ['a', true];
const DELETE: Write = ['a', false];

/** Each has thousands of states. The index is looked at in all of them. */
const SIZES = {
  'calls that arrive once more, or late': { writes: [PUT, DELETE], late: 1 },
  'two users': { writes: [PUT, ['b', false]] },
  'two folds': { writes: [PUT], folds: 2 },
  'two processes that fill the index': { writes: [PUT, DELETE], indexers: 2, late: 1, isListed: false },
  'an index that is lost': { writes: [DELETE], lost: 1 },
  'a creation, and two processes that copy': {
    ...{ writes: [PUT], created: ['a'] },
    ...{ folds: 0, indexers: 2, isCopied: true },
  },
  'a copy that is lost': { writes: [PUT], created: ['a'], lost: 1, isCopied: true, isListed: false },
  'two copies beside an index that is there, and late calls that begin one': {
    ...{ writes: [PUT], folds: 0, anew: 2, late: 2, isListed: false },
  },
  'a creation, and late calls of who makes another index': { writes: [PUT], created: ['a'], lost: 1, late: 1 },
  'an index that is lost, and late calls': { writes: [DELETE, PUT], lost: 1, late: 1, isListed: false },
  'deltas that are swept': { writes: [DELETE, PUT], late: 1, isSwept: true, isListed: false },
  'an hour that passes beside a late call': { writes: [PUT, DELETE], hours: 1, late: 1, isListed: false },
  'an hour that passes beside who fills the index': { writes: [PUT, DELETE], hours: 1, indexers: 2, isListed: false },
} satisfies Record<string, Size>;

describe('in every order of the calls of a stage whose lists come from an index', () => {
  test.each(Object.entries(SIZES))('lists are exact, and the index shows what its place says: %s', (_, size) => {
    const { states, violation } = everyOrderOf(size);
    expect(violation).toBeUndefined();
    expect(states).toBeGreaterThan(2_000);
  });

  test.each<[Rule, keyof typeof SIZES, wrong: RegExp]>([
    ['a document has a version from outside', 'deltas that are swept', /older than its place/],
    [
      'who was deleted is remembered for longer than a call is late',
      'an hour that passes beside a late call',
      /older than its place/,
    ],
    [
      'a process that has slept for an hour puts nothing',
      'an hour that passes beside who fills the index',
      /older than its place/,
    ],
    ['the place of an index never goes back', 'deltas that are swept', /delta \d is gone/],
    ['deltas stay until the index has them', 'deltas that are swept', /delta \d is gone/],
    ['a batch is put a second after its head was read', 'calls that arrive once more, or late', /list shows/],
    ['what was put is shown before the head says so', 'deltas that are swept', /older than its place/],
    ['the head says nothing that is not put', 'deltas that are swept', /older than its place/],
    ['a document makes no index', 'an index that is lost, and late calls', /older than its place/],
    ['the epoch is noted before the table is read', 'an index that is lost', /older than its place/],
    ['an index takes no rows of a copy that has ended', 'a creation, and two processes that copy', /list shows/],
    [
      'a late call begins no copy into the index of lists',
      'a creation, and late calls of who makes another index',
      /copied into the index of lists/,
    ],
    ['a copy that is lost is given up', 'a copy that is lost', /no way back/],
    [
      'a copy that takes no more rows is given up',
      'two copies beside an index that is there, and late calls that begin one',
      /no way back/,
    ],
    ['a copy shows its rows before it takes the place', 'an index that is lost', /older than its place/],
    ['the head is read before the entries', 'two users', /another moment/],
    ['a list excludes who has changed', 'two users', /list shows/],
    ['a slow list reads the head again', 'two users', /./],
    ['a batch of which an entry is gone is read from its delta', 'two users', /list shows/],
    ['entries are deleted after their delta is written', 'two users', /delta \d is gone/],
    ['who is deleted is taken out of the index', 'calls that arrive once more, or late', /older than its place/],
  ])('it is seen if a rule is dropped: %s', (rule, name, wrong) => {
    expect(everyOrderOf(SIZES[name], rule).violation?.message).toMatch(wrong);
  });
});

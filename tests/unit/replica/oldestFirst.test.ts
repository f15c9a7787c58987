import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../lib/replica/entry.ts';
import { oldestFirst } from '../../../lib/replica/oldestFirst.ts';

const NOTHING = { pk: '', sk: '', before: undefined, after: undefined };
const entry = (id: number, version: number, at: number): JournalEntry => ({ id, version, at, ...NOTHING });

const nameOf = ({ id, version }: JournalEntry) => `${id} ${version}`;

describe('the order of entries', () => {
  test('follows their moments, then the ids, and the versions of a user even if clocks differ', () => {
    const entries = [entry(1, 2, 10), entry(3, 1, 15), entry(2, 1, 15), entry(1, 1, 20), entry(1, 3, 5)];
    expect(oldestFirst(entries).map(nameOf)).toEqual(['2 1', '3 1', '1 1', '1 2', '1 3']);
  });
});

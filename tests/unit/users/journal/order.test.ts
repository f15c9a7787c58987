import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../../lib/users/journal/entry.ts';
import { oldestFirst } from '../../../../lib/users/journal/order.ts';

const NOTHING = { sk: '', before: undefined, after: undefined };
const entry = (id: number, version: number, at: number): JournalEntry => ({ id, version, at, ...NOTHING });

const nameOf = ({ id, version }: JournalEntry) => `${id} ${version}`;

describe('the order of entries', () => {
  test('follows their moments, and the versions of a user even if clocks differ', () => {
    const entries = [entry(1, 2, 10), entry(2, 1, 15), entry(1, 1, 20), entry(1, 3, 5)];
    expect(oldestFirst(entries).map(nameOf)).toEqual(['2 1', '1 1', '1 2', '1 3']);
  });

  test('is the same for the same entries in any order, and has each entry once', () => {
    const some = fc
      .uniqueArray(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), { selector: ([id, version]) => `${id} ${version}` })
      .map((all) => all.map(([id, version, at]) => entry(id, version, at)))
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(some, ([entries, mixed]) => {
        const sorted = oldestFirst(entries);
        expect(oldestFirst(mixed)).toEqual(sorted);
        expect(sorted.map(nameOf).toSorted()).toEqual(entries.map(nameOf).toSorted());
        for (const { id } of entries) {
          const own = sorted.filter((each) => each.id === id).map(({ version }) => version);
          expect(own).toEqual(own.toSorted((a, b) => a - b));
        }
      }),
    );
  });
});

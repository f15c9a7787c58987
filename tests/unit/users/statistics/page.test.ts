import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodePage, type Entry, encodePage } from '../../../../lib/users/statistics/packing.ts';
import { addDeltas, cut, type Delta, positionOf, trim } from '../../../../lib/users/statistics/page.ts';
import { compareCodePoints } from '../../../../lib/users/text.ts';

/** Keys of one map have the same number of parts: then positions are in the order of the keys. */
const part = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '😀', '\uFFFF'), maxLength: 4 });
const key = fc.tuple(part, part).map((parts) => parts.join('\0'));
const bucket = fc.string({ unit: fc.constantFrom('x', 'y', '\0', 'É', '\u{10FFFF}'), maxLength: 4 });
const count = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 2 ** 48 - 1 }));

const deltas: fc.Arbitrary<Delta[]> = fc.array(fc.record({ key, bucket, n: count }), { maxLength: 400, size: 'max' });

const entries = deltas.map((all) => addDeltas([], all));

/** What is counted, as text. */
const plain = (all: readonly Entry[]) =>
  all.flatMap(({ key, counts }) => [...counts].map(([bucket, n]) => `${key}|${bucket}|${n}`)).sort();

const entry = (key: string, counts: Record<string, number>): Entry => ({
  key,
  counts: new Map(Object.entries(counts)),
});

describe('a page', () => {
  test('names each part of a bucket once, and of each key what differs from the one before', () => {
    const page = encodePage([entry('anna', { 'on\0DE': 1 }), entry('anne', { 'on\0DE': 300, 'on\0FR': 2 })]);
    expect([...page]).toEqual([
      ...[3, 2, 111, 110, 2, 68, 69, 2, 70, 82],
      // Two parts each, two buckets.
      ...[2, 2, 0, 1, 0, 2],
      // One count in a row from the first bucket; then two.
      ...[0, 4, 97, 110, 110, 97, 3, 0, 1],
      ...[3, 1, 101, 5, 0, 172, 2, 2],
    ]);
  });

  test('names the buckets of counts that are not in a row', () => {
    const given = [entry('a', { n: 1, o: 2, p: 3 }), entry('b', { n: 4, p: 5 })];
    expect([...encodePage(given)]).toEqual([
      ...[3, 1, 110, 1, 111, 1, 112, 1, 3, 0, 1, 2],
      ...[0, 1, 97, 7, 0, 1, 2, 3],
      ...[0, 1, 98, 4, 0, 4, 2, 5],
    ]);
    expect(decodePage(encodePage(given))).toEqual(given);
  });

  test('keeps buckets with unequal numbers of parts', () => {
    const given = [entry('a', { n: 1, 'on\0DE': 2 })];
    expect(decodePage(encodePage(given))).toEqual(given);
  });

  test('gives back the entries that were packed, in their order', () => {
    fc.assert(
      fc.property(entries, (given) => {
        expect(decodePage(encodePage(given))).toEqual(given);
      }),
    );
  });

  test('is cut so that the counts with one first part are on neighbouring pages', () => {
    const deltas = ['active', 'locked'].flatMap((status) =>
      Array.from({ length: 100 }, (_, n) => ({ key: 'a', bucket: `${status}\0${n}`, n: 1 })),
    );
    const pieces = cut('a', addDeltas([], deltas), 300, Number.POSITIVE_INFINITY);
    const first = pieces.map(({ entries: [one] }) => [
      ...new Set([...(one?.counts.keys() ?? [])].map((bucket) => bucket.split('\0')[0])),
    ]);
    expect(pieces.length).toBeGreaterThan(4);
    expect(first.filter(({ length }) => length === 2).length).toBeLessThanOrEqual(1);
  });

  test('takes the longest keys and labels that there can be', () => {
    const given = [entry('x'.repeat(1_024), { ['é'.repeat(64)]: 1 }), entry(`${'x'.repeat(1_023)}y`, { '': 2 })];
    expect(decodePage(encodePage(given))).toEqual(given);
  });
});

describe('deltas', () => {
  test('are added to what is there, and what counts nothing is left out', () => {
    const before = [entry('a', { x: 1, y: 2 }), entry('b', { x: 1 })];
    const after = addDeltas(before, [
      { key: 'b', bucket: 'x', n: -1 },
      { key: 'a', bucket: 'y', n: 3 },
      { key: 'a', bucket: 'x', n: -1 },
      { key: 'aa', bucket: '', n: 1 },
    ]);
    expect(after).toEqual([entry('a', { y: 5 }), entry('aa', { '': 1 })]);
    expect(before).toEqual([entry('a', { x: 1, y: 2 }), entry('b', { x: 1 })]);
  });

  test('give the same in any portions, and nothing once all are taken away again', () => {
    fc.assert(
      fc.property(deltas, fc.nat(), (all, at) => {
        const middle = at % (all.length + 1);
        const whole = addDeltas([], all);
        expect(addDeltas(addDeltas([], all.slice(middle)), all.slice(0, middle))).toEqual(whole);
        expect(
          addDeltas(
            whole,
            all.map((delta) => ({ ...delta, n: -delta.n })),
          ),
        ).toEqual([]);
      }),
    );
  });

  test('leave keys in order, and the buckets of each in the order of their positions', () => {
    fc.assert(
      fc.property(entries, (given) => {
        const keys = given.map((each) => each.key);
        expect(keys).toEqual(keys.toSorted(compareCodePoints));
        for (const { key, counts } of given) {
          const positions = [...counts.keys()].map((bucket) => positionOf(key, bucket));
          expect(positions).toEqual(positions.toSorted(compareCodePoints));
        }
      }),
    );
  });
});

/** As large as pages are where the service runs. */
const MAX_PAGE_BYTES = 2_048;
const cutPage = (from: string, given: readonly Entry[]) => cut(from, given, MAX_PAGE_BYTES, 6);

/** Pages are too large to be made smaller step by step when something fails. */
const UNSHRUNK = { endOnFailure: true };

/** A page that must be split: many keys, or one key with many buckets, as one last name in each status and country. */
const large = fc.oneof(
  entries,
  fc.integer({ min: 1, max: 1_500 }).map((size) =>
    addDeltas(
      [],
      Array.from({ length: size }, (_, n) => ({ key: 'smith\0', bucket: `status ${n}`, n: n + 1 })),
    ),
  ),
  fc
    .tuple(deltas, fc.integer({ min: 1, max: 600 }))
    .map(([all, size]) =>
      addDeltas([], [...all, ...Array.from({ length: size }, (_, n) => ({ key: 'b\0', bucket: `b${n}`, n: 1 }))]),
    ),
);

describe('the pieces of a page', () => {
  test('count what the page did, each at its place, from rising bounds', () => {
    fc.assert(
      fc.property(large, (given) => {
        const pieces = cutPage('\u0001', given);
        expect(plain(pieces.flatMap((piece) => piece.entries))).toEqual(plain(given));
        const bounds = pieces.map(({ from }) => from);
        expect(bounds[0]).toBe('\u0001');
        expect(bounds).toEqual([...new Set(bounds)].sort(compareCodePoints));
        for (const [i, piece] of pieces.entries()) {
          const end = bounds[i + 1];
          for (const { key, counts } of i === 0 ? [] : piece.entries) {
            for (const bucket of counts.keys())
              expect(compareCodePoints(positionOf(key, bucket), piece.from)).toBeGreaterThanOrEqual(0);
          }
          expect(trim(piece.entries, end)).toEqual(piece.entries);
        }
      }),
      UNSHRUNK,
    );
  });

  test('are what is left of the page before the next bound', () => {
    fc.assert(
      fc.property(large, fc.nat(), (given, at) => {
        const pieces = cutPage('\u0001', given);
        const i = at % pieces.length;
        const end = pieces[i + 1]?.from;
        const before = pieces.slice(0, i + 1).flatMap((piece) => piece.entries);
        expect(plain(trim(given, end))).toEqual(plain(before));
      }),
      UNSHRUNK,
    );
  });

  test('are small, whatever there is', () => {
    fc.assert(
      fc.property(large, (given) => {
        for (const { entries } of cutPage('\u0001', given)) {
          expect(encodePage(entries).length).toBeLessThanOrEqual(MAX_PAGE_BYTES);
        }
      }),
      UNSHRUNK,
    );
  });

  test('keep counts together whose buckets cannot be told apart by their hashes', () => {
    // Both begin with b6f34f08 under SHA-256.
    const twins = ['status 60597', 'status 87343'];
    const others = Array.from({ length: 400 }, (_, n) => `x${n}`);
    for (let more = 0; more < 16; more++) {
      const counts = Object.fromEntries([...twins, ...others.slice(more)].map((bucket) => [bucket, 1]));
      const pieces = cutPage('\u0001', addDeltas([entry('smith\0', counts)], []));
      const buckets = pieces.map(({ entries }) => entries.flatMap((each) => [...each.counts.keys()]));
      expect(pieces.length).toBeGreaterThan(1);
      expect(buckets.filter((all) => all.includes('status 60597'))).toEqual(
        buckets.filter((all) => all.includes('status 87343')),
      );
    }
  });

  test('of a small page are the page', () => {
    const given = [entry('a', { x: 1 }), entry('b', { y: 2 })];
    expect(cutPage('\u0001', given)).toEqual([{ from: '\u0001', entries: given }]);
  });

  test('have bounds that DynamoDB takes for sort keys', () => {
    const suffix = `${'é'.repeat(200)}\0`;
    const given = addDeltas(
      [],
      Array.from({ length: 400 }, (_, n) => ({ key: suffix, bucket: `${n}`.padEnd(64, 'é'), n: 1 })),
    );
    const bounds = cutPage(suffix, given).map(({ from }) => Buffer.byteLength(from));
    expect(bounds.length).toBeGreaterThan(10);
    expect(Math.max(...bounds)).toBe(410);
  });
});

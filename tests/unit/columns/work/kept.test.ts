import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { countsOf, pageOf, rowsOf } from '../../../../lib/columns/asked/questions.ts';
import { pack, replicaFrom } from '../../../../lib/columns/changed/compaction.ts';
import { baseOf, open, type Replica, withChanges } from '../../../../lib/columns/changed/replica.ts';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import type { Kinds, Order, Question, Row } from '../../../../lib/columns/values/definition.ts';
import { made, Resumed, sortedInSteps } from '../../../../lib/columns/work/chunks.ts';
import { Kept } from '../../../../lib/columns/work/kept.ts';

const KINDS: Kinds = { name: 'text', more: 'members' };
const BY_ID: Order = [{ property: 'id', descending: false }];

const thing = (bytes: number) => ({ bytes, forget: vi.fn() });

describe('what is kept', () => {
  test('is forgotten when there is too much, first what was used longest ago, and never what was made last', () => {
    const kept = new Kept(1_000_000);
    const [a, b, c, d] = [thing(30_000_000), thing(30_000_000), thing(30_000_000), thing(90_000_000)];
    kept.made(a);
    kept.made(b);
    kept.use(a);
    kept.made(c);
    expect([a, b, c].map(({ forget }) => forget.mock.calls.length)).toEqual([0, 1, 0]);
    kept.made(d);
    expect([a, c, d].map(({ forget }) => forget.mock.calls.length)).toEqual([1, 1, 0]);
    expect(kept.bytes).toBe(90_000_000);
  });

  test('is sixteen megabytes however few users there are', () => {
    const kept = new Kept(10);
    const [a, b] = [thing(8_000_000), thing(8_000_000)];
    kept.made(a);
    kept.made(b);
    expect(a.forget).not.toHaveBeenCalled();
    kept.made(thing(8_000_000));
    expect(a.forget).toHaveBeenCalled();
  });
});

/** Names of members: half of the users have each of the first ones, few have the others. */
const [DENSE, SPARSE, USERS] = [24, 36, 70_000];
const name = (n: number) => `more.m${n}`;
const NAMES = Array.from({ length: DENSE + SPARSE }, (_, n) => name(n));

function* users(): Generator<Row> {
  for (let id = 1; id <= USERS; id++) {
    const more: Record<string, string | number> = {};
    for (let n = 0; n < DENSE; n++)
      if ((id + n) % 2 === 0) more[`m${n}`] = n % 3 === 0 ? `text ${id % 9_000} é${n}` : id % 50;
    for (let n = DENSE; n < DENSE + SPARSE; n++) if (id % 16 === n % 16) more[`m${n}`] = `few ${id}`;
    yield { id, name: `n${id}`, more };
  }
}

/** All twenty that a question may name, from one on. */
const twenty = (from: number) => Array.from({ length: 20 }, (_, i) => name((from + i) % NAMES.length));

/** The most of each kind that may be asked for, of twenty names. */
const MOST: Record<string, (names: readonly string[]) => Question> = {
  missing: (names) => ({ where: names.map((field) => ({ field, ask: { missing: true } })) }),
  'not missing': (names) => ({ where: names.map((field) => ({ field, ask: { missing: false } })) }),
  values: (names) => ({
    where: names.map((field) => ({ field, ask: { none: Array.from({ length: 100 }, (_, i) => `text ${i} é0`) } })),
  }),
  parts: (names) => ({
    where: names.map((field) => ({ field, ask: { substrings: ['text', 'few', 'é'], at: 'includes' } })),
  }),
  'a part': (names) => ({ where: names.map((field) => ({ field, ask: { substrings: ['e'], at: 'includes' } })) }),
  bounds: (names) => ({ where: names.map((field) => ({ field, ask: { bound: 'gte', of: 0 } })) }),
  'bounds of some texts': (names) => ({
    where: names.map((field) => ({
      field,
      ask: { bound: 'gte', of: 'a', among: (_: Buffer, from: number) => from % 2 },
    })),
  }),
  'bounds of texts': (names) => ({ where: names.map((field) => ({ field, ask: { bound: 'gte', of: 'é' } })) }),
};

/** Bytes of typed arrays that are in use. */
const inUse = (): number => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
  gc();
  return process.memoryUsage().arrayBuffers;
};

describe('questions that name as much as they may, of every kind and all names in turn', () => {
  let replica: Replica;
  beforeAll(() => {
    const { bytes, checksum } = pack(replicaFrom(KINDS, users()));
    const changes = [...users()].slice(0, 2_000).map((row) => [row.id, { ...row, name: 'new' }] as const);
    replica = withChanges(open(KINDS, [bytes], checksum), changes);
  });

  test('keep 16 MB beside what is stored, and hold no more while they run', () => {
    const base = baseOf(replica);
    // The stored columns are unpacked now.
    for (const each of NAMES) pageOf(replica, { where: [{ field: each, ask: { any: ['x'] } }] }, BY_ID, 0, 1);
    for (const each of NAMES) {
      const { values } = base.column(each);
      if (values instanceof Texts) made(values.unpacking());
      base.column(each).forget();
    }
    const before = inUse();
    let most = 0;
    const work = {
      tick() {
        most = Math.max(most, base.kept.bytes);
      },
    };
    const ask = (names: readonly string[]) => {
      for (const question of Object.values(MOST)) pageOf(replica, question(names), BY_ID, 0, 20, work);
      for (const descending of [true, false]) {
        const order = [...names.map((property) => ({ property, descending })), ...BY_ID];
        pageOf(replica, {}, order, 30_000, 20, work);
        pageOf(replica, {}, order, { id: 30_000 }, 20, work);
        pageOf(replica, { from: 3 }, order, { id: 30_000 }, 20, work);
      }
      rowsOf(replica, {}, [...names.map((property) => ({ property, descending: false })), ...BY_ID], work);
      const by = names.slice(0, 2).map((field) => ({ field }));
      countsOf(replica, {}, by, 1_000, work);
    };
    for (let from = 0; from < NAMES.length; from += 20) ask(twenty(from));
    // The one that was made last stays, whatever it takes.
    const [last] = [3_000_000];
    expect(most).toBeLessThanOrEqual(2 ** 24 + last);
    // Sixteen megabytes are of the memory that questions share: arena.ts.
    expect(inUse() - before).toBeLessThan(2 ** 24 + last + 2 ** 24);
  });

  test('sort nothing to tell who has a value', () => {
    const base = baseOf(replica);
    for (const each of NAMES) base.column(each).forget();
    const names = twenty(0);
    pageOf(replica, MOST.missing?.(names) ?? {}, BY_ID, 0, 1);
    expect(names.filter((each) => base.column(each).isSorted)).toEqual([]);
  });

  test.each<[string, number, Question]>([
    // Of each of twenty columns the places, twice the order, and five slices in each.
    ['values', 20 * 3 * 5, { where: twenty(0).map((field) => ({ field, ask: { bound: 'gte', of: 0 } })) }],
    // Of each the places, and the rows that have met all before: a sixteenth fewer each time.
    ['missing', 20 * 2 + 80, { where: twenty(DENSE).map((field) => ({ field, ask: { missing: true } })) }],
  ])('have a tick for 16,384 rows of each loop over %s, also while something is made first', (_, least, question) => {
    for (const each of NAMES) baseOf(replica).column(each).forget();
    let ticks = 0;
    pageOf(replica, question, BY_ID, 0, 20, { tick: () => void ticks++ });
    expect(ticks).toBeGreaterThanOrEqual(least);
  });
});

test('steps go on where a caller was ended, and fail once', () => {
  let [begun, made_] = [0, 0];
  const resumed = new Resumed(function* () {
    begun++;
    for (let i = 0; i < 5; i++) {
      yield;
      made_++;
    }
    return made_;
  });
  const ending = () => {
    if (made_ >= 2) throw new Error('late');
  };
  expect(() => made(resumed.all(), ending)).toThrow('late');
  expect(made(resumed.all())).toBe(5);
  expect([begun, made_]).toEqual([1, 5]);
});

test('what is sorted in steps is sorted, and stays in its order where it is equal', async () => {
  const items = Array.from({ length: 20_000 }, (_, i) => [(i * 7919) % 301, i] as const);
  const sorted = made(sortedInSteps(items, ([a], [b]) => a - b));
  expect(sorted).toEqual(items.toSorted(([a, i], [b, k]) => a - b || i - k));
});

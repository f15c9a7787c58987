import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { countsOf, pageOf, rowsOf } from '../../../../lib/columns/asked/questions.ts';
import { compacted, compacting, replicaFrom } from '../../../../lib/columns/changed/compaction.ts';
import { baseOf, type Replica, replicaOf, withChanges } from '../../../../lib/columns/changed/replica.ts';
import { Base } from '../../../../lib/columns/stored/base.ts';
import { Codes } from '../../../../lib/columns/stored/codes.ts';
import { Column } from '../../../../lib/columns/stored/column.ts';
import { Numbers } from '../../../../lib/columns/stored/numbers.ts';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import { type Ask, type Kinds, meets, type Order, type Row } from '../../../../lib/columns/values/definition.ts';
import { foldCase, plain } from '../../../../lib/columns/values/text.ts';
import { made, type Steps } from '../../../../lib/columns/work/chunks.ts';

const KINDS: Kinds = {
  ...{ name: 'text', status: 'exact', age: 'number' },
  'name.end': { of: 'name', behind: 'n', read: foldCase },
};
const BY_ID: Order = [{ property: 'id', descending: false }];
const by = (property: string, descending = false): Order => [{ property, descending }, ...BY_ID];

const ANN: Row = { id: 1, name: 'Ann', status: 'on', age: 30 };
const BEA: Row = { id: 2, name: 'bea', status: 'On' };
const UPPER: Row = { id: 3, name: 'ANN', age: 4 };
const USERS = [UPPER, ANN, BEA];

const many = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `n${i % 997}`, age: i % 7 }));

// The results of each filter and each order are compared with the contract in property/listing.test.ts, and with lists in property/columns/replica.test.ts.
describe('a filter', () => {
  test.each<[string, 'text' | 'number', string | number, Ask]>([
    ['of a number is none of a text', 'text', '', { any: [0] }],
    ['of a range is none of a text', 'text', '5', { bound: 'gte', of: 0 }],
    ['of a range does not include its end', 'number', 5, { bound: 'lt', of: 5 }],
    ['of a part is none of half a character', 'text', '😀', { substrings: ['\ud83d'], at: 'includes' }],
  ])('%s', (_, kind, value, ask) => {
    expect(meets(kind, value, ask)).toBe(false);
  });
});

describe('a replica', () => {
  test('shares earlier changes with its next one, which so costs only what is new', () => {
    const first = withChanges(
      replicaFrom(KINDS, USERS),
      many(50).map((row) => [row.id, row]),
    );
    const next = withChanges(first, [[1, undefined]]);
    expect(next.view.overlay).toBe(first.view.overlay);
    expect(next.base).toBe(first.base);
  });

  test('forgets replaced changes when they are most of all', () => {
    let replica = replicaFrom(KINDS, USERS, { few: 1, bins: 4, cells: 1_024 });
    for (let age = 0; age < 50; age++) replica = withChanges(replica, [[1, { ...ANN, age }]]);
    expect(replica.changes).toBeLessThan(6);
    expect(pageOf(replica, {}, BY_ID, 0, 1).rows).toEqual([{ ...ANN, age: 49 }]);
  });

  test('that is compacted has no value any more that nobody has, and keeps its users', () => {
    const replica = withChanges(replicaFrom(KINDS, USERS), [
      [2, undefined],
      [3, { ...UPPER, name: 'Dan' }],
    ]);
    const next = compacted(replica);
    const base = baseOf(next);
    expect([0, 1, 2].map((place) => base.column('name').valueAt(place))).toEqual(['Ann', 'Dan', undefined]);
    expect([replica.changed, base.size, next.changed]).toEqual([2, 2, 0]);
  });

  test('that is compacted has the orders and the tokens that were asked for, so that no question waits for them', () => {
    const replica = withChanges(replicaFrom(KINDS, USERS), [[4, { id: 4, name: 'Dan' }]]);
    pageOf(replica, {}, by('name'), 0, 1);
    made(baseOf(replica).column('name').tokenizing());
    const steps = compacting(replica);
    steps.next();
    pageOf(replica, {}, [...by('age').slice(0, 1), { property: 'id', per: 2, descending: false }, ...BY_ID], 0, 1);
    const base = baseOf(made(steps));
    const fieldsWith = (of: 'isSorted' | 'isTokenized') => Object.keys(KINDS).filter((field) => base.column(field)[of]);
    expect([fieldsWith('isSorted'), fieldsWith('isTokenized'), [...base.multiples]]).toEqual([
      ['name', 'age'],
      ['name'],
      [1, 2],
    ]);
  });

  test('that is compacted has what it counted by, so that no texts are looked through again', () => {
    const replica = withChanges(replicaFrom(KINDS, USERS), [[2, { id: 2, name: 'Bnx' }]]);
    countsOf(replica, {}, [{ field: 'name.end' }], 9);
    const base = baseOf(compacted(replica));
    const bytes = vi.spyOn(Texts.prototype, 'bytes', 'get');
    const derived = made(base.opening('name.end'));
    expect(bytes).not.toHaveBeenCalled();
    bytes.mockRestore();
    expect([0, 1, 2].map((row) => derived.valueAt(derived.codeOf(row)))).toEqual(['', 'x', undefined]);
  });

  test('that is compacted has its texts without accents, if a search has made them', () => {
    const names = ['Čapek', 'Dan', 'Éva', 'Ødi'];
    const replica = replicaFrom(
      KINDS,
      names.map((name, i) => ({ id: i + 1, name })),
    );
    const namesOf = (from: Replica): Texts => baseOf(from).column('name').values as Texts;
    expect([...made(namesOf(replica).forming(plain)).indexes]).toEqual([1, 2, 3]);
    const next = namesOf(
      compacted(
        withChanges(replica, [
          [1, { id: 1, name: 'Ana' }],
          [5, { id: 5, name: 'Žan' }],
        ]),
      ),
    );
    expect([...next.made.keys()]).toEqual([plain]);
    const { indexes, texts } = made(next.forming(plain));
    const all = Array.from(indexes, (index, i) => [next.text(index), texts.text(i)]);
    expect(all).toEqual([
      ['Éva', 'eva'],
      ['Ødi', 'odi'],
      ['Žan', 'zan'],
    ]);
  });

  test('that is compacted does not keep the base before in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const mergeOnce = (replica: Replica) => {
      const next = compacted(withChanges(replica, [[9, { id: 9, name: 'Dan' }]]));
      return { next, before: new WeakRef(replica.base) };
    };
    const { next, before } = mergeOnce(replicaFrom(KINDS, USERS));
    // A compiler at work beside may hold what it looks at.
    for (let tries = 0; tries < 20 && before.deref(); tries++) {
      await setImmediate();
      collect();
    }
    expect([next.total, before.deref()]).toEqual([USERS.length + 1, undefined]);
  });

  test('finds an empty word in nobody', () => {
    const where = [{ fields: ['name', 'age'], words: [''] }];
    const replica = withChanges(replicaFrom(KINDS, USERS, { few: 1, bins: 4, cells: 1_024 }), [
      [9, { id: 9, name: 'Dan' }],
    ]);
    expect(pageOf(replica, { where }, BY_ID, 0, 1).total).toBe(0);
  });

  test('refuses a field that it does not have', () => {
    const where = [{ field: 'constructor', ask: { missing: true } }];
    expect(() => pageOf(replicaFrom(KINDS, USERS), { where }, BY_ID, 0, 1)).toThrow(RangeError);
  });

  test('folds what is asked for once, however few users it looks at', () => {
    let folded = 0;
    const ask = {
      get none() {
        folded++;
        return ['é'];
      },
    };
    const replica = replicaFrom(KINDS, many(900));
    expect(pageOf(replica, { where: [{ field: 'name', ask }] }, BY_ID, 0, 1).total).toBe(900);
    expect(folded).toBeLessThan(9);
  });

  test('needs only the columns that a question of few users names', () => {
    const asked: string[] = [];
    const ages = new Column('number', new Numbers(Float64Array.of(4, 30)), Uint32Array.of(1, 2, 0), new Uint32Array(0));
    const column = (field: string) => {
      asked.push(field);
      return field === 'age' ? ages : undefined;
    };
    const base = new Base(KINDS, 3, ['age'], { ids: () => Float64Array.of(1, 2, 3), column });
    const where = [{ field: 'age', ask: { bound: 'gte', of: 4 } as const }];
    expect(countsOf(replicaOf(base), { ids: [1, 2], where }, [{ field: 'age' }], 9).total).toBe(1);
    expect(asked).toEqual(['age']);
  });
});

describe('work', () => {
  const replica = replicaFrom(KINDS, many(200_000));
  const page = { where: [{ field: 'age', ask: { bound: 'gte', of: 1 } as const }] };
  const changed = withChanges(replica, [[1, undefined]]);
  const ticking = () => {
    let ticks = 0;
    return { tick: () => void ticks++, ticks: () => ticks };
  };

  test.each<[string, (work: { tick(): void }) => unknown]>([
    ['a page', (work) => pageOf(replica, page, by('name'), 0, 1, work)],
    ['counts', (work) => countsOf(replica, {}, [{ field: 'name' }, { field: 'age' }], 9, work)],
    ['a compaction', (work) => compacted(changed, work)],
    ['a stream', (work) => rowsOf(replica, {}, by('name'), work)],
  ])('ticks for every 65,536 rows of %s, and ends when a tick throws', (_, does) => {
    const work = ticking();
    does(work);
    expect(work.ticks()).toBeGreaterThanOrEqual(4);
    const late = () => {
      throw new Error('late');
    };
    expect(() => does({ tick: late })).toThrow('late');
  });

  test('tells of the texts of arrays that counts hold, and of their combinations, and ends when that throws', () => {
    const kinds: Kinds = { more: 'members' };
    const texts = (letter: string, id: number) => Array.from({ length: 20 }, (_, i) => `${letter}${id} ${i}`);
    const rows = Array.from({ length: 900 }, (_, i) => ({ id: i + 1, more: { a: texts('a', i), b: texts('b', i) } }));
    const arrays = replicaFrom(kinds, rows, { few: 1, bins: 4, cells: 1_024 });
    const heldBy = (...names: string[]): number => {
      let held = 0;
      const by = names.map((name) => ({ field: `more.${name}` }));
      const hold = (bytes: number) => {
        held += bytes;
      };
      const { counts, others } = countsOf(arrays, {}, by, 9, { tick() {}, hold });
      expect([counts[0], others]).toEqual([{ values: by.map(({ field }) => `${field.at(-1)}0 0`), count: 1 }, 900]);
      return held;
    };
    // Of each 18,000 texts, more than a column keeps, and 360,000 pairs.
    expect(heldBy('a')).toBeGreaterThan(18_000 * 120);
    expect(heldBy('a', 'b')).toBeGreaterThan(2 * 18_000 * 120 + 360_000 * 96);
    const full = () => {
      throw new Error('full');
    };
    expect(() => countsOf(arrays, {}, [{ field: 'more.a' }], 9, { tick() {}, hold: full })).toThrow('full');
  });

  test('ticks while rows of a stream are taken', () => {
    const work = ticking();
    const { rows } = rowsOf(replica, {}, BY_ID, work);
    const before = work.ticks();
    let taken = 0;
    for (const { id } of rows) if (id > 0 && ++taken === 70_000) break;
    expect(work.ticks()).toBeGreaterThan(before);
  });
});

describe('what takes long beside requests has a step for', () => {
  const block = { first: 0, size: 1, length: 2, unpack: () => Buffer.from('a\0') };
  const blocks = Array.from({ length: 17 }, (_, first) => ({ ...block, first }));
  const plane = Buffer.alloc(3 << 14);
  const numbers = new Column('number', new Numbers(new Float64Array(1)), new Uint32Array(3 << 14), new Uint32Array(0));
  const changed = withChanges(
    replicaFrom(KINDS, []),
    many(9_000).map((row) => [row.id, row]),
  );

  test.each<[string, Steps<unknown>, number]>([
    ['eight blocks of texts, and where they end', new Texts(blocks, 17, foldCase).unpacking(), 3 + 1],
    ['a million bytes of texts', new Texts(Buffer.alloc(3 << 20), 3 << 20, foldCase).unpacking(), 3],
    ['16,384 codes', new Codes([plane, plane, plane], 3 << 14, 2 ** 24).all(), 3],
    ['16,384 rows, twice, and as many values of an order', numbers.sorting(), 2 * 3 + 1],
    ['4,096 changed users', changed.view.overlay.filling('name'), 2],
  ])('%s', (_, steps, count) => {
    expect([...steps]).toHaveLength(count);
  });

  test('the ends of texts: whoever asks for a text meanwhile does not find all of them', () => {
    const texts = new Texts(blocks, 17, foldCase);
    const ends = vi.spyOn(Texts.prototype, 'ends', 'get');
    made(texts.unpacking(), () => expect(texts.text(16)).toBe('a'));
    expect(ends.mock.contexts).not.toContain(texts);
    ends.mockRestore();
  });
});

test('texts beyond ASCII that are brought into a form together have the form that each has alone', () => {
  const names = Array.from({ length: 1_500 }, (_, i) => (i % 3 === 0 ? `n${i}` : `\u0301Σé${i}ΑΣ`));
  const all = new Texts(Buffer.from(`${names.join('\0')}\0`), 1_500, foldCase);
  const { indexes, texts } = made(all.forming(plain));
  const beyond = names.flatMap((name, place) => (place % 3 === 0 ? [] : [[place, plain(name)]]));
  expect(Array.from(indexes, (index, i) => [index, texts.text(i)])).toEqual(beyond);
});

import { describe, expect, test } from 'vitest';
import { Base } from '../../../lib/replica/base.ts';
import { Column } from '../../../lib/replica/column.ts';
import { type Ask, compareRows, type Kinds, meets, type Order, type Row } from '../../../lib/replica/definition.ts';
import {
  countsOf,
  emptyReplica,
  merged,
  pageOf,
  replicaFrom,
  replicaOf,
  rowsOf,
  withChanges,
} from '../../../lib/replica/replica.ts';

const KINDS: Kinds = { name: 'text', status: 'exact', age: 'number' };
const BY_ID: Order = [{ property: 'id', descending: false }];
const by = (property: string, descending = false): Order => [{ property, descending }, ...BY_ID];

const ANN: Row = { id: 1, name: 'Ann', status: 'on', age: 30 };
const BEA: Row = { id: 2, name: 'bea', status: 'On' };
const UPPER: Row = { id: 3, name: 'ANN', age: 4 };
const USERS = [UPPER, ANN, BEA];

const many = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `n${i % 997}`, age: i % 7 }));

describe('a filter', () => {
  test.each<[string, 'text' | 'exact' | 'number', string | number | undefined, Ask, boolean]>([
    ['of texts ignores case', 'text', 'Straße', { any: ['x', 'STRASSE'] }, true],
    ['of exact values does not', 'exact', 'On', { any: ['on'] }, false],
    ['of an exact value finds it', 'exact', 'On', { any: ['on', 'On'] }, true],
    ['of numbers goes by size', 'number', 5, { any: [4, 5] }, true],
    ['of a number is none of a text', 'text', '', { any: [0] }, false],
    ['of a beginning ignores case', 'exact', 'İstanbul', { startsWith: 'IST' }, true],
    ['of a part ignores case', 'text', 'ΣΊΣΥΦΟΣ', { contains: 'φος' }, true],
    ['of a part is none of half a character', 'text', '😀', { contains: '\ud83d' }, false],
    ['of a range includes its beginning', 'number', 5, { gte: 5, lt: 6 }, true],
    ['of a range does not include its end', 'number', 5, { lt: 5 }, false],
    ['of a range is none of a text', 'text', '5', { gte: 0 }, false],
    ['of missing values finds who has none', 'text', undefined, { missing: true }, true],
    ['of present values does not', 'number', undefined, { missing: false }, false],
    ['of values does not find who has none', 'number', undefined, { gte: 0 }, false],
  ])('%s', (_, kind, value, ask, is) => {
    expect(meets(kind, value, ask)).toBe(is);
    const rows = [{ id: 9, ...(value !== undefined && { field: value }) }];
    const question = { where: [{ field: 'field', ask }] };
    for (const few of [0, 9]) {
      const replica = replicaFrom({ field: kind }, rows, { few, bins: 4 });
      expect(pageOf(replica, question, BY_ID, 0, 1).rows).toEqual(is ? rows : []);
    }
  });
});

describe('an order', () => {
  test('ignores case, has users without a value last, and ends with the id', () => {
    expect(USERS.toSorted(compareRows(KINDS, by('name')))).toEqual([ANN, UPPER, BEA]);
    expect(USERS.toSorted(compareRows(KINDS, by('status')))).toEqual([BEA, ANN, UPPER]);
    expect(USERS.toSorted(compareRows(KINDS, by('age', true)))).toEqual([BEA, ANN, UPPER]);
  });

  test('by multiples of ids has those of one multiple equal', () => {
    const order = [{ property: 'id', per: 2, descending: true }, ...by('name', true)];
    expect(USERS.toSorted(compareRows(KINDS, order))).toEqual([BEA, UPPER, ANN]);
    expect(pageOf(replicaFrom(KINDS, USERS), {}, order, 0, 9).rows).toEqual([BEA, UPPER, ANN]);
  });

  test('of many users has each once, at any depth and in either direction', () => {
    const replica = replicaFrom(KINDS, many(5_000), { few: 8, bins: 16 });
    const ids = Array.from(rowsOf(replica, {}, by('age', true)).rows, ({ id }) => id);
    expect(ids.slice(0, 2)).toEqual([7, 14]);
    expect(new Set(ids).size).toBe(5_000);
    expect(pageOf(replica, {}, by('age', true), 714, 1).rows).toEqual([{ id: 6, name: 'n5', age: 5 }]);
  });
});

describe('a replica', () => {
  test('is a value: older ones answer as before, and two can go on from one', () => {
    const first = replicaFrom(KINDS, USERS);
    const renamed = withChanges(first, [[1, { id: 1, name: 'Zoe' }]]);
    const stream = rowsOf(renamed, {}, BY_ID);
    const gone = withChanges(renamed, [
      [1, undefined],
      [2, undefined],
      [7, undefined],
    ]);
    const other = withChanges(renamed, [[9, { id: 9, name: 'New' }]]);
    expect([first.total, renamed.total, gone.total, other.total]).toEqual([3, 3, 1, 4]);
    expect([first.changed, renamed.changed, gone.changed, other.changed]).toEqual([0, 1, 3, 2]);
    expect(pageOf(first, {}, BY_ID, 0, 9).rows).toEqual([ANN, BEA, UPPER]);
    expect(pageOf(renamed, {}, BY_ID, 0, 9).rows).toEqual([{ id: 1, name: 'Zoe' }, BEA, UPPER]);
    expect([...stream.rows]).toEqual([{ id: 1, name: 'Zoe' }, BEA, UPPER]);
    expect(pageOf(gone, {}, BY_ID, 0, 9).rows).toEqual([UPPER]);
    expect(pageOf(merged(other), {}, BY_ID, 2, 9).rows).toEqual([UPPER, { id: 9, name: 'New' }]);
  });

  test('shares earlier changes with its next one, which so costs only what is new', () => {
    const first = withChanges(
      replicaFrom(KINDS, USERS),
      many(50).map((row) => [row.id, row]),
    );
    const next = withChanges(first, [[1, undefined]]);
    expect(next.changes).toBe(first.changes);
    expect(next.base).toBe(first.base);
  });

  test('forgets replaced changes when they are most of all', () => {
    let replica = replicaFrom(KINDS, USERS, { few: 1, bins: 4 });
    for (let age = 0; age < 50; age++) replica = withChanges(replica, [[1, { ...ANN, age }]]);
    expect(replica.slots).toBeLessThan(6);
    expect(pageOf(replica, {}, BY_ID, 0, 1).rows).toEqual([{ ...ANN, age: 49 }]);
  });

  test('shows fields in their order, and no other members', () => {
    const row = { age: 5, version: 7, name: 'Cid', id: 4 };
    const changed = withChanges(emptyReplica(KINDS), [[4, row]]);
    for (const replica of [changed, merged(changed)]) {
      const [shown] = pageOf(replica, {}, BY_ID, 0, 1).rows;
      expect(JSON.stringify(shown)).toBe('{"id":4,"name":"Cid","age":5}');
    }
  });

  test('that is merged has no value any more that nobody has, and keeps its users', () => {
    const replica = withChanges(replicaFrom(KINDS, USERS), [
      [2, undefined],
      [3, { ...UPPER, name: 'Dan' }],
    ]);
    const { base, changed } = merged(replica);
    expect([0, 1, 2].map((place) => base.column('name').valueAt(place))).toEqual(['Ann', 'Dan', undefined]);
    expect([base.size, changed]).toEqual([2, 0]);
  });

  test('narrows by ids, named twice or of nobody, and by ranges of them', () => {
    const replica = replicaFrom(KINDS, USERS);
    expect(pageOf(replica, { ids: [3, 1, 3, 8] }, BY_ID, 0, 9)).toEqual({ total: 2, rows: [ANN, UPPER] });
    expect(pageOf(replica, { from: 2, to: 3 }, BY_ID, 0, 9)).toEqual({ total: 1, rows: [BEA] });
    expect(pageOf(replica, { from: 3, to: 2 }, BY_ID, 0, 9)).toEqual({ total: 0, rows: [] });
  });

  test('refuses a field that it does not have', () => {
    const where = [{ field: 'constructor', ask: { missing: true } }];
    expect(() => pageOf(replicaFrom(KINDS, USERS), { where }, BY_ID, 0, 1)).toThrow(RangeError);
  });

  test('needs only the columns that a question of few users names', () => {
    const asked: string[] = [];
    const ages = new Column('number', Float64Array.of(4, 30), Uint32Array.of(1, 2, 0), new Uint32Array(0));
    const column = (field: string) => {
      asked.push(field);
      return field === 'age' ? ages : undefined;
    };
    const base = new Base(KINDS, 3, ['age'], { ids: () => Float64Array.of(1, 2, 3), column });
    const where = [{ field: 'age', ask: { gte: 4 } }];
    expect(countsOf(replicaOf(base), { ids: [1, 2], where }, ['age']).total).toBe(1);
    expect(asked).toEqual(['age']);
  });
});

describe('counts', () => {
  test('are the largest first, then in the order of the values', () => {
    const { counts } = countsOf(replicaFrom(KINDS, [...USERS, { id: 4, name: 'Ann' }]), {}, ['name']);
    expect(counts).toEqual([
      { values: ['Ann'], count: 2 },
      { values: ['ANN'], count: 1 },
      { values: ['bea'], count: 1 },
    ]);
  });

  test('are of base and changes together, by several fields', () => {
    const replica = withChanges(replicaFrom(KINDS, USERS), [[5, { id: 5, status: 'on', age: 30 }]]);
    expect(countsOf(replica, {}, ['status', 'age'])).toEqual({
      total: 4,
      counts: [
        { values: ['on', 30], count: 2 },
        { values: ['On', undefined], count: 1 },
        { values: [undefined, 4], count: 1 },
      ],
    });
  });
});

describe('work', () => {
  const replica = replicaFrom(KINDS, many(200_000));
  const page = { where: [{ field: 'age', ask: { gte: 1 } }] };
  const changed = withChanges(replica, [[1, undefined]]);
  const ticking = () => {
    let ticks = 0;
    return { tick: () => void ticks++, ticks: () => ticks };
  };

  test.each<[string, (work: { tick(): void }) => unknown]>([
    ['a page', (work) => pageOf(replica, page, by('name'), 0, 1, work)],
    ['a page of all', (work) => pageOf(replica, {}, by('name'), 0, 1, work)],
    ['counts', (work) => countsOf(replica, {}, ['name', 'age'], work)],
    ['a merge', (work) => merged(changed, work)],
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

  test('ticks while rows of a stream are taken', () => {
    const work = ticking();
    const { rows } = rowsOf(replica, {}, BY_ID, work);
    const before = work.ticks();
    let taken = 0;
    for (const { id } of rows) if (id > 0 && ++taken === 70_000) break;
    expect(work.ticks()).toBeGreaterThan(before);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Ask,
  compareRows,
  type Kinds,
  meets,
  type Order,
  type Question,
  type Row,
} from '../../lib/replica/definition.ts';
import { openBase, packBase } from '../../lib/replica/pack.ts';
import {
  countsOf,
  merged,
  pageOf,
  type Replica,
  replicaFrom,
  replicaOf,
  rowsOf,
  withChanges,
} from '../../lib/replica/replica.ts';

const TIMES = Number(process.env.TIMES ?? 1);

const KINDS: Kinds = { name: 'text', status: 'exact', age: 'number', note: 'text' };

/** What folding, sorting and UTF-8 get wrong when they are simple: case, ß, dots, sigmas, ligatures, marks, astral beside U+FFFD. */
const UNITS = [
  'a',
  'A',
  'b',
  'e',
  'e\u0301',
  'É',
  'ß',
  'ss',
  'SS',
  'İ',
  'ı',
  'i',
  'I',
  'Σ',
  'ς',
  'σ',
  'ﬀ',
  'ff',
  '\uFFFD',
  '😀',
  '\u0307',
];
const WORDS = ['Straße', 'STRASSE', 'ann', 'Ann', 'ANN', 'an', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', '', '-'];

const text = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.array(fc.constantFrom(...UNITS), { maxLength: 3 }).map((units) => units.join('')),
);
const number = fc.oneof(fc.nat(20), fc.constantFrom(2 ** 53 - 1, 255, 256));
const status = fc.constantFrom('on', 'On', 'off', 'é');
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 });

const id = fc.oneof(
  { arbitrary: fc.nat(60).map((n) => 4_000 + 16 * n), weight: 6 },
  { arbitrary: fc.nat(40).map((n) => 4_090 + n), weight: 6 },
  { arbitrary: fc.constantFrom(1, 2 ** 53 - 1), weight: 1 },
);
const fields = fc.record({ name: some(text), status: some(status), age: some(number) });
const change = fc.tuple(id, fc.option(fields, { nil: undefined, freq: 4 }));

const textAsk = fc.oneof(
  fc.array(text, { maxLength: 3 }).map((any) => ({ any })),
  text.map((startsWith) => ({ startsWith })),
  fc.oneof(text, fc.constantFrom('n\0a', '\ud83d', '\ude00')).map((contains) => ({ contains })),
);
const range: fc.Arbitrary<Ask> = fc.record({ gte: number, lt: number }, { requiredKeys: [] });
const missing = fc.boolean().map((is) => ({ missing: is }));
const ask: fc.Arbitrary<Ask> = fc.oneof(
  textAsk,
  range,
  missing,
  fc.array(number, { maxLength: 3 }).map((any) => ({ any })),
);
const likelyAsk: Record<string, fc.Arbitrary<Ask>> = {
  name: fc.oneof(textAsk, missing),
  status: fc.oneof(
    fc.array(status, { maxLength: 2 }).map((any) => ({ any })),
    textAsk,
    missing,
  ),
  age: fc.oneof(
    range,
    fc.array(number, { maxLength: 3 }).map((any) => ({ any })),
    missing,
  ),
  note: fc.oneof(textAsk, missing),
};

const condition = fc
  .constantFrom(...Object.keys(KINDS))
  .chain((field) =>
    fc
      .oneof({ arbitrary: likelyAsk[field] ?? ask, weight: 5 }, { arbitrary: ask, weight: 1 })
      .map((each) => ({ field, ask: each })),
  );

const question: fc.Arbitrary<Question> = fc
  .record(
    {
      where: fc.oneof(
        { arbitrary: fc.constant([]), weight: 1 },
        { arbitrary: fc.array(condition, { minLength: 1, maxLength: 2 }), weight: 2 },
      ),
      ids: fc.array(id, { maxLength: 12 }),
      from: id,
      to: id,
    },
    { requiredKeys: ['where'] },
  )
  .map(({ where, ids, from, to }) => ({ where, ids, from, to }) as Question);

const step = fc.record({
  property: fc.constantFrom(...Object.keys(KINDS), 'id'),
  per: fc.constantFrom(undefined, 1, 16, 4096),
  descending: fc.boolean(),
});
const order: fc.Arbitrary<Order> = fc
  .tuple(fc.array(step, { maxLength: 3 }), fc.boolean())
  .map(([steps, descending]) => [
    ...steps.map(({ per, ...rest }) => (per === undefined ? rest : { ...rest, per })),
    { property: 'id', descending },
  ]);

type Users = ReadonlyMap<number, Row>;

/** The definition: a filter and a sort of a plain list. */
function expected(
  users: Users,
  { where = [], ids, from = 0, to = Number.POSITIVE_INFINITY }: Question,
  order: Order,
): Row[] {
  return [...users.values()]
    .filter(
      (user) =>
        user.id >= from &&
        user.id < to &&
        (ids === undefined || ids.includes(user.id)) &&
        where.every(({ field, ask }) => meets(KINDS[field] ?? 'text', user[field], ask)),
    )
    .sort(compareRows(KINDS, order));
}

/** The counts of plain rows, in no order. */
function tally(rows: readonly Row[], by: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(by.map((field) => row[field]));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const isSorted = (numbers: readonly number[]) =>
  numbers.every((each, i) => each <= (numbers[i - 1] ?? Number.POSITIVE_INFINITY));

const asked = fc.record({
  question,
  order,
  skip: fc.nat(12),
  take: fc.nat(8),
  by: fc.uniqueArray(fc.constantFrom(...Object.keys(KINDS)), { maxLength: 3 }),
});

/** All three verbs answer as the definition does. */
function expectAnswers(
  replica: Replica,
  users: Users,
  { question, order, skip, take, by }: typeof asked extends fc.Arbitrary<infer T> ? T : never,
) {
  const rows = expected(users, question, order);
  const total = rows.length;
  expect(pageOf(replica, question, order, skip, take)).toEqual({ total, rows: rows.slice(skip, skip + take) });
  const all = rowsOf(replica, question, order);
  expect({ total: all.total, rows: [...all.rows] }).toEqual({ total, rows });
  const { counts, ...counted } = countsOf(replica, question, by);
  expect(counted).toEqual({ total });
  expect(new Map(counts.map(({ values, count }) => [JSON.stringify(values), count]))).toEqual(tally(rows, by));
  expect(isSorted(counts.map(({ count }) => count))).toBe(true);
}

const action = fc.oneof(
  { arbitrary: fc.array(change, { maxLength: 12 }).map((changes) => ({ changes })), weight: 6 },
  { arbitrary: fc.constantFrom('merge', 'pack', 'hold', 'go back'), weight: 3 },
);

const plain = ([id, row]: readonly [number, object | undefined]): [number, Row | undefined] => [
  id,
  row && { id, ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) },
];

test('a replica answers as a filtered and sorted list does, whatever it has been through, and whoever holds an older one', () => {
  fc.assert(
    fc.property(
      fc.record({ few: fc.constantFrom(1, 2, 5, 1_024), bins: fc.constantFrom(2, 4, 4_096) }),
      fc.array(change, { maxLength: 40 }),
      fc.array(fc.tuple(action, fc.array(asked, { maxLength: 3 })), { minLength: 1, maxLength: 10 }),
      (sizes, first, steps) => {
        let users: Users = new Map(first.map(plain).flatMap(([id, row]) => (row ? [[id, row]] : [])));
        let replica = replicaFrom(KINDS, users.values(), sizes);
        const held: [Replica, Users][] = [];
        for (const [does, questions] of steps) {
          if (typeof does === 'object') {
            const changes = does.changes.map(plain);
            const next = new Map(users);
            for (const [id, row] of changes) {
              if (row) next.set(id, row);
              else next.delete(id);
            }
            // Other members of a row, such as its version, are not shown.
            replica = withChanges(
              replica,
              changes.map(([id, row]) => [id, row && { ...row, version: 7 }]),
            );
            users = next;
          } else if (does === 'merge') replica = merged(replica);
          else if (does === 'hold') held.push([replica, users]);
          else if (does === 'go back') [replica, users] = held.at(-1) ?? [replica, users];
          else {
            const { bytes, checksum } = packBase(merged(replica).base);
            replica = replicaOf(openBase(KINDS, bytes, checksum), sizes);
          }
          expect(replica.total).toBe(users.size);
          for (const each of questions)
            for (const [old, then] of [...held, [replica, users] as const]) expectAnswers(old, then, each);
        }
      },
    ),
    { numRuns: 400 * TIMES },
  );
});

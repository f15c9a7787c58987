import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replicaOf } from '../../../lib/columns/changed/replica.ts';
import {
  type Ask,
  type By,
  type Condition,
  compaction,
  countsOf,
  type Either,
  type Kinds,
  type Mixed,
  meetsAll,
  type Order,
  pack,
  pageOf,
  type Question,
  type Replica,
  type Row,
  replicaFrom,
  rowsOf,
  SUBSTRING_TESTS,
  valueIn,
  type Words,
  withChanges,
} from '../../../lib/columns/index.ts';
import { openBase } from '../../../lib/columns/stored/pack.ts';
import {
  compareExactly,
  compareRows,
  kindOf,
  shownValue,
  valueOfColumn,
} from '../../../lib/columns/values/definition.ts';
import { type Fold, foldCase, type NumberIn } from '../../../lib/columns/values/text.ts';
import { foldAddress } from '../../../lib/users/mailbox.ts';

const TIMES = Number(process.env.TIMES ?? 1);

/** A kind with a fold of its own. */
const ADDRESS = { name: 'address', fold: foldAddress };

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** A text without its quotes, which may be another one's. */
const withoutQuotes = (fold: Fold, text: string): string => fold(fold(text).replaceAll('"', ''));

const KINDS: Kinds = {
  ...{ name: 'text', email: ADDRESS, status: 'exact', age: 'number', more: 'members', note: 'text' },
  changed: 'number',
  'email.end': { of: 'email', behind: 'a', read: foldAddress },
  'status.end': { of: 'status', behind: 'a', read: foldCase },
  'note.end': { of: 'note', behind: '@', read: (text) => (text === '' ? undefined : foldCase(text)) },
  'email.letters': {
    of: 'email',
    among: ['"', '#'],
    read: (text) => (text.startsWith('"') ? withoutQuotes(foldAddress, text) : undefined),
  },
  'note.letters': {
    of: 'note',
    among: 'beyond ASCII',
    read: (text) => (isAscii(text) ? undefined : withoutQuotes(foldCase, text)),
  },
};

/** Many rows have what their ids say, some nothing, others another number. */
const CARRIED = { changed: (id: number) => Math.floor(id / 16) };

/** Names of members that simple code takes for something else. Nobody has the last one. */
const NAMES = ['constructor', 'toString', 'then', 'length', 'team', 'x-9_'];
const DERIVED = Object.keys(KINDS).filter((name) => name.includes('.'));
const COLUMNS = [
  ...Object.keys(KINDS).filter((field) => field !== 'more'),
  ...NAMES.map((name) => `more.${name}`),
  'more.none',
];

/** Texts that simple code gets wrong: case, ß, dots, sigmas, ligatures, marks, Cherokee, the Kelvin sign, U+1F600 beside U+FFFD, letters beyond U+FFFF, signs with U+0338, mathematical letters, marks that make another letter (か, दि, 한), and some that do not (שָ, кё). */
const UNITS = [...'aAbeÉßİıiIkſsΣςσﬀﬁꭰᎠ𝒜\u212a😀\uFFFD\u0307\u0323𐐀𐐨=≠\u0338', 'e\u0301', 'ss', 'ff'].concat(
  ...'かが\u3099ददि\u093f한하\u1112\u1161\u11abש\u05b8ـ\u064eке\u0308ё',
);
const WORDS = ['ann', 'Ann', 'ANN', 'ann', 'Ann', 'an', 'Straße', 'STRASSE', 'Σίσυφος', 'ΣΊΣΥΦΟΣ', 'mike', 'mıke', ''];
const units = fc.array(fc.constantFrom(...UNITS), { maxLength: 3 }).map((some) => some.join(''));

/** Words with what stands between pieces of texts, and before a domain. */
const joined = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom('.', ' ', '-', '@', '1', '')), { maxLength: 3 })
  .map((some) => some.flat().join(''));

/** Long ones, which differ at their ends, or fold alike. */
const LONG = [`${'a'.repeat(499)}b`, `${'A'.repeat(499)}B`, 'e\u0301'.repeat(250), 'É'.repeat(250), '𝒜'.repeat(250)];

const text = fc.oneof(
  { arbitrary: fc.constantFrom(...WORDS), weight: 6 },
  { arbitrary: units, weight: 3 },
  { arbitrary: joined, weight: 3 },
  { arbitrary: fc.constantFrom(...LONG), weight: 1 },
);
/** Addresses that are written in several ways, and what is none. */
const SPELLED = [
  'ann@x.de',
  '"ann"@X.de',
  '"a\\nn"@x.de',
  '"a n"@x.de',
  '"a\\ n"@x.de',
  '!@x.de',
  '"',
  '"@',
  '@',
].concat([
  'ann@bücher.de',
  'Ann@BU\u0308CHER.de',
  'ann@xn--bcher-kva.de',
  '"ann"@bücher.de',
  'zoë@zürich.de',
  'zoë@xn--zrich-kva.de',
]);
const address = fc.oneof(text, fc.constantFrom(...SPELLED));
const number = fc.oneof(fc.nat(20), fc.constantFrom(2 ** 53 - 1, 255, 256));
/** Of ids and around them. */
const moment = fc.oneof(fc.integer({ min: 248, max: 280 }), fc.constantFrom(0, 2 ** 49 - 1, 2 ** 49));
/** Stands for what the id of the row says. */
const USUAL = 'usual';
const status = fc.constantFrom('on', 'On', 'off', 'é');
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 });

const id = fc.oneof(
  { arbitrary: fc.nat(25).map((n) => 4_000 + 16 * n), weight: 6 },
  { arbitrary: fc.nat(25).map((n) => 4_090 + n), weight: 6 },
  { arbitrary: fc.constantFrom(1, 2 ** 53 - 1), weight: 1 },
);
/** Of members. */
const numberOf = fc.constantFrom(0, -0, 1, 2, -1, 0.5, -1e300, 2 ** 53 - 1, Number.POSITIVE_INFINITY);
/** Few, so that some are equal, and others differ in case. */
const mixed: fc.Arbitrary<Mixed> = fc.oneof(
  fc.boolean(),
  numberOf.filter((each) => Number.isFinite(each) && !Object.is(each, -0)),
  text,
  fc.uniqueArray(text, { maxLength: 3 }),
);
/** Some names many users have, others few. */
const members = fc
  .dictionary(fc.oneof(fc.constantFrom('team', 'constructor'), fc.constantFrom(...NAMES)), mixed, { maxKeys: 4 })
  .map((each) => (Object.keys(each).length > 0 ? each : undefined));
const fields = fc.record({
  name: maybe(text),
  email: maybe(address),
  status: maybe(status),
  age: maybe(number),
  changed: maybe(fc.oneof({ arbitrary: fc.constant(USUAL), weight: 3 }, moment)),
  more: maybe(members),
});
const changeOf = (row: fc.Arbitrary<object>) => fc.tuple(id, maybe(row));

/** Few texts, of which some fold alike, and some are the beginning of others: each is a bound of many. */
const ALIKE = [
  'mike',
  'mıke',
  'MIKE',
  'mik',
  'mikes',
  'é',
  'e\u0301',
  'É',
  'e',
  'ß',
  'SS',
  's',
  'ﬀ',
  'ff',
  '𝒜',
  '',
].concat('e mikes', 'Mikes mike');
const alike = fc.oneof({ arbitrary: fc.constantFrom(...ALIKE), weight: 8 }, fc.constantFrom(...LONG));
const alikes: fc.Arbitrary<Mixed> = fc.oneof(
  { arbitrary: alike, weight: 3 },
  { arbitrary: fc.uniqueArray(alike, { maxLength: 3 }), weight: 2 },
  fc.constantFrom<Mixed[]>(3, -1, true),
);
const alikeFields = fc.record({
  name: maybe(alike),
  email: maybe(alike),
  status: maybe(alike),
  more: maybe(fc.record({ team: alikes, 'x-9_': alike, length: fc.constant('mike') }, { requiredKeys: ['length'] })),
});

const any = (value: fc.Arbitrary<Mixed>): fc.Arbitrary<Ask> =>
  fc
    .tuple(fc.array(value, { maxLength: 3 }), fc.boolean())
    .map(([values, isNot]) => (isNot ? { none: values } : { any: values }));
const at = fc.constantFrom(...(Object.keys(SUBSTRING_TESTS) as (keyof typeof SUBSTRING_TESTS)[]));
const part = fc.oneof({ arbitrary: text, weight: 4 }, fc.constantFrom('n\0a', '\ud83d', '\ude00', '\u0301'));
const textAsk: fc.Arbitrary<Ask> = fc.oneof(
  any(text),
  fc.record({
    substrings: fc.array(part, { maxLength: 4 }),
    at,
  }),
);
const bound = fc.constantFrom('gte', 'gt', 'lte', 'lt');
const moments: fc.Arbitrary<Ask> = fc.record({ bound, of: moment });
const range: fc.Arbitrary<Ask> = fc.record({ bound, of: number });
const textRange: fc.Arbitrary<Ask> = fc.record({ bound, of: text });
const missing = fc.boolean().map((is) => ({ missing: is }));
const words: fc.Arbitrary<Words> = fc.record({
  fields: fc.uniqueArray(fc.constantFrom('name', 'email', 'note', 'status', 'age'), { maxLength: 4 }),
  words: fc.array(fc.oneof(part, fc.constantFrom('4000', '4096', 'o', 'n', '@', '@an', 'n@a', '.')), { maxLength: 3 }),
});
/** Words that few rows have, beside others. */
const rareWords: fc.Arbitrary<Words> = fc.record({
  fields: fc.subarray(['name', 'email', 'status'], { minLength: 1 }),
  words: fc.array(fc.constantFrom('mike', 'Mikes', 'ıkes', 'mik', 'é', 's', '4000'), { minLength: 1, maxLength: 3 }),
});
/** Substrings that are in texts, and in how numbers are stored. */
const parts: fc.Arbitrary<Ask> = fc.record({
  substrings: fc.array(fc.constantFrom('a', 'A', 'f', '8', 'an', 'ann', 'nn', '', 'a%', '%n', 'a_n', 'an*'), {
    minLength: 1,
    maxLength: 2,
  }),
  at,
});
const ofMembers: fc.Arbitrary<Condition> = fc.record({
  field: fc.constantFrom(...COLUMNS.filter((name) => name.startsWith('more.'))),
  ask: fc.oneof(any(mixed), any(text), textAsk, parts, range, textRange, fc.record({ bound, of: numberOf }), missing),
});
/** One of a field and of what is derived of it, and of others. */
const either: fc.Arbitrary<Either> = fc.record({
  fields: fc.oneof(
    fc.constant(['email', 'email.letters']),
    fc.constant(['note', 'note.letters']),
    fc.uniqueArray(fc.constantFrom('name', 'note', 'email', 'status', ...DERIVED), { minLength: 1, maxLength: 3 }),
  ),
  any: fc.array(address, { maxLength: 3 }),
});
const ofAll: fc.Arbitrary<Condition | Either | Words> = fc.oneof(
  words,
  either,
  fc.record({ field: fc.constantFrom(...DERIVED), ask: fc.oneof(any(address), textAsk, textRange, missing) }),
  ofMembers,
  fc.record({ field: fc.constantFrom('name', 'email', 'note'), ask: fc.oneof(textAsk, textRange, missing) }),
  fc.record({ field: fc.constant('email'), ask: any(address) }),
  fc.record({ field: fc.constant('status'), ask: fc.oneof(any(status), textAsk, textRange, missing) }),
  fc.record({ field: fc.constant('age'), ask: fc.oneof(range, any(number), missing) }),
  fc.record({ field: fc.constant('changed'), ask: fc.oneof(moments, any(moment), missing) }),
  // Asks of another kind than the field's.
  fc.record({
    field: fc.constantFrom('name', 'email', 'status', 'age'),
    ask: fc.oneof(any(number), range, textRange, textAsk),
  }),
);
/** Readers of texts that begin with an m, and of those that are not empty. */
const ofM: NumberIn = (bytes, from, end) =>
  from < end && /m/i.test(String.fromCharCode(bytes[from] ?? 0)) ? end - from : undefined;
const ofSome: NumberIn = (_, from, end) => (from < end ? 1 : undefined);
const ofAlike: fc.Arbitrary<Condition | Words> = fc.oneof(
  rareWords,
  fc.record({
    field: fc.constantFrom('name', 'email', 'status', 'more.team', 'more.team', 'more.x-9_', 'more.length'),
    ask: fc.record(
      {
        bound,
        of: fc.oneof({ arbitrary: alike, weight: 4 }, fc.constantFrom(3, 0)),
        among: fc.constantFrom(ofM, ofSome),
      },
      { requiredKeys: ['bound', 'of'] },
    ),
  }),
);
const questionOf = (condition: fc.Arbitrary<Condition | Either | Words>): fc.Arbitrary<Question> =>
  fc.oneof(
    fc.constant({}),
    fc.record({ where: fc.array(condition, { maxLength: 2 }) }),
    fc.record(
      {
        where: fc.array(condition, { maxLength: 1 }),
        ids: fc.array(id, { maxLength: 12 }),
        notIds: fc.array(id, { maxLength: 12 }),
        from: id,
        to: id,
      },
      { requiredKeys: [] },
    ),
  );

const step = fc.record(
  {
    property: fc.constantFrom(...COLUMNS, 'id'),
    per: fc.constantFrom(1, 16, 4_096),
    descending: fc.boolean(),
  },
  { requiredKeys: ['property', 'descending'] },
);
const order: fc.Arbitrary<Order> = fc
  .tuple(fc.array(step, { maxLength: 3 }), fc.boolean())
  .map(([steps, descending]) => [...steps, { property: 'id', descending }]);

const spanOf = (per: number) => (number: number) => {
  const value = Math.floor(number / per);
  return { value, from: value * per, to: (value + 1) * per };
};

/** The bytes of a text. Some are none, some names are those of several, and one is no name. */
const BYTES = {
  numberIn: (bytes: Buffer, from: number, end: number) => (bytes[from] === 97 ? undefined : end - from),
  nameOf: (number: number) => (number === 1 ? undefined : `n${number % 7}`),
};

const BY: By[] = [
  ...COLUMNS.map((field) => ({ field })),
  ...COLUMNS.map((field) => ({ field, reading: BYTES })),
  ...[16, 4_096].map((per) => ({ spanOf: spanOf(per) })),
  ...[1, 3].map((per) => ({ field: 'age', spanOf: spanOf(per) })),
  ...[1, 200].map((per) => ({ field: 'changed', spanOf: spanOf(per) })),
];

const askedOf = (condition: fc.Arbitrary<Condition | Either | Words>) =>
  fc.record({
    question: questionOf(condition),
    order,
    skip: fc.nat(30),
    take: fc.nat(8),
    /** Of somebody who may be there, or have been, or never was; or before all ids, as somebody may make it up. */
    place: fc.tuple(fc.oneof({ arbitrary: id, weight: 4 }, fc.constant(-1)), fields),
    by: fc.array(fc.constantFrom(...BY), { maxLength: 3 }),
    most: fc.nat(9),
  });
type Asked = ReturnType<typeof askedOf> extends fc.Arbitrary<infer Each> ? Each : never;

type Users = ReadonlyMap<number, Row>;

/** The definition: a filter and a sort of a plain list. */
const expected = (users: Users, question: Question, order: Order): Row[] =>
  [...users.values()].filter((user) => meetsAll(KINDS, user, question)).sort(compareRows(KINDS, order));

/** The values of a user that are counted, each once: of an array its texts. */
function countedOf(by: By, row: Row): (Mixed | undefined)[] {
  if (by.field === undefined) return [by.spanOf(row.id).value];
  const kind = kindOf(KINDS, by.field) ?? 'text';
  const value = valueOfColumn(KINDS, row, by.field);
  if (by.spanOf) return [value === undefined ? undefined : by.spanOf(Number(value)).value];
  const shown = [shownValue(kind, value)].flat();
  if (by.reading) {
    const { numberIn, nameOf } = by.reading;
    const read = shown.flatMap((text) => {
      const bytes = Buffer.from(typeof text === 'string' ? text : '');
      const number = typeof text === 'string' ? numberIn(bytes, 0, bytes.length) : undefined;
      return (number !== undefined && nameOf(number)) || [];
    });
    return read.length > 0 ? [...new Set(read)] : [undefined];
  }
  return shown.length > 0 ? shown : [undefined];
}

/** All combinations of one of each. */
const combined = <Value>(lists: readonly (readonly Value[])[]): Value[][] =>
  lists.reduce<Value[][]>((all, list) => all.flatMap((some) => list.map((each) => [...some, each])), [[]]);

/** All counts of plain rows, in their order. */
function tally(rows: readonly Row[], by: readonly By[]) {
  const counts = new Map<string, { values: (Mixed | undefined)[]; count: number }>();
  for (const row of rows) {
    for (const values of combined(by.map((each) => countedOf(each, row)))) {
      const key = JSON.stringify(values);
      counts.set(key, { values, count: (counts.get(key)?.count ?? 0) + 1 });
    }
  }
  /** As columns have them. */
  const compare = (each: By | undefined, a: Mixed | undefined, b: Mixed | undefined) => {
    if (each?.field !== undefined && !each.spanOf && each.reading)
      return compareExactly('exact', a as string, b as string);
    const field = each?.field ?? 'age';
    const [x, y] = [a, b].map((value) =>
      valueIn(
        {
          id: 0,
          ...(value !== undefined &&
            (field.startsWith('more.') ? { more: { [field.slice(5)]: value } } : { [field]: value })),
        } as Row,
        field,
      ),
    );
    return compareExactly(kindOf(KINDS, field) ?? 'text', x, y);
  };
  return [...counts.values()].sort(
    (a, b) =>
      b.count - a.count || a.values.map((value, i) => compare(by[i], value, b.values[i])).find((n) => n !== 0) || 0,
  );
}

/** All verbs answer as the definition does. */
function expectAnswers(replica: Replica, users: Users, { question, order, skip, take, place, by, most }: Asked) {
  const rows = expected(users, question, order);
  const total = rows.length;
  const page = { total, rows: rows.slice(skip, skip + take), left: Math.max(total - skip - take, 0) };
  expect(pageOf(replica, question, order, skip, take)).toEqual(page);
  const [from = { id: 0 }] = [plain(place)[1]];
  for (const begin of [from, rows[skip]]) {
    const behind = begin ? rows.filter((row) => compareRows(KINDS, order)(row, begin) > 0) : rows;
    const walked = { total, rows: behind.slice(0, take), left: Math.max(behind.length - take, 0) };
    expect(pageOf(replica, question, order, begin ?? 0, take)).toEqual(walked);
  }
  const all = rowsOf(replica, question, order);
  expect({ total: all.total, rows: [...all.rows] }).toEqual({ total, rows });
  const counts = tally(rows, by);
  for (const fitting of [most, Math.min(1, most)]) {
    const shown = counts.slice(0, fitting);
    const isShown = (values: readonly (Mixed | undefined)[]) =>
      shown.some((each) => JSON.stringify(each.values) === JSON.stringify(values));
    const others = rows.filter((row) => !combined(by.map((each) => countedOf(each, row))).every(isShown)).length;
    expect(countsOf(replica, question, by, most, { tick() {} }, ({ length }) => Math.min(length, fitting))).toEqual({
      total,
      counts: shown,
      others,
    });
  }
}

const actionOf = (change: ReturnType<typeof changeOf>) =>
  fc.oneof(
    fc.array(change, { maxLength: 12 }).map((changes) => ({ changes })),
    fc.constantFrom('merge', 'pack', 'hold', 'go back'),
    fc.nat(40).map((steps) => ({ steps })),
  );

const plain = ([id, row]: readonly [number, object | undefined]): [number, Row | undefined] => [
  id,
  row && {
    id,
    ...Object.fromEntries(
      Object.entries(row)
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [field, value === USUAL ? CARRIED.changed(id) : value]),
    ),
  },
];

test.each<[string, fc.Arbitrary<Condition | Either | Words>, fc.Arbitrary<object>, number]>([
  ['of any fields', ofAll, fields, 0],
  ['of members, which few or many have', ofMembers, fields, 15],
  ['of bounds and rare words among texts that fold alike', ofAlike, alikeFields, 15],
])(
  'a replica answers questions %s as a filtered and sorted list does, whatever it went through, and so does an older one',
  (_, condition, row, minLength) => {
    const asked = askedOf(condition);
    const change = changeOf(row);
    const action = actionOf(change);
    fc.assert(
      fc.property(
        fc.record({
          few: fc.constantFrom(1, 2, 5, 1_024),
          bins: fc.constantFrom(2, 4, 4_096),
          cells: fc.constantFrom(4, 64, 1 << 20),
        }),
        fc.array(change, { minLength, maxLength: 40 }),
        fc.array(fc.tuple(action, fc.array(asked, { maxLength: 3 })), { minLength: 1, maxLength: 10 }),
        (sizes, first, steps) => {
          let users: Users = new Map(first.map(plain).flatMap(([id, row]) => (row ? [[id, row]] : [])));
          let replica = replicaFrom(KINDS, users.values(), sizes);
          const held: [Replica, Users][] = [];
          /** A merge that goes on beside the others. */
          let merge = compaction(replica);
          for (const [does, questions] of steps) {
            if (typeof does === 'object' && 'steps' in does) {
              if (merge.base !== replica.base) merge = compaction(replica);
              for (let step = 0; step < does.steps; step++) {
                if (!merge.next()) continue;
                replica = merge.movedTo(replica);
                merge = compaction(replica);
              }
            } else if (typeof does === 'object') {
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
            } else if (does === 'merge') replica = compaction(replica).movedTo(replica);
            else if (does === 'hold') held.push([replica, users]);
            else if (does === 'go back') [replica, users] = held.at(-1) ?? [replica, users];
            else {
              const { bytes, checksum } = pack(replica, CARRIED);
              replica = replicaOf(openBase(KINDS, [bytes], checksum, CARRIED), sizes);
            }
            expect(replica.total).toBe(users.size);
            for (const each of questions)
              for (const [old, then] of [...held, [replica, users] as const]) expectAnswers(old, then, each);
          }
        },
      ),
      { numRuns: 400 * TIMES },
    );
  },
);

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countsOf, pageOf } from '../../../../lib/columns/asked/questions.ts';
import { pack, replicaFrom } from '../../../../lib/columns/changed/compaction.ts';
import { open, replicaOf } from '../../../../lib/columns/changed/replica.ts';
import { Base } from '../../../../lib/columns/stored/base.ts';
import { Column } from '../../../../lib/columns/stored/column.ts';
import { Numbers } from '../../../../lib/columns/stored/numbers.ts';
import { BrokenBase, openBase, packBase } from '../../../../lib/columns/stored/pack.ts';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import type { Kinds, Row } from '../../../../lib/columns/values/definition.ts';
import { foldCase } from '../../../../lib/columns/values/text.ts';

const KINDS: Kinds = { name: 'text', status: 'exact', age: 'number', note: 'text', more: 'members' };

/** Codes of two bytes, texts that fold alike, a column without values, a member that all have, and one that few have. */
const ROWS: Row[] = Array.from({ length: 300 }, (_, i) => ({
  id: 4_096 * (i + 1),
  name: `Ann ${i}`,
  ...(i % 2 === 0 && { status: i % 4 === 0 ? 'on' : 'ON' }),
  ...(i % 3 === 0 && { age: i }),
  more: { constructor: i % 2 === 0, ...(i % 100 === 0 && { toString: ['b', String(i)] }) },
}));
const USERS = [...ROWS, { id: 7, name: 'ANN 5' }, { id: 2 ** 53 - 1, name: 'Straße', age: 2 ** 53 - 1 }];

const PACKED = pack(replicaFrom(KINDS, USERS));

const BY_NAME = [
  { property: 'name', descending: false },
  { property: 'id', descending: false },
];

/** Everything that a base can be asked. */
function answers(bytes: Buffer, checksum: number, kinds = KINDS) {
  const replica = open(kinds, [bytes], checksum);
  const ann = { where: [{ field: 'name', ask: { substrings: ['ANN 5'], at: 'includes' as const } }] };
  return [
    pageOf(replica, {}, BY_NAME, 0, 400),
    pageOf(replica, ann, BY_NAME, 0, 400),
    pageOf(replica, { where: [{ field: 'age', ask: { bound: 'gte', of: 100 } }] }, BY_NAME, 0, 400),
    countsOf(replica, {}, [{ field: 'status' }, { field: 'note' }], 400),
    ...('more' in kinds
      ? [countsOf(replica, {}, [{ field: 'more.constructor' }, { field: 'more.toString' }], 400)]
      : []),
  ];
}
const ANSWERS = answers(PACKED.bytes, PACKED.checksum);

/** The answers, or that the base is broken. Another error is thrown. */
function answersOrBroken(bytes: Buffer, checksum: number) {
  try {
    return answers(bytes, checksum);
  } catch (error) {
    if (error instanceof BrokenBase) return 'broken';
    throw error;
  }
}

const damage = fc.oneof(
  fc.record({ at: fc.nat(PACKED.bytes.length - 1), flip: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ at: fc.nat(PACKED.bytes.length - 1), cut: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ at: fc.nat(PACKED.bytes.length), insert: fc.uint8Array({ minLength: 1, maxLength: 5 }) }),
);

function damaged(bytes: Buffer, does: typeof damage extends fc.Arbitrary<infer Damage> ? Damage : never): Buffer {
  const before = bytes.subarray(0, does.at);
  if ('insert' in does) return Buffer.concat([before, does.insert, bytes.subarray(does.at)]);
  if ('cut' in does) return Buffer.concat([before, bytes.subarray(does.at + does.cut)]);
  const result = Buffer.from(bytes);
  result[does.at] = (result[does.at] ?? 0) ^ does.flip;
  return result;
}

interface Blob {
  size?: number;
  stored: number;
  raw: number;
  checksum: number;
}
interface Head {
  size: number;
  ids: Blob;
  columns: {
    field: string;
    users?: number;
    size: number;
    equals: number;
    values: Blob[];
    places: Blob[];
    same: Blob;
  }[];
}

const headOf = (bytes: Buffer): Head => JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0)));

/** The bytes with another head, and a checksum that is right. */
function withHead(bytes: Buffer, head: unknown) {
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(json.length);
  const start = Buffer.concat([prefix, json]);
  return { bytes: Buffer.concat([start, bytes.subarray(4 + bytes.readUInt32LE(0))]), checksum: crc32(start) };
}

/** The same damage behind right checksums, so that it reaches what is unpacked. */
function resealed(bytes: Buffer, at: number, flip: number) {
  const blobs = Buffer.from(bytes.subarray(4 + bytes.readUInt32LE(0)));
  blobs[at % blobs.length] = (blobs[at % blobs.length] ?? 0) ^ flip;
  const head = headOf(bytes);
  let from = 0;
  for (const blob of [head.ids, ...head.columns.flatMap(({ values, places, same }) => [...values, ...places, same])]) {
    blob.checksum = crc32(blobs.subarray(from, from + blob.stored));
    from += blob.stored;
  }
  const start = withHead(bytes, head);
  return {
    bytes: Buffer.concat([start.bytes.subarray(0, start.bytes.length - blobs.length), blobs]),
    checksum: start.checksum,
  };
}

describe('a stored base', () => {
  test('says which fields it was made with: others have no values, and columns of no field are ignored', () => {
    const kinds: Kinds = { city: 'text', age: 'number', status: 'text', id2: 'number' };
    const base = openBase(kinds, [PACKED.bytes], PACKED.checksum);
    expect(base.made).toEqual(['age']);
    expect(
      pageOf(replicaOf(base), { where: [{ field: 'city', ask: { missing: true } }] }, BY_NAME.slice(1), 1, 2),
    ).toEqual({
      total: 302,
      left: 299,
      rows: [{ id: 4_096, age: 0 }, { id: 8_192 }],
    });
  });

  test('unpacks a column when a question first needs it', () => {
    const head = headOf(PACKED.bytes);
    for (const { field, values } of head.columns) if (field === 'name' && values[0]) values[0].raw += 2;
    const { bytes, checksum } = withHead(PACKED.bytes, head);
    const replica = open(KINDS, [bytes], checksum);
    expect(
      countsOf(replica, { where: [{ field: 'age', ask: { bound: 'lt', of: 9 } }] }, [{ field: 'age' }], 9).total,
    ).toBe(3);
    expect(() => pageOf(replica, {}, BY_NAME, 0, 1)).toThrow(BrokenBase);
  });

  test('is read in parts of any size', () => {
    const parts = Array.from({ length: PACKED.bytes.length / 7 + 1 }, (_, i) =>
      PACKED.bytes.subarray(7 * i, 7 * i + 7),
    );
    expect(packBase(openBase(KINDS, parts, PACKED.checksum)).bytes).toEqual(PACKED.bytes);
  });

  test('has columns of members behind those of fields, which are as version 2.3 reads them, and few users as few bytes', () => {
    const columns = headOf(PACKED.bytes).columns.map(({ field, users }) => [field, users]);
    const ofFields = ['name', 'status', 'age', 'note'].map((field) => [field, undefined]);
    expect(columns).toEqual([...ofFields, ['more.constructor', undefined], ['more.toString', 3]]);
    const { more: _, ...fields } = KINDS;
    const without = pack(replicaFrom(fields, USERS));
    expect(answers(PACKED.bytes, PACKED.checksum, fields)).toEqual(answers(without.bytes, without.checksum, fields));
  });

  test('has its texts in blocks: a page unpacks those of its users, a search all', () => {
    const named = Array.from({ length: 20_000 }, (_, i) => ({
      id: i + 1,
      name: `Ann with a long name ${i + 100_000}`,
    }));
    const packed = pack(replicaFrom(KINDS, named));
    const whole = open(KINDS, [packed.bytes], packed.checksum);
    expect([...pageOf(whole, {}, BY_NAME, 0, named.length).rows]).toEqual(named);
    const head = headOf(packed.bytes);
    const blocks = head.columns[0]?.values ?? [];
    expect(blocks.map(({ raw }) => raw)).toEqual([262_136, 262_136, 35_728]);
    const second = blocks[1];
    if (second) second.raw--;
    const { bytes, checksum } = withHead(packed.bytes, head);
    const replica = open(KINDS, [bytes], checksum);
    for (const i of [0, 19_999]) expect([...pageOf(replica, {}, BY_NAME, i, 1).rows]).toEqual([named[i]]);
    expect(() => pageOf(replica, {}, BY_NAME, 9_999, 1)).toThrow(BrokenBase);
    expect(() =>
      pageOf(
        replica,
        { where: [{ field: 'name', ask: { substrings: ['9'], at: 'includes' as const } }] },
        BY_NAME,
        0,
        1,
      ),
    ).toThrow(BrokenBase);
  });

  const none = new Uint32Array(0);
  const numbers = (...all: number[]) => new Numbers(Float64Array.from(all));
  const names = (text: string) => new Texts(Buffer.from(text), 2, foldCase);
  const ascending = Float64Array.of(1, 2);
  test.each<[string, Float64Array, Column]>([
    ['an id twice', Float64Array.of(2, 2), new Column('text', names('a\0b\0'), Uint32Array.of(0, 1), none)],
    ['a place behind all', ascending, new Column('text', names('a\0b\0'), Uint32Array.of(0, 3), none)],
    ['an equal behind all', ascending, new Column('text', names('a\0b\0'), Uint32Array.of(0, 1), Uint32Array.of(2))],
    ['a text without end', ascending, new Column('text', names('a\0b'), Uint32Array.of(0, 1), none)],
    ['a text too many', ascending, new Column('text', names('a\0b\0c\0'), Uint32Array.of(0, 1), none)],
    ['a number twice', ascending, new Column('number', numbers(2, 2), Uint32Array.of(0, 1), none)],
    ['no number', ascending, new Column('number', numbers(1, Number.NaN), Uint32Array.of(0, 1), none)],
    ['a row less', ascending, new Column('number', numbers(1, 2), Uint32Array.of(0), none)],
  ])('with %s is broken', (_, ids, column) => {
    const kinds: Kinds = { field: column.kind === 'number' ? 'number' : 'text' };
    const order = [{ property: 'field', descending: false }, ...BY_NAME.slice(1)];
    expect(() => {
      const { bytes, checksum } = packBase(new Base(kinds, 2, ['field'], { ids: () => ids, column: () => column }));
      pageOf(open(kinds, [bytes], checksum), {}, order, 0, 2);
    }).toThrow(BrokenBase);
  });

  test('with any damage is broken, or answers as before', () => {
    fc.assert(
      fc.property(damage, (does) => {
        const outcome = answersOrBroken(damaged(PACKED.bytes, does), PACKED.checksum);
        if (outcome !== 'broken') expect(outcome).toEqual(ANSWERS);
      }),
      { numRuns: 500 },
    );
  });

  test('whose damage has right checksums never makes another error than that it is broken', () => {
    const start = 4 + PACKED.bytes.readUInt32LE(0);
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, flip, isHead) => {
        if (isHead) {
          const bytes = damaged(PACKED.bytes, { at: at % start, flip });
          answersOrBroken(bytes, crc32(bytes.subarray(0, start)));
        } else {
          const { bytes, checksum } = resealed(PACKED.bytes, at, flip);
          answersOrBroken(bytes, checksum);
        }
      }),
      { numRuns: 600 },
    );
  });

  test.each<[string, (head: Head) => unknown]>([
    ['null', () => null],
    ['no columns', ({ size, ids }) => ({ format: 3, size, ids })],
    ['another format', (head) => ({ ...head, format: 4 })],
    ['more users', (head) => ({ ...head, size: head.size + 1 })],
    ['users without end', (head) => ({ ...head, size: 2 ** 40 })],
    ['a negative number of users', (head) => ({ ...head, size: -1 })],
    ['a blob without end', (head) => ({ ...head, ids: { ...head.ids, raw: 2 ** 40 } })],
    ['a blob of negative length', (head) => ({ ...head, ids: { ...head.ids, stored: -1 } })],
    ['more values', (head) => ({ ...head, columns: head.columns.map((each) => ({ ...each, size: each.size + 1 })) })],
    [
      'more equals',
      (head) => ({ ...head, columns: head.columns.map((each) => ({ ...each, equals: each.equals + 1 })) }),
    ],
    ['no blobs', (head) => ({ ...head, columns: head.columns.map((each) => ({ ...each, places: [] })) })],
    ['a column less', (head) => ({ ...head, columns: head.columns.slice(1) })],
  ])('whose head says %s is broken', (_, change) => {
    const { bytes, checksum } = withHead(PACKED.bytes, change(headOf(PACKED.bytes)));
    expect(answersOrBroken(bytes, checksum)).toBe('broken');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { USERS_INDEXES } from '../../../lib/users/indexes.ts';
import * as formats from '../../../lib/http/formats.ts';
import { ANY_FIELD } from '../../../lib/http/listings.ts';
import {
  ACCESS_PATTERNS,
  foldMark,
  INDEX_OF_PROPERTY,
  indexKeys,
  mark,
  orderKey,
  unmark,
} from '../../../lib/users/keys.ts';
import { compareCodePoints } from '../../../lib/users/text.ts';
import { FIELD_NAMES, type User } from '../../../lib/users/user.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const user = (fields: Partial<User>): User => ({ id: 42, version: 1, name: 'Ann', ...fields });

describe('order keys', () => {
  test('hold the folded value and the id', () => {
    expect(orderKey(user({ lastName: 'Smith' }), 'lastName')).toBe('smith\u00000000000000000042');
    expect(orderKey(user({ age: 7 }), 'age')).toBe('0000000000000007\u00000000000000000042');
    expect(orderKey(user({}), 'age')).toBe('\u{10FFFF}\u0002\u00000000000000000042');
  });

  test('sort a value before every longer one, and no value after all of them', () => {
    const values = ['', 'ann', 'ann b', 'anna', '\uFFFF', '\u{1F600}', '\u{10FFFF}', '\u{10FFFF}\u{10FFFF}', undefined];
    const keys = values.map((lastName) => orderKey(user(lastName === undefined ? {} : { lastName }), 'lastName'));
    expect(keys.toSorted(compareCodePoints)).toEqual(keys);
  });

  test.each(['a', '😀', '\u{1D160}', '\uFB2C', 'İ', '\u0390', '\u1F82'])(
    'fit into 1,024 bytes for any text of %j that is accepted',
    (unit) => {
      const longest = Array.from({ length: 200 }, (_, i) => unit.repeat(200 - i)).find(formats.text) ?? '';
      expect(Buffer.byteLength(orderKey(user({ name: longest }), 'name'))).toBeLessThanOrEqual(1_024);
      expect(longest).not.toBe('');
    },
  );
});

describe('marks', () => {
  test.each([undefined, '', 'active', '\u{10FFFF}', '\u{10FFFF}\u{10FFFF}x'])('stand for %j alone', (value) => {
    expect(unmark(mark(value))).toBe(value);
  });

  test('differ from one another', () => {
    const values = [undefined, 'a', '\u{10FFFF}', '\u{10FFFF}\u{10FFFF}'];
    expect(new Set(values.map(mark)).size).toBe(values.length);
  });

  test('are sorted by their folded values', () => {
    expect(foldMark(mark('ACTIVE'))).toBe('active');
    expect(foldMark(mark(undefined))).toBe(mark(undefined));
  });
});

describe('the data model', () => {
  const table = parse(read('lib/dynamodb/tables.yml')).Resources.UsersTable.Properties;
  interface Index {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: { NonKeyAttributes: string[] };
  }

  test('has in tables.yml the indexes that the code names', () => {
    const defined = table.GlobalSecondaryIndexes.map(({ IndexName, KeySchema }: Index) => [
      IndexName,
      { partitionKey: KeySchema[0]?.AttributeName, sortKey: KeySchema[1]?.AttributeName },
    ]);
    expect(Object.fromEntries(defined)).toEqual(USERS_INDEXES);
  });

  test('writes every attribute that an index is keyed by', () => {
    const keyed = new Set(
      table.AttributeDefinitions.map(({ AttributeName }: { AttributeName: string }) => AttributeName),
    );
    expect(new Set([...Object.keys(indexKeys(user({}))), 'id'])).toEqual(keyed);
  });

  test('projects every field of a user into every index', () => {
    for (const { Projection } of table.GlobalSecondaryIndexes as Index[]) {
      expect(Projection.NonKeyAttributes).toEqual(['version', ...FIELD_NAMES]);
    }
  });

  test('has a way to sort by every property that clients may sort by', () => {
    const ways = new Set([...Object.keys(INDEX_OF_PROPERTY), 'status', 'country']);
    expect(ANY_FIELD.properties.filter((property) => !ways.has(property))).toEqual([]);
  });

  test('answers its questions with indexes that exist and functions that cite them', () => {
    const sources = [
      'lib/users/store.ts',
      'lib/users/listing/scan.ts',
      'lib/users/statistics/counts.ts',
      'lib/users/statistics/lastNames.ts',
      'lib/users/statistics/rows.ts',
      'lib/users/idempotency.ts',
      'lib/users/verification/readings.ts',
      'lib/users/verification/verifier.ts',
    ]
      .map(read)
      .join('\n');
    const readme = read('README.md');
    for (const pattern of ACCESS_PATTERNS) {
      expect(sources).toMatch(
        new RegExp(
          `${pattern.id}[^]{0,260}function\\*? ${pattern.function}\\b|${pattern.id}[^]{0,260}const ${pattern.function}\\b`,
        ),
      );
      expect(readme).toContain(`| ${pattern.id} |`);
      for (const name of pattern.index.match(/by[A-Z]\w+/g) ?? []) expect(USERS_INDEXES).toHaveProperty(name);
    }
  });
});

import { describe, expect, test } from 'vitest';
import { findDifference, type Held } from '../../../../lib/users/verification/difference.ts';
import type { Expected } from '../../../../lib/users/verification/tally.ts';

const tables = { users: 'u', directory: 'd' };
const row = { pk: 'count', sk: 'a\0b\x000' };

const find = (held: Held, expected?: Record<string, number | Set<number>>) =>
  findDifference(
    tables,
    row,
    held && { ...row, ...held },
    expected && (new Map(Object.entries(expected)) satisfies Expected),
  );

describe('a row', () => {
  test.each<[string, Held, Record<string, number | Set<number>> | undefined]>([
    ['is not there and counts nobody', undefined, undefined],
    ['holds what it has to', { n: 2, 'a\0b': 2 }, { n: 2, 'a\0b': 2 }],
    ['has zones too many', { n: 1, age: new Set([1, 2, 3]) }, { n: 1, age: new Set([2]) }],
  ])('that %s is right', (_, held, expected) => {
    expect(find(held, expected)).toBeUndefined();
  });

  test('that is missing is put there, unless somebody else has', () => {
    expect(find(undefined, { n: 2, age: new Set([3]) })).toEqual({
      fault: 'missing',
      drift: '[["n",-2]]',
      correction: {
        Put: {
          TableName: 'd',
          Item: { ...row, n: 2, age: new Set([3]) },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
    });
  });

  test('that counts nobody is deleted, unless somebody has come', () => {
    expect(find({ n: 2, age: new Set([3]) })).toEqual({
      fault: 'superfluous',
      drift: '[["age",null],["n",2]]',
      correction: {
        Delete: {
          TableName: 'd',
          Key: row,
          ConditionExpression: '#a0 = :v0',
          ExpressionAttributeNames: { '#a0': 'n' },
          ExpressionAttributeValues: { ':v0': 2 },
        },
      },
    });
    expect(find({ age: new Set([3]) })?.correction.Delete).toEqual({
      TableName: 'd',
      Key: row,
      ConditionExpression: 'attribute_not_exists(#a0)',
      ExpressionAttributeNames: { '#a0': 'n' },
    });
  });

  test('with a wrong count is changed where it is wrong, unless any count has changed', () => {
    expect(find({ n: 5, 'a\0b': 2, 'c\0d': 0, right: 1 }, { n: 3, 'a\0b': 2, 'e\0f': 1, right: 1 })).toEqual({
      fault: 'wrong count',
      drift: '[["c\\u0000d",0],["e\\u0000f",-1],["n",2]]',
      correction: {
        Update: {
          TableName: 'd',
          Key: row,
          UpdateExpression: 'SET #a0 = :v0, #a1 = :v1 REMOVE #a2',
          ConditionExpression: '#a1 = :v2 AND #a2 = :v3 AND attribute_not_exists(#a0) AND #a3 = :v4 AND #a4 = :v5',
          ExpressionAttributeNames: { '#a0': 'e\0f', '#a1': 'n', '#a2': 'c\0d', '#a3': 'a\0b', '#a4': 'right' },
          ExpressionAttributeValues: { ':v0': 1, ':v1': 3, ':v2': 5, ':v3': 0, ':v4': 2, ':v5': 1 },
        },
      },
    });
  });

  test('with a zone missing gets it beside those that it has, and drifts by nothing', () => {
    expect(find({ n: 1, age: new Set([1]) }, { n: 1, age: new Set([2]), name: new Set([7]) })).toEqual({
      fault: 'missing zone',
      drift: '[]',
      correction: {
        Update: {
          TableName: 'd',
          Key: row,
          UpdateExpression: 'ADD #a0 :v0, #a1 :v1',
          ConditionExpression: '#a2 = :v2',
          ExpressionAttributeNames: { '#a0': 'age', '#a1': 'name', '#a2': 'n' },
          ExpressionAttributeValues: { ':v0': new Set([2]), ':v1': new Set([7]), ':v2': 1 },
        },
      },
    });
  });

  test('whose zones are no numbers is given others', () => {
    expect(find({ n: 1, age: new Set(['x']) }, { n: 1, age: new Set([2]) })?.correction.Update).toMatchObject({
      UpdateExpression: 'SET #a0 = :v0',
      ConditionExpression: '#a1 = :v1 AND #a0 = :v2',
    });
  });

  test('with hundreds of wrong counts is corrected in steps that an expression has room for', () => {
    const counts = (value: number) => Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}\0`, value]));
    const difference = find({ n: 600, ...counts(1) }, { n: 600, ...counts(2) });
    const { UpdateExpression = '', ConditionExpression = '' } = difference?.correction.Update ?? {};
    expect(UpdateExpression.split(',')).toHaveLength(50);
    expect(ConditionExpression.split('AND')).toHaveLength(120);
    expect(Math.max(UpdateExpression.length, ConditionExpression.length)).toBeLessThan(4_096);
    const missing = find({ n: 600 }, { n: 600, ...counts(2) })?.correction.Update?.ConditionExpression ?? '';
    expect(missing.length).toBeLessThan(4_096);
  });
});

import { describe, expect, test } from 'vitest';
import { type Indexes, nextStep } from '../../../../lib/tooling/deploy/indexSteps.ts';

const index = (IndexName: string, key: string) => ({
  IndexName,
  KeySchema: [{ AttributeName: key, KeyType: 'HASH' as const }],
  Projection: { ProjectionType: 'ALL' as const },
});

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });

/** A table with an index by each of these. */
const table = (...names: string[]): Indexes => ({
  KeySchema: [{ AttributeName: 'id' }],
  AttributeDefinitions: [text('id'), ...names.map((name) => text(`${name}Key`))],
  GlobalSecondaryIndexes: names.map((name) => index(name, `${name}Key`)),
});

/** The description of the table by DynamoDB. */
const deployed = (...names: string[]) => ({
  ...table(...names),
  GlobalSecondaryIndexes: table(...names).GlobalSecondaryIndexes.map((one) => ({
    ...one,
    IndexStatus: 'ACTIVE',
    ItemCount: 3,
  })),
});

describe('one deployment', () => {
  test('changes nothing if all indexes exist', () => {
    expect(nextStep(table('a', 'b'), deployed('b', 'a'))).toEqual({ table: table('a', 'b'), left: [] });
  });

  test('makes one of the new indexes, and defines only the attributes in use', () => {
    expect(nextStep(table('a', 'b', 'c', 'd'), deployed('b'))).toEqual({ table: table('a', 'b'), left: ['c', 'd'] });
  });

  test('makes the last new index', () => {
    expect(nextStep(table('a', 'b'), deployed('a'))).toEqual({ table: table('a', 'b'), left: [] });
  });

  test('deletes an unused index', () => {
    expect(nextStep(table('b'), deployed('a', 'b'))).toEqual({ table: table('b'), left: [] });
  });

  test('deletes one of several unused indexes', () => {
    const { table: next, left } = nextStep(table('b'), deployed('a', 'b', 'c'));
    expect(next.GlobalSecondaryIndexes).toEqual([index('b', 'bKey'), index('c', 'cKey')]);
    expect(next.AttributeDefinitions.map(({ AttributeName }) => AttributeName).sort()).toEqual(['bKey', 'cKey', 'id']);
    expect(left).toEqual(['c']);
  });

  test('makes new indexes before it deletes unused ones', () => {
    const { table: next, left } = nextStep(table('new', 'newer'), deployed('old'));
    expect(next.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)).toEqual(['new', 'old']);
    expect(left).toEqual(['newer', 'old']);
  });

  test('makes all indexes of a new table', () => {
    expect(nextStep(table('a'), { GlobalSecondaryIndexes: [] }).table).toEqual(table('a'));
  });
});

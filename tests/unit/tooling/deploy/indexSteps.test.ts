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

/** As DynamoDB tells of it. */
const deployed = (...names: string[]) => ({
  ...table(...names),
  GlobalSecondaryIndexes: table(...names).GlobalSecondaryIndexes.map((one) => ({
    ...one,
    IndexStatus: 'ACTIVE',
    ItemCount: 3,
  })),
});

describe('one deployment', () => {
  test('changes nothing where all indexes are there', () => {
    expect(nextStep(table('a', 'b'), deployed('b', 'a'))).toEqual({ table: table('a', 'b'), left: [] });
  });

  test('makes one of the new indexes, and only defines what it needs', () => {
    expect(nextStep(table('a', 'b', 'c', 'd'), deployed('b'))).toEqual({ table: table('a', 'b'), left: ['c', 'd'] });
  });

  test('makes the last one', () => {
    expect(nextStep(table('a', 'b'), deployed('a'))).toEqual({ table: table('a', 'b'), left: [] });
  });

  test('deletes one that is no longer wanted', () => {
    expect(nextStep(table('b'), deployed('a', 'b'))).toEqual({ table: table('b'), left: [] });
  });

  test('deletes one of several, and keeps the others as they are', () => {
    const { table: next, left } = nextStep(table('b'), deployed('a', 'b', 'c'));
    expect(next.GlobalSecondaryIndexes).toEqual([index('b', 'bKey'), index('c', 'cKey')]);
    expect(next.AttributeDefinitions.map(({ AttributeName }) => AttributeName).sort()).toEqual(['bKey', 'cKey', 'id']);
    expect(left).toEqual(['c']);
  });

  test('makes new ones before it deletes old ones', () => {
    const { table: next, left } = nextStep(table('new', 'newer'), deployed('old'));
    expect(next.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)).toEqual(['new', 'old']);
    expect(left).toEqual(['newer', 'old']);
  });

  test('has all of them where there was no table', () => {
    expect(nextStep(table('a'), { GlobalSecondaryIndexes: [] }).table).toEqual(table('a'));
  });
});

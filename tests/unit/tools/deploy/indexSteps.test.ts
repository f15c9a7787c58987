import { expect, test } from 'vitest';
import { type Indexes, nextStep } from '../../../../tools/deploy/indexSteps.ts';

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

test.each<[string, string[], string[], string[], string[]]>([
  ['changes nothing if all indexes exist', ['a', 'b'], ['b', 'a'], ['a', 'b'], []],
  ['makes one of the new indexes', ['a', 'b', 'c', 'd'], ['b'], ['a', 'b'], ['c', 'd']],
  ['makes the last new index', ['a', 'b'], ['a'], ['a', 'b'], []],
  ['deletes an unused index', ['b'], ['a', 'b'], ['b'], []],
  ['deletes one of several unused indexes', ['b'], ['a', 'b', 'c'], ['b', 'c'], ['c']],
  ['makes new indexes before it deletes unused ones', ['new', 'newer'], ['old'], ['new', 'old'], ['newer', 'old']],
  ['makes one index of a table without any', ['a', 'b'], [], ['a'], ['b']],
])('one deployment %s, and defines only the attributes in use', (_, wanted, there, made, left) => {
  const inAnyOrder = (one: Indexes) => ({ ...one, AttributeDefinitions: new Set(one.AttributeDefinitions) });
  const next = nextStep(table(...wanted), deployed(...there));
  expect(inAnyOrder(next.table)).toEqual(inAnyOrder(table(...made)));
  expect(next.left).toEqual(left);
});

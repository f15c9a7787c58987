import { randomUUID } from 'node:crypto';
import { type CreateTableCommandInput, DynamoDBClient, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { useLocalCredentials } from '../../tools/local/environment.ts';
import { createMissingTables } from '../../tools/local/tables.ts';

useLocalCredentials();
const client = new DynamoDBClient({ endpoint: inject('endpoint'), region: 'local' });

const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE' = 'HASH') => ({ AttributeName, KeyType });
const attribute = (AttributeName: string, AttributeType: 'N' | 'S') => ({ AttributeName, AttributeType });

const projecting = (...NonKeyAttributes: string[]) => ({ ProjectionType: 'INCLUDE' as const, NonKeyAttributes });

const BY_KIND = {
  IndexName: 'byKind',
  KeySchema: [key('kind'), key('id', 'RANGE')],
  Projection: projecting('name', 'age'),
} satisfies GlobalSecondaryIndex;
const BY_KIND_ONLY: GlobalSecondaryIndex = {
  IndexName: 'byKindOnly',
  KeySchema: [key('kind')],
  Projection: { ProjectionType: 'KEYS_ONLY' },
};

const definition = (TableName: string, changes: Partial<CreateTableCommandInput> = {}): CreateTableCommandInput => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [attribute('id', 'N'), attribute('kind', 'S')],
  KeySchema: [key('id')],
  GlobalSecondaryIndexes: [BY_KIND, BY_KIND_ONLY],
  ...changes,
});

const withIndex = (changes: Partial<GlobalSecondaryIndex>) => ({
  GlobalSecondaryIndexes: [{ ...BY_KIND, ...changes }, BY_KIND_ONLY],
});

describe('a table that exists', () => {
  test.each<[string, Partial<CreateTableCommandInput>]>([
    ['the key', { KeySchema: [key('kind')] }],
    ['an index', { GlobalSecondaryIndexes: [BY_KIND_ONLY] }],
    ['what is projected', withIndex({ Projection: projecting('name') })],
  ])('is refused when %s has changed', async (_, changes) => {
    const name = randomUUID();
    await createMissingTables(client, [definition(name)]);
    await expect(createMissingTables(client, [definition(name, changes)], 'start again')).rejects.toThrow(
      new Error(`Table ${name} exists with other keys, attributes or indexes than this version has: start again.`),
    );
  });

  test('is used when its definition has only another order', async () => {
    const name = randomUUID();
    await createMissingTables(client, [definition(name)]);
    const reordered = definition(name, {
      AttributeDefinitions: [attribute('kind', 'S'), attribute('id', 'N')],
      GlobalSecondaryIndexes: [BY_KIND_ONLY, { ...BY_KIND, Projection: projecting('age', 'name') }],
    });
    await expect(createMissingTables(client, [reordered])).resolves.toBeUndefined();
  });
});

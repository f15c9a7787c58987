import { randomUUID } from 'node:crypto';
import {
  type CreateTableCommandInput,
  DynamoDBClient,
  type GlobalSecondaryIndex,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, test } from 'vitest';
import { useLocalCredentials } from '../../lib/tooling/local/environment.ts';
import { requireFormat } from '../../lib/tooling/local/format.ts';
import { createMissingTables } from '../../lib/tooling/local/tables.ts';
import { serviceOn } from '../support/service.ts';

useLocalCredentials();
const client = new DynamoDBClient({ endpoint: inject('endpoint'), region: 'local' });

const definition = (TableName: string) =>
  ({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'N' },
      { AttributeName: 'kind', AttributeType: 'S' },
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byKind',
        KeySchema: [
          { AttributeName: 'kind', KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name', 'age'] },
      },
      {
        IndexName: 'byKindOnly',
        KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  }) satisfies CreateTableCommandInput;

type Definition = ReturnType<typeof definition>;
type Change = (given: Definition) => CreateTableCommandInput;

const withFirstIndex = (given: Definition, change: Partial<GlobalSecondaryIndex>): CreateTableCommandInput => ({
  ...given,
  GlobalSecondaryIndexes: given.GlobalSecondaryIndexes.map((index, n) => (n === 0 ? { ...index, ...change } : index)),
});

const CHANGES: [what: string, change: Change][] = [
  ['the key', (given) => ({ ...given, KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }] })],
  [
    'the type of an attribute',
    (given) => ({
      ...given,
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'kind', AttributeType: 'S' },
      ],
    }),
  ],
  ['an index', (given) => ({ ...given, GlobalSecondaryIndexes: given.GlobalSecondaryIndexes.slice(1) })],
  ['the name of an index', (given) => withFirstIndex(given, { IndexName: 'byType' })],
  [
    'the key of an index',
    (given) => withFirstIndex(given, { KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }] }),
  ],
  ['the kind of a projection', (given) => withFirstIndex(given, { Projection: { ProjectionType: 'ALL' } })],
  [
    'what is projected',
    (given) => withFirstIndex(given, { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] } }),
  ],
];

describe('a table that exists', () => {
  test.each(CHANGES)('is refused when %s has changed', async (_, change) => {
    const name = randomUUID();
    await createMissingTables(client, [definition(name)]);
    await expect(createMissingTables(client, [change(definition(name))], 'start again')).rejects.toThrow(
      new Error(`Table ${name} exists with other keys, attributes or indexes than this version has: start again.`),
    );
  });

  test('is used when its definition has only another order', async () => {
    const name = randomUUID();
    const given = definition(name);
    await createMissingTables(client, [given]);
    const reordered = withFirstIndex(given, {
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['age', 'name'] },
    });
    const same = {
      ...reordered,
      AttributeDefinitions: given.AttributeDefinitions.toReversed(),
      GlobalSecondaryIndexes: reordered.GlobalSecondaryIndexes?.toReversed(),
    };
    await expect(createMissingTables(client, [same])).resolves.toBeUndefined();
  });
});

describe('data in a table', () => {
  async function inFormat(format: string) {
    const { tables } = await serviceOn.embedded();
    const Item = { pk: { S: 'journal' }, sk: { S: '#head' }, format: { N: format } };
    await client.send(new PutItemCommand({ TableName: tables.directory, Item }));
    return tables.directory;
  }

  test.each(['3', '6'])('is refused when it has format %s', async (format) => {
    const directory = await inFormat(format);
    await expect(requireFormat(client, directory, 'start again')).rejects.toThrow(
      new Error(
        `Table ${directory} has data of format ${format}, and this version knows only formats 4 to 5: start again, or use the version that wrote the data.`,
      ),
    );
  });

  test('is used when this version wrote it, even before the first fold', async () => {
    const { tables, users, fold } = await serviceOn.embedded();
    await expect(requireFormat(client, tables.directory, 'start again')).resolves.toBeUndefined();
    await users.create({ name: 'Ann' });
    await expect(requireFormat(client, tables.directory, 'start again')).resolves.toBeUndefined();
    await fold();
    await expect(requireFormat(client, tables.directory, 'start again')).resolves.toBeUndefined();
  });
});

test('a DynamoDB that cannot be reached is named in the message', async () => {
  const nobody = new DynamoDBClient({ endpoint: 'http://127.0.0.1:1', region: 'local' });
  await expect(createMissingTables(nobody, [definition('users')])).rejects.toThrow(
    'DynamoDB does not describe table users: connect ECONNREFUSED 127.0.0.1:1',
  );
});

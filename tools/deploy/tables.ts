import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { reasonOf } from '../program/stop.ts';
import { ofType, type Resources } from './resource.ts';

const MAX_WAIT_SECONDS = 30;

/** The properties that CloudFormation and the CreateTable action share, word for word. */
const TABLE_PROPERTIES = ['TableName', 'AttributeDefinitions', 'KeySchema', 'GlobalSecondaryIndexes', 'BillingMode'];

/** The tables of a template as input of CreateTable. Backups, encryption and the like mean nothing locally. */
export const tableDefinitions = (resources: Resources): CreateTableCommandInput[] =>
  ofType(resources, 'DynamoDB::Table').map(([, { Properties }]) => {
    const shared = Object.entries(Properties).filter(([property]) => TABLE_PROPERTIES.includes(property));
    return Object.fromEntries(shared) as unknown as CreateTableCommandInput;
  });

/** @returns undefined if there is no such table */
export async function describeTable(client: DynamoDBClient, TableName = ''): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw new Error(`DynamoDB does not describe table ${TableName}: ${reasonOf(error)}`, { cause: error });
  }
}

export type Definition = CreateTableCommandInput | TableDescription;
type Index = Pick<GlobalSecondaryIndex, 'IndexName' | 'KeySchema' | 'Projection'>;

const shapeOfKeys = (schema: KeySchemaElement[] = []) =>
  schema.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);

const shapeOfIndex = ({ IndexName, KeySchema, Projection: { ProjectionType, NonKeyAttributes = [] } = {} }: Index) =>
  JSON.stringify([IndexName, shapeOfKeys(KeySchema), ProjectionType, NonKeyAttributes.toSorted()]);

/** Everything that cannot be changed in a table, in a fixed order. */
const shapeOf = ({ KeySchema, AttributeDefinitions = [], GlobalSecondaryIndexes = [] }: Definition): string =>
  JSON.stringify([
    shapeOfKeys(KeySchema),
    AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`).sort(),
    (GlobalSecondaryIndexes as Index[]).map(shapeOfIndex).sort(),
  ]);

/** Whether items written to one table would be the same in the other. */
export const isSameShape = (a: Definition, b: Definition): boolean => shapeOf(a) === shapeOf(b);

/**
 * Creates the tables that are missing.
 *
 * @param wayOut tells the user what to do with a table that does not fit
 * @throws {Error} when a table exists with another definition: another version has written its data
 */
export async function createMissingTables(
  client: DynamoDBClient,
  tables: CreateTableCommandInput[],
  wayOut = 'delete it',
) {
  for (const definition of tables) {
    const { TableName } = definition;
    const existing = await describeTable(client, TableName);
    if (existing && !isSameShape(existing, definition))
      throw new Error(
        `Table ${TableName} exists with other keys, attributes or indexes than this version has: ${wayOut}.`,
      );
    if (existing) continue;
    await client.send(new CreateTableCommand(definition)).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1 }, { TableName });
  }
}

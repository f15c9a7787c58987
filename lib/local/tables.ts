import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

/** A resource of a CloudFormation template. */
export interface TemplateResource {
  Type: string;
  Properties: Record<string, unknown>;
}

const MAX_WAIT_SECONDS = 30;

/** The properties that CloudFormation and the CreateTable action share, word for word. */
const TABLE_PROPERTIES = ['TableName', 'AttributeDefinitions', 'KeySchema', 'GlobalSecondaryIndexes', 'BillingMode'];

/** What CreateTable needs of the tables in a template. Backups, encryption and the like have no local meaning. */
export function tableDefinitions(resources: Record<string, TemplateResource>): CreateTableCommandInput[] {
  const tables = Object.values(resources).filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
  return tables.map(({ Properties }) => {
    const shared = Object.entries(Properties).filter(([property]) => TABLE_PROPERTIES.includes(property));
    return Object.fromEntries(shared) as unknown as CreateTableCommandInput;
  });
}

async function describe(client: DynamoDBClient, TableName: string | undefined): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

const shapeOf = ({ KeySchema, GlobalSecondaryIndexes = [] }: CreateTableCommandInput | TableDescription): string => {
  const keys = (schema: typeof KeySchema) => schema?.map(({ AttributeName }) => AttributeName).join('+');
  const indexes = GlobalSecondaryIndexes.map((index) => `${index.IndexName}:${keys(index.KeySchema)}`).sort();
  return [keys(KeySchema), ...indexes].join(' ');
};

function unlessCreatedMeanwhile(error: unknown): void {
  if (!(error instanceof ResourceInUseException)) throw error;
}

/**
 * Creates the tables that are missing.
 *
 * @throws {Error} when a table is there with other keys or indexes: its data was written by another version
 */
export async function createMissingTables(
  client: DynamoDBClient,
  definitions: CreateTableCommandInput[],
): Promise<void> {
  for (const definition of definitions) {
    const existing = await describe(client, definition.TableName);
    if (existing && shapeOf(existing) !== shapeOf(definition)) {
      throw new Error(
        `Table ${definition.TableName} exists with other keys or indexes than serverless.yml defines. ` +
          'Delete it, or the data file, and start again.',
      );
    }
    if (existing) continue;
    await client.send(new CreateTableCommand(definition)).catch(unlessCreatedMeanwhile);
    await waitUntilTableExists(
      { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1 },
      { TableName: definition.TableName },
    );
  }
}

import { type CreateTableCommandInput, DynamoDBClient, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lib/users/database.ts';
import { refusalOf } from './adoption.ts';
import { type ClientConfig, type Existing, readExisting } from './existing.ts';
import type { Resource, Resources } from './resource.ts';
import { describeTable } from './tables.ts';

/** A deployment that is about to begin. */
export interface Rollout {
  stage: string;
  stack: string;
  tables: TableNames;
  resources: Resources;
  isAdopting: boolean;
}

const definitionOf = ({ Properties }: Resource) => Properties as unknown as CreateTableCommandInput;

/** The stack does not make tables of another stack, or restored ones: they must exist. */
function missingOf({ users, directory }: Existing, tables: TableNames): string | undefined {
  const missing = [users ? [] : tables.users, directory ? [] : tables.directory].flat();
  return missing.length > 0 ? `There is no table ${missing.join(' and no table ')}.` : undefined;
}

/**
 * Adapts a template to the resources of its stage that already exist. No template protects tables, except that of an adoption: they are
 * protected after the deployment. A failed first deployment could not delete protected tables that it has made, and one that is rolled
 * back gives tables what the template before says.
 *
 * @returns why it cannot be deployed, and what to do, in one sentence
 */
export async function fitToStage(config: ClientConfig, rollout: Rollout): Promise<string | undefined> {
  const { stage, stack, resources, isAdopting } = rollout;
  const found = await readExisting(config, stack, rollout.tables);
  const { UsersTable, DirectoryTable } = resources;
  if (!UsersTable || !DirectoryTable) return missingOf(found, rollout.tables);
  const [users, directory] = [definitionOf(UsersTable), definitionOf(DirectoryTable)];
  const refusal = refusalOf(found, { stage, isAdopting, users, directory });
  if (refusal) return refusal;
  for (const table of [UsersTable, DirectoryTable]) {
    // A failed import must leave the tables, so they are retained until the next deployment, whatever the stage says.
    if (isAdopting && !found.hasTables) table.DeletionPolicy = 'Retain';
    else table.Properties.DeletionProtectionEnabled = false;
  }
  return undefined;
}

/** Completes what the deployment could not do. */
export async function protectTables(config: ClientConfig, tables: TableNames): Promise<void> {
  const dynamo = new DynamoDBClient(config);
  for (const TableName of [tables.users, tables.directory]) {
    const table = await describeTable(dynamo, TableName);
    if (table && !table.DeletionProtectionEnabled)
      await dynamo.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  }
}

/** The tables of a door on this machine. */
import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parse } from 'yaml';
import { optionalVariable } from '../../lib/ground/index.ts';
import { createMissingTables, tableDefinitions } from '../deploy/tables.ts';
import { startLocalStore } from '../local/localStore.ts';
import { useLocalCredentials } from '../local/workFolder.ts';
import type { DoorFolder } from './doors.ts';

interface Tables {
  /** The variables of the door that name them. */
  tables: Record<string, string>;
  stop: () => Promise<unknown>;
}

/**
 * Makes the tables of a door's serverless.yml in an embedded DynamoDB, which forgets them at its end, or in the one of
 * `AWS_ENDPOINT_URL_DYNAMODB`. The SDK of this process is led there. A table has the name of its resource.
 */
export async function startTables(door: DoorFolder): Promise<Tables> {
  const { provider, resources } = parse(readFileSync(door.file('serverless.yml'), 'utf8'), { logLevel: 'silent' });
  const all: [name: string, { Properties: object }][] = Object.entries(resources?.Resources ?? {});
  const named = all.map(([TableName, { Properties, ...rest }]) => {
    return [TableName, { ...rest, Properties: { ...Properties, TableName: `${door.name}-${TableName}` } }] as const;
  });
  const definitions = tableDefinitions(Object.fromEntries(named) as never);
  if (definitions.length === 0) return { tables: {}, stop: async () => {} };
  useLocalCredentials();
  process.env.AWS_REGION ??= 'local';
  const store = optionalVariable('AWS_ENDPOINT_URL_DYNAMODB') ? undefined : await startLocalStore();
  if (store) process.env.AWS_ENDPOINT_URL_DYNAMODB = store.endpoint;
  await createMissingTables(new DynamoDBClient(), definitions);
  const tables = Object.entries<string>(provider.environment).flatMap(([variable, value]) =>
    Object.hasOwn(resources.Resources, value) ? [[variable, `${door.name}-${value}`]] : [],
  );
  return { tables: Object.fromEntries(tables), stop: async () => store?.stop() };
}

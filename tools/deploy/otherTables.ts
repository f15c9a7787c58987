import type { TableNames } from '../../lib/users/database.ts';
import type { PermissionWord, ServedTables } from './permissions.ts';
import type { Resources } from './resource.ts';
import type { Triggered } from './triggers.ts';

interface Service {
  functions: Record<string, Triggered & { permissions?: PermissionWord[] }>;
  resources: { Resources: Resources };
}

/** Without a stream only the schedule calls the function. */
function leaveOutStream({ functions }: Service): void {
  for (const definition of Object.values(functions)) {
    definition.events = definition.events.filter(({ stream }) => stream === undefined);
    definition.permissions = definition.permissions?.filter((word) => word !== 'readStream') ?? [];
  }
}

function nameStream({ functions }: Service, arn: string): void {
  for (const event of Object.values(functions).flatMap(({ events }) => events)) {
    if (event.stream) event.stream = { ...event.stream, arn };
  }
}

/** Whether a stage uses the tables of its own stack. */
export const areOwn = ({ users, directory }: TableNames, own: string): boolean =>
  users === `${own}-users` && directory === `${own}-directory`;

/**
 * A stage that uses other tables must not create them. It needs both tables.
 *
 * @param own the prefix of the stack's own table names
 * @returns why the tables cannot be used, in one sentence
 */
export function leaveOutTables(service: Service, tables: ServedTables, own: string): string | undefined {
  const { users, directory, stream } = tables;
  if (areOwn(tables, own)) return stream === '' ? undefined : 'USERS_STREAM goes with USERS_TABLE and DIRECTORY_TABLE.';
  if (users === `${own}-users` || directory === `${own}-directory` || users === '' || directory === '') {
    return 'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.';
  }
  if (stream !== '' && !stream.includes(`:table/${users}/stream/`))
    return `USERS_STREAM must be the ARN of a stream of table ${users}.`;
  delete service.resources.Resources.UsersTable;
  delete service.resources.Resources.DirectoryTable;
  if (stream === '') leaveOutStream(service);
  else nameStream(service, stream);
  return undefined;
}

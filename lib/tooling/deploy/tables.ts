import type { TableNames } from '../../users/database.ts';
import type { FunctionEvents } from './events.ts';
import type { PermissionWord } from './permissions.ts';
import type { Resource } from './resource.ts';

interface Service {
  functions: Record<string, FunctionEvents & { permissions?: PermissionWord[] }>;
  resources: { Resources: Record<string, Resource> };
}

/**
 * A stage that serves from other tables than its own must not create them; only both together make sense. Nothing is known of
 * a stream of theirs, so that the schedule alone calls who would be called by it.
 *
 * @param own how the names of the stack's own tables begin
 * @returns why it cannot be, in one sentence
 */
export function leaveOutTables({ functions, resources }: Service, tables: TableNames, own: string): string | undefined {
  const { users, directory } = tables;
  const others = [users !== `${own}-users`, directory !== `${own}-directory`].filter(Boolean).length;
  if (others === 0) return undefined;
  if (others === 1 || users === '' || directory === '') {
    return 'Set both USERS_TABLE and DIRECTORY_TABLE to the names of tables, or neither.';
  }
  delete resources.Resources.UsersTable;
  delete resources.Resources.DirectoryTable;
  for (const definition of Object.values(functions)) {
    definition.events = definition.events.filter(({ stream }) => stream === undefined);
    definition.permissions = definition.permissions?.filter((word) => word !== 'readStream') ?? [];
  }
  return undefined;
}

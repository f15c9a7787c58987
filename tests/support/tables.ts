import { parse } from 'yaml';
import type { TableNames } from '../../lib/users/database.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import { tableDefinitions } from '../../tools/local/tables.ts';
import { read } from './files.ts';

/** The tables of the template under these names, as the framework resolves them. */
export function templateTables(names: TableNames) {
  const resolved = read('lib/users/tables.yml')
    .replaceAll('${self:custom.tables.users}', names.users)
    .replaceAll('${self:custom.tables.directory}', names.directory);
  const { Resources } = parse(resolved);
  Object.assign(Resources.UsersTable.Properties, usersTableSchema());
  return tableDefinitions(Resources);
}

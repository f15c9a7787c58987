import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { TableNames } from '../../lib/users/database.ts';
import { usersTableSchema } from '../../lib/users/indexes.ts';
import { tableDefinitions } from '../deploy/tables.ts';

const TEMPLATE = new URL('../../lib/users/tables.yml', import.meta.url);

/** The tables of the template under these names, as the framework resolves them. */
export function templateTables(names: TableNames) {
  const resolved = readFileSync(TEMPLATE, 'utf8')
    .replaceAll('${self:custom.tables.users}', names.users)
    .replaceAll('${self:custom.tables.directory}', names.directory);
  const { Resources } = parse(resolved);
  Object.assign(Resources.UsersTable.Properties, usersTableSchema());
  return tableDefinitions(Resources);
}

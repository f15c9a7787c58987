import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import { scanItems } from '../../lib/dynamodb/scan.ts';
import { ServiceError } from '../../lib/errors.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import type { Database, TableNames } from '../../lib/users/database.ts';
import { withJournal } from '../../lib/users/journal/journal.ts';
import { SIZES } from '../../lib/users/sizes.ts';
import type { ClientConfig } from './stage.ts';

/** What is in existing tables, as far as a deployment must know it. */
export type Contents = Pick<Database, 'dynamo' | 'runtime' | 'tables' | 'sizes'>;

export const contentsOf = (config: ClientConfig, tables: TableNames): Contents => ({
  dynamo: createDynamo({ ...config, ...UNHURRIED }),
  runtime: systemRuntime,
  tables,
  sizes: SIZES,
});

const WAY_OUT = 'compute them with "npm run verify -- --restored" for this stage, then deploy again';

export const otherTotal = ({ users, directory }: TableNames, counted: number, there: number): string =>
  `Table ${directory} has the statistics of ${counted} users, and ${users} has ${there} users: ${WAY_OUT}.`;

/** The head of the journal, or why there is none that stands for the users. */
async function readTotal(contents: Contents): Promise<number | string> {
  try {
    return await withJournal(contents, async ({ total }) => total);
  } catch (error) {
    if (error instanceof ServiceError) return `${error.message}.`;
    throw error;
  }
}

/**
 * Why a stage cannot adopt tables, in one sentence: a Directory table that is empty, or of another moment than the users, would
 * deny users. Nobody writes to such tables, so the users can be counted: a read unit for 4 KB of them.
 */
export async function contentsRefusalOf(contents: Contents): Promise<string | undefined> {
  const total = await readTotal(contents);
  if (typeof total === 'string') return total;
  let there = 0;
  await scanItems(contents, contents.tables.users, ({ length }) => {
    there += length;
  });
  return there === total ? undefined : otherTotal(contents.tables, total, there);
}

/**
 * The names of attributes that users have: one item. Lists have a column for each, so their number is limited. A writer who gives a user a
 * new one adds it before; a merge takes out those that nobody has. A name that is taken out while a writer who knows it gives it to
 * somebody is there again after the next merge: so for some minutes there may be as many more as a merge has taken out.
 */
import { Again, get, retry, transact } from '../dynamodb/index.ts';
import { type ServiceError, unavailable } from '../ground/index.ts';
import type { Database } from './database.ts';
import type { Change } from './entry.ts';
import { userError } from './errors.ts';
import { attributeIn, attributeOf } from './user.ts';

const KEY = { pk: 'names', sk: '-' };

/** A container reads them again after these milliseconds. */
const KNOWN_MS = 5 * 60_000;

/** Each time another writer has added a name. */
const MAX_TRIES = 20;

interface Names {
  names: readonly string[];
  version: number;
}

/** D24. The names of attributes. Strongly consistent: one read unit for each 4 KB, so at most nine. */
export async function readNames(database: Database): Promise<Names> {
  const { names = [], version = 0 } = (await get(database, database.tables.directory, KEY)) ?? {};
  return { names: names as string[], version: Number(version) };
}

/** @returns false if another writer was faster */
const putNames = (database: Database, { version }: Names, names: readonly string[]): Promise<boolean> =>
  transact(database, [
    {
      Put: {
        TableName: database.tables.directory,
        Item: { ...KEY, names, version: version + 1 },
        ConditionExpression: 'attribute_not_exists(pk) OR version = :version',
        ExpressionAttributeValues: { ':version': version },
      },
    },
  ]);

function refusal(name: string, most: number): ServiceError {
  const detail = `attributes.${name} is a new name, and a stage has at most ${most} names`;
  return userError('validation', detail, { failures: [{ detail, pointer: `/attributes/${name}` }] });
}

/** Makes what is called before a change is written. It reads and writes only for names that this container does not know. */
export function createNameCheck(database: Database) {
  const { limits, runtime } = database;
  let known: ReadonlySet<string> = new Set();
  let since = Number.NEGATIVE_INFINITY;

  const withAll = (own: readonly string[]): Promise<ReadonlySet<string>> =>
    retry(runtime, MAX_TRIES, async () => {
      const found = await readNames(database);
      const all = new Set([...found.names, ...own]);
      if (all.size === found.names.length) return all;
      const [name = ''] = own.filter((each) => !found.names.includes(each));
      if (all.size > limits.attributeNames) throw refusal(name, limits.attributeNames);
      const isPut = await putNames(database, found, [...all]);
      return isPut ? all : new Again(unavailable('Other writers add names of attributes'));
    });

  /** @throws {ServiceError} 400 for a name beyond what a stage may have */
  return async ({ before, after }: Pick<Change, 'before' | 'after'>): Promise<void> => {
    const own = Object.keys(after?.attributes ?? {}).filter(
      (name) => attributeOf(before?.attributes, name) === undefined,
    );
    const isLate = runtime.monotonic() - since > KNOWN_MS;
    if (own.length === 0 || (!isLate && own.every((name) => known.has(name)))) return;
    known = await withAll(own);
    since = runtime.monotonic();
  };
}

/** Leaves the names that somebody has. If a writer has added one since they were read, the next merge does. @param columns of a base */
export async function keepNames(database: Database, found: Names, columns: readonly string[]): Promise<void> {
  const names = columns.flatMap((column) => attributeIn(column) ?? []);
  const isSame = names.length === found.names.length && names.every((name) => found.names.includes(name));
  if (!isSame) await putNames(database, found, names);
}

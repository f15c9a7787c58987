import { indexesOf, rulesOf } from '../../http/listings.ts';
import { USERS_INDEXES, type UsersIndex } from '../../users/indexes.ts';
import type { ServedTables } from './tables.ts';

/** An IAM statement without its effect. */
export interface Permission {
  Action: string[];
  Resource: unknown[];
}

/** `action thing`: a thing is a table, an index of the users table, or its stream. */
type Grant = `${string} ${'users' | 'directory' | 'stream'}` | `Query users/index/${string}`;

/** All statistics, the journal among them, are in one table. */
const READ_STATISTICS: Grant[] = ['Query directory'];

/** A transaction needs the right to each kind of write in it; a write of a user adds to the journal. */
const ADD_TO_JOURNAL: Grant[] = ['PutItem directory'];

const queries = (indexes: readonly UsersIndex[]): Grant[] =>
  indexes.map(({ name }): Grant => `Query users/index/${name}`);

/** What a function does with the tables, in the words of `permissions` in serverless.yml. */
const MEANINGS = {
  /** One user by id. */
  readUser: ['GetItem users'],
  /** Users as they are to be: new ones and changed ones. */
  putUsers: ['PutItem users', ...ADD_TO_JOURNAL],
  deleteUsers: ['DeleteItem users', ...ADD_TO_JOURNAL],
  /** Which user an Idempotency-Key has created. */
  rememberRequests: ['GetItem directory', 'PutItem directory'],
  /** How many users there are, in all or by a value, without reading them. */
  readStatistics: READ_STATISTICS,
  /** Users in order, from the indexes that lib/http/listings.ts says the function can be asked for. */
  readLists: READ_STATISTICS,
  /** What was written since the last time, into the statistics. To cut a list that has grown into segments, it is read. */
  fold: [
    ...READ_STATISTICS,
    'PutItem directory',
    'UpdateItem directory',
    'BatchWriteItem directory',
    ...queries(USERS_INDEXES),
  ],
  /** To be called after writes. */
  readStream: ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map(
    (action): Grant => `${action} stream`,
  ),
} as const satisfies Record<string, readonly Grant[]>;

export type PermissionWord = keyof typeof MEANINGS;

export const PERMISSION_WORDS = Object.keys(MEANINGS) as PermissionWord[];

/** What the words beside a function let it do: each action on each thing once, as `action thing`. */
export function grantsOf(functionName: string, words: readonly PermissionWord[]): Grant[] {
  const grants = words.flatMap((word): Grant[] => [
    ...MEANINGS[word],
    ...(word === 'readLists' ? queries(indexesOf(rulesOf(functionName))) : []),
  ]);
  return [...new Set(grants)];
}

function arnOf(thing: string, tables: ServedTables): unknown {
  if (thing === 'stream') return tables.stream || { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] };
  const [table = '', ...rest] = thing.split('/');
  const path = [table === 'users' ? tables.users : tables.directory, ...rest].join('/');
  return { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${path}` };
}

/** The statements of a role: one for each action, with all that it may be done to. */
export function permissionsOf(
  functionName: string,
  words: readonly PermissionWord[],
  tables: ServedTables,
): Permission[] {
  const things = new Map<string, string[]>();
  for (const grant of grantsOf(functionName, words)) {
    const [action = '', thing = ''] = grant.split(' ');
    things.set(action, [...(things.get(action) ?? []), thing]);
  }
  return [...things].map(([action, resources]) => ({
    Action: [`dynamodb:${action}`],
    Resource: resources.map((thing) => arnOf(thing, tables)),
  }));
}

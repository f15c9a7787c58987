import { CURSOR } from '../../lib/events/cursor.ts';
import { indexesOf, type ListingRules, rulesOf } from '../../lib/http/listingRules.ts';
import type { TableNames } from '../../lib/users/database.ts';
import { USERS_INDEXES, type UsersIndex } from '../../lib/users/indexes.ts';

/** The tables of a stage, and the stream of its users. The framework does not know the stream of other tables. */
export interface ServedTables extends TableNames {
  /** The ARN of the stream. Empty if there is none, or for the stack's own. */
  stream: string;
}

/** An IAM statement without its effect. */
export interface Permission {
  Action: string[];
  Resource: unknown[];
  Condition?: object;
}

/** `action resource`: a resource is a table, one partition of it, an index of the users table, its stream, or the bus of events. */
type Grant =
  | `${string} ${'users' | 'directory' | 'stream' | 'bus'}`
  | `${string} directory#${string}`
  | `Query users/index/${string}`;

/** One table has the journal and all statistics. */
const READ_STATISTICS: Grant[] = ['Query directory'];

/** A transaction needs the permission for each kind of write in it. Every write of a user adds a journal entry. */
const ADD_TO_JOURNAL: Grant[] = ['PutItem directory'];

const queries = (indexes: readonly UsersIndex[]): Grant[] =>
  indexes.map(({ name }): Grant => `Query users/index/${name}`);

/** What a function does with the tables, by the words of `permissions` in serverless.yml. */
const MEANINGS = {
  /** One user by id. */
  readUser: ['GetItem users'],
  /** New and changed users. */
  putUsers: ['PutItem users', ...ADD_TO_JOURNAL],
  /** The lives of an id: a user with a given id. */
  beginLives: ['GetItem directory', 'PutItem directory'],
  deleteUsers: ['DeleteItem users', ...ADD_TO_JOURNAL],
  /** The user that an Idempotency-Key has created. */
  rememberRequests: ['GetItem directory', 'PutItem directory'],
  /** The number of users, of all or by a value. Without statistics it is asked whether there is any user. */
  readStatistics: [...READ_STATISTICS, 'Query users/index/byId'],
  /** Users in order, from the indexes that lib/http/listingRules.ts gives for the function. */
  readLists: READ_STATISTICS,
  /** Whose an e-mail address is, only at stages where it is one user's. */
  takeEmails: ['GetItem directory', 'PutItem directory', 'Query users/index/byId'],
  freeEmails: ['DeleteItem directory'],
  /** Moves journal entries into the statistics. Reads lists that have grown, to cut them into segments. */
  fold: [
    ...READ_STATISTICS,
    'PutItem directory',
    'UpdateItem directory',
    'BatchWriteItem directory',
    'PartiQLInsert directory',
    'PartiQLUpdate directory',
    ...queries(USERS_INDEXES),
  ],
  /** What is kept of changes, and which are not kept yet. */
  readChanges: ['Query directory', 'BatchGetItem directory'],
  readHistory: ['Query directory'],
  /** Puts what is kept of changes on the bus. Writes only where it has come to. */
  sendEvents: ['Query directory', 'BatchGetItem directory', `UpdateItem directory#${CURSOR}`, 'PutEvents bus'],
  eraseHistory: ['Query directory', 'BatchWriteItem directory'],
  /** Called after writes, by the stream. */
  readStream: ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map(
    (action): Grant => `${action} stream`,
  ),
} as const satisfies Record<string, readonly Grant[]>;

export type PermissionWord = keyof typeof MEANINGS;

/** What a stage without unique e-mails does not give. */
export const FOR_UNIQUE_EMAILS: readonly PermissionWord[] = ['takeEmails', 'freeEmails'];

export const PERMISSION_WORDS = Object.keys(MEANINGS) as PermissionWord[];

const readingOf = (rules: ListingRules): Grant[] => [
  ...queries(indexesOf(rules)),
  ...(rules.filters.includes('id') ? (['BatchGetItem users'] as const) : []),
];

/** What the words of a function allow: each action on each resource once, as `action resource`. */
export function grantsOf(functionName: string, words: readonly PermissionWord[]): Grant[] {
  const grants = words.flatMap((word): Grant[] => [
    ...MEANINGS[word],
    ...(word === 'readLists' ? readingOf(rulesOf(functionName)) : []),
  ]);
  return [...new Set(grants)];
}

function arnOf(thing: string, tables: ServedTables): unknown {
  if (thing === 'bus') return { 'Fn::GetAtt': ['EventBus', 'Arn'] };
  if (thing === 'stream') return tables.stream || { 'Fn::GetAtt': ['UsersTable', 'StreamArn'] };
  const [table = '', ...rest] = thing.split('/');
  const path = [table === 'users' ? tables.users : tables.directory, ...rest].join('/');
  return { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${path}` };
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html */
const within = (partition: string) => ({
  Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } },
});

/** The statements of a role: one for each action, with all of its resources. An action on one partition has its own. */
export function permissionsOf(name: string, words: readonly PermissionWord[], tables: ServedTables): Permission[] {
  const things = new Map<string, string[]>();
  for (const grant of grantsOf(name, words)) {
    const [, action = '', thing = '', partition = ''] = /^(\w+) ([^#]+)#?(.*)$/.exec(grant) ?? [];
    const of = `${thing === 'bus' ? 'events' : 'dynamodb'}:${action} ${partition}`;
    things.set(of, [...(things.get(of) ?? []), thing]);
  }
  return [...things].map(([of, resources]) => {
    const [action = '', partition = ''] = of.split(' ');
    const Resource = resources.map((thing) => arnOf(thing, tables));
    return { Action: [action], Resource, ...(partition !== '' && within(partition)) };
  });
}

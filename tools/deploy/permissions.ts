import { CURSOR } from '../../lib/events/cursor.ts';
import type { TableNames } from '../../lib/users/database.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';

/** The partition of the head, which readers change when they ask the fold for something: lib/replica/entry.ts. */
const JOURNAL = 'journal';

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

/**
 * A transaction needs the permission for each kind of write in it. Every write of a user adds an entry to the journal, and one that is
 * refused may have to put an item that spends its token. Now and then a writer looks at the head, which may say that writes must slow down.
 */
const ADD_TO_JOURNAL: Grant[] = ['PutItem directory', 'GetItem directory'];

/** The calls of a function to the tables, by the words of `permissions` in serverless.yml. */
const MEANINGS = {
  /** One user by id. */
  readUser: ['GetItem users'],
  /** New and changed users. */
  putUsers: ['PutItem users', ...ADD_TO_JOURNAL],
  /** The lives of an id: a user with a given id. */
  beginLives: ['GetItem users', 'PutItem users'],
  deleteUsers: ['DeleteItem users', ...ADD_TO_JOURNAL],
  /** The user that an Idempotency-Key has created. */
  rememberRequests: ['GetItem directory', 'PutItem directory'],
  /** All users: the journal, deltas and the base. Notes in the head that one of these does not hold, and writes nothing else. */
  readLists: ['Query directory', 'BatchGetItem directory', `UpdateItem directory#${JOURNAL}`],
  /** Users by id, of all or with one status or country. */
  walkIndexes: USERS_INDEXES.map(({ name }): Grant => `Query users/index/${name}`),
  /** Whether a stage where e-mails are unique has had users before, only there. */
  takeEmails: ['GetItem directory', 'PutItem directory', 'Query users/index/byId'],
  freeEmails: ['DeleteItem directory'],
  /** External ids, and e-mails where they are unique, that a user leaves to others. */
  freeValues: ['DeleteItem directory'],
  /** Moves entries of the journal into deltas, and these into the next base. Reads all users for the base of a new or lost head. */
  fold: [
    'Query directory',
    'BatchGetItem directory',
    'UpdateItem directory',
    'BatchWriteItem directory',
    'PartiQLInsert directory',
    'Scan users',
    'GetItem users',
    // The names of attributes.
    'GetItem directory',
    'PutItem directory',
  ],
  /** Reads the changes that are kept, and those that are not kept yet. */
  readChanges: ['Query directory', 'BatchGetItem directory'],
  readHistory: ['Query directory'],
  /** An edit, without its users. */
  readEdit: ['Query directory'],
  /** Puts what is kept of changes on the bus. Writes only where it has come to. */
  sendEvents: ['Query directory', 'BatchGetItem directory', `UpdateItem directory#${CURSOR}`, 'PutEvents bus'],
  /** Notes in the head that the next base should be without what is erased. */
  eraseHistory: ['Query directory', 'BatchWriteItem directory', `UpdateItem directory#${JOURNAL}`],
  /** Called after writes, by the stream. */
  readStream: ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'].map(
    (action): Grant => `${action} stream`,
  ),
} as const satisfies Record<string, readonly Grant[]>;

export type PermissionWord = keyof typeof MEANINGS;

/** The permissions that a stage without unique e-mails does not grant. */
export const FOR_UNIQUE_EMAILS: readonly PermissionWord[] = ['takeEmails', 'freeEmails'];

export const PERMISSION_WORDS = Object.keys(MEANINGS) as PermissionWord[];

/** The permissions of some words: each action on each resource once, as `action resource`. */
export const grantsOf = (words: readonly PermissionWord[]): Grant[] => [
  ...new Set(words.flatMap((word): readonly Grant[] => MEANINGS[word])),
];

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
export function permissionsOf(words: readonly PermissionWord[], tables: ServedTables): Permission[] {
  const things = new Map<string, string[]>();
  for (const grant of grantsOf(words)) {
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

/** The cursor variant: a page of an index by id, then the journal, which has what the index may lack. It needs no replica. */
import type { Question, Row } from '../columns/index.ts';
import { queryPages } from '../dynamodb/index.ts';
import { unavailable } from '../ground/index.ts';
import { type IsKnown, READ_WITHIN_MS, readRecent, type Tag } from '../replica/index.ts';
import { questionAfter } from './asked.ts';
import { type Database, toUser, USER } from './database.ts';
import type { Filters } from './filters.ts';
import { MAX_ID } from './ids.ts';
import { USERS_INDEXES, type UsersIndex } from './indexes.ts';
import type { CursorQuery, Unchanged, UserBatch } from './questions.ts';
import type { ListedUser } from './user.ts';

/** The users of one partition of an index, by id. */
export interface Walk {
  index: UsersIndex;
  value: string;
}

/** The walk that has just the users who some filters ask for. Undefined if no index has: then the replica is asked. */
export function walkOf(filters: Filters): Walk | undefined {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const [first, ...others] = given;
  if (!first) return { index: USERS_INDEXES[0], value: USER };
  const index = USERS_INDEXES.find(({ partitionKey }) => partitionKey === first[0]);
  const [value, ...more] = [first[1]].flat();
  return index && others.length + more.length === 0 ? { index, value: String(value) } : undefined;
}

const isIn = ({ index: { partitionKey }, value }: Walk, user: ListedUser): boolean =>
  partitionKey === 'entity' || user[partitionKey] === value;

/** A stretch of an index: all of its users between two ids. */
interface Stretch {
  users: ListedUser[];
  /** The last id of the stretch; the highest there is, if nobody is behind it. */
  to: number;
}

/** L1. Users of an index after an id. Eventually consistent: half a read unit for each 4 KB. */
async function readStretch(database: Database, { index, value }: Walk, after: number, take: number): Promise<Stretch> {
  const range = { table: database.tables.users, index: index.name, sort: 'id', from: after + 1 };
  const partition = [index.partitionKey, value] as const;
  const users: ListedUser[] = [];
  // A page has at most a megabyte, and may have less than was asked for.
  for await (const { items, isLast } of queryPages(database, { ...range, partition }, { expected: take })) {
    for (const { version: _, ...user } of items.map(toUser)) users.push(user);
    if (isLast) return { users, to: MAX_ID };
    if (users.length >= take) break;
  }
  return { users, to: users.at(-1)?.id ?? after };
}

/** The users of a stretch as the journal has them: one who is in it has the newest state, or is gone. */
function mended(
  walk: Walk,
  { users, to }: Stretch,
  after: number,
  written: Iterable<readonly [id: number, row: Row | undefined]>,
): ListedUser[] {
  const found = new Map<number, ListedUser | undefined>(users.map((user) => [user.id, user]));
  for (const [id, row] of written) {
    const user = row as ListedUser | undefined;
    if (id > after && id <= to) found.set(id, user && isIn(walk, user) ? user : undefined);
  }
  return [...found.values()].filter((user) => user !== undefined).sort((a, b) => a.id - b.id);
}

/** Some more than are asked for: a few of them may be gone. */
const SPARE = 4;

/**
 * The first users after an id. An index lacks a write for less than the stage's minimum age. The journal keeps its entry for a
 * second longer than that age, so it is read within a second after the index.
 *
 * @returns undefined where the journal lacks young writes, after its head was lost: the replica has them
 */
async function readAfter(
  database: Database,
  walk: Walk,
  { after, size }: Pick<CursorQuery, 'after' | 'size'>,
): Promise<{ tag: Tag; users: ListedUser[] } | undefined> {
  const { runtime, limits } = database;
  let take = size + SPARE;
  for (let reading = 0; reading < limits.readings; reading++) {
    const began = runtime.monotonic();
    const stretch = await readStretch(database, walk, after, take);
    const { tag, written, lacksYoung } = await readRecent(database);
    if (lacksYoung) return undefined;
    if (runtime.monotonic() - began > READ_WITHIN_MS) continue;
    const users = mended(walk, stretch, after, written()).slice(0, size);
    if (users.length === size || stretch.to === MAX_ID) return { tag, users };
    take *= 2;
  }
  throw unavailable(`An index and the journal could not be read within a second, ${limits.readings} times`);
}

/**
 * Users by id, from an index of DynamoDB and the journal if they have it.
 *
 * @param fromLists answers from the lists of the stage
 */
export async function listAfter(
  database: Database,
  { filters, after, size }: CursorQuery,
  isKnown: IsKnown | undefined,
  fromLists: (question: Question) => Promise<UserBatch | Unchanged>,
): Promise<UserBatch | Unchanged> {
  const others = () => fromLists(questionAfter(filters, after));
  const walk = walkOf(filters);
  if (!walk) return others();
  const known = isKnown && (await readRecent(database));
  if (known && isKnown(known.tag)) return { tag: known.tag };
  return (await readAfter(database, walk, { after, size })) ?? others();
}

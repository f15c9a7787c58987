/**
 * Cuts a row that counts too many users into parts, by the users themselves, when no other batch is written. The order makes it right:
 *
 *   node of the row ─▶ users in the index ─▶ journal, last ─▶ users as the folds left them ─▶ parts: in sum equal to the row?
 *                      too new, or missing    has all who       as before their oldest         ├ yes: written, if the node is as
 *                      where it is late       are too new       entry, or not at all           │      it was read. Then it is split
 *                                                                                              └ no: the index is late. Later again
 */
import { queryItems } from '../../dynamodb/query.ts';
import { callsAtOnce, inParallel } from '../../parallel.ts';
import { cutIntoSegments, cutIntoSums } from '../counts/cuts.ts';
import { treeOf } from '../counts/maps.ts';
import { isEqual, type Level, listAt, mapOf, rangeAt, SEGMENT_MAPS, sumOf } from '../counts/segments.ts';
import { usersIn } from '../counts/users.ts';
import type { Database } from '../database.ts';
import type { UsersIndex } from '../indexes.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Head } from '../journal/head.ts';
import { type Items, readItems } from '../journal/items.ts';
import { contains, isWithin, keyIn, type Span, spanQuery } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { ChangedRow } from '../tree/add.ts';
import { readFloor } from '../tree/nodes.ts';
import { AT_REST, readRows, rowsOf } from '../tree/read.ts';
import type { Row } from '../tree/rows.ts';
import type { Node } from '../tree/tree.ts';
import { replaceRows } from '../tree/write.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';

/** L3. The users of a span, as the index has them. */
const readUsers = ({ dynamo, tables }: Database, span: Span): Promise<User[]> =>
  Array.fromAsync(queryItems(dynamo, spanQuery(tables.users, span)), toUser);

/** The users of a span as the folds have left them, in its order: without what the journal says. */
function folded(users: readonly User[], entries: readonly JournalEntry[], span: Span): User[] {
  const { list } = span;
  // Newest first, so the oldest entry of each user is left.
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  const before = [...oldest.values()].flatMap((entry) =>
    entry.before && contains(list, entry.before) ? [entry.before] : [],
  );
  return [...before, ...users.filter(({ id }) => !oldest.has(id))]
    .map((user) => ({ user, key: keyIn(list.index, user) }))
    .filter(({ key }) => isWithin(span, key))
    .sort((x, y) => compareCodePoints(x.key, y.key))
    .map(({ user }) => user);
}

const mostOf = ({ sizes }: Database, level: Level): number => (level === 'sums' ? sizes.sumUsers : sizes.segmentUsers);

/** A row that has more users than it should have. */
export interface Grown {
  index: UsersIndex;
  level: Level;
  key: string;
}

/** A grown row with its node, and with its parts as soon as the journal is known. */
interface Split extends Grown {
  generation: string;
  node: Node;
  rows: readonly Row[];
  row: Row;
  partsWith(items: Items): Row[];
}

/** Reads the row and what it stands for. Undefined if it need not be split. */
async function prepare(database: Database, generation: string, grown: Grown): Promise<Split | undefined> {
  const { index, level, key } = grown;
  const { sizes } = database;
  const tree = treeOf(database, generation);
  const map = mapOf(level, index);
  const node = await readFloor(tree, map.name, key);
  const rows = node ? rowsOf([node]) : [];
  const at = rows.findIndex((row) => row.key === key);
  const row = rows[at];
  if (!node || !row || usersIn(row) <= mostOf(database, level)) return undefined;
  const next = rows[at + 1]?.key ?? node.end;
  if (level === 'sums') {
    const segments = mapOf('segments', index);
    const { startOf } = segments;
    // A list without users may have segments and no sum.
    const own = (await readRows(tree, segments, { from: key, to: next }, AT_REST)).filter(
      (each) => startOf(each.key) === startOf(key),
    );
    return { ...grown, generation, node, rows, row, partsWith: () => cutIntoSums(own, sizes.sumUsers) };
  }
  const list = listAt(index, key);
  const span = { list, ...rangeAt(list, key, next) };
  const users = await readUsers(database, span);
  const partsWith = ({ fresh, head }: Items) =>
    cutIntoSegments(list, span.from, folded(users, fresh, span), sizes.segmentUsers, head.buckets);
  return { ...grown, generation, node, rows, row, partsWith };
}

/** Writes the parts of some rows of one node in their places. @returns the rows whose parts are not, in sum, what they say */
async function write(database: Database, items: Items, splits: readonly Split[]): Promise<readonly Grown[]> {
  const [first] = splits;
  if (!first || first.node.epoch > items.head.epoch || first.generation !== items.head.generation) return [];
  const cut = splits.map((split) => ({ ...split, parts: split.partsWith(items) }));
  const late = cut.filter(({ row, parts }) => !isEqual(sumOf(parts), row));
  const partsOf = new Map(cut.filter((each) => !late.includes(each)).map(({ key, parts }) => [key, parts]));
  const replaced = first.rows.flatMap((row) => partsOf.get(row.key) ?? [row]);
  if (replaced.length > first.rows.length) await replaceRows(treeOf(database, first.generation), first.node, replaced);
  return late.map(({ index, level, key }) => ({ index, level, key }));
}

export const grownRows = (database: Database, changed: readonly ChangedRow[]): Grown[] =>
  changed.flatMap(({ map, row }) => {
    const place = SEGMENT_MAPS.get(map.name);
    const isGrown = place && usersIn(row) > mostOf(database, place.level);
    return isGrown ? [{ index: place.index, level: place.level, key: row.key }] : [];
  });

/** The most rows that are split with one reading of a short journal, how many times as many with a long one, and the most at a time. */
const AT_ONCE = 32;
const MOST_TIMES = 8;
const PARALLEL = 4;

/**
 * Splits rows that a batch has made too large, after all of its nodes are written. One that another writer prevents is tried again
 * when the row grows further.
 *
 * @param until a moment of the monotonic clock. No split begins after it
 * @returns the rows that are left: their index is late, or the time was over
 */
export async function splitGrown(
  database: Database,
  { epoch, generation }: Head,
  grown: readonly Grown[],
  until = Number.POSITIVE_INFINITY,
): Promise<Grown[]> {
  const left: Grown[] = [];
  const atOnce = callsAtOnce(grown.length, PARALLEL);
  let most = AT_ONCE;
  for (let start = 0; start < grown.length; ) {
    if (database.runtime.monotonic() >= until) return [...left, ...grown.slice(start)];
    const some = grown.slice(start, start + most);
    start += some.length;
    const prepared = await inParallel(some, atOnce, (each) => prepare(database, generation, each));
    const items = await readItems(database);
    most = AT_ONCE * Math.min(items.pages, MOST_TIMES);
    // Another batch is being written.
    if (items.head.batch.length > 0 && items.head.epoch !== epoch) return left;
    const byNode = Map.groupBy(
      prepared.flatMap((split) => split ?? []),
      ({ node: { pk, sk, revision } }) => `${pk} ${sk} ${revision}`,
    );
    left.push(...(await inParallel([...byNode.values()], atOnce, (splits) => write(database, items, splits))).flat());
  }
  return left;
}

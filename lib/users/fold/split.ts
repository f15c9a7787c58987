import { queryItems } from '../../dynamodb/query.ts';
import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import type { UsersIndex } from '../indexes.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { type Items, readItems } from '../journal/items.ts';
import { SEPARATOR } from '../keys.ts';
import { contains, isWithin, keyIn, type List, type Span, spanQuery } from '../lists.ts';
import { isEqual, type Level, mapOf, placeOf, rowOfUsers, SEGMENT_MAPS, sumOf, USERS } from '../statistics/segments.ts';
import { treeOf } from '../statistics/statistics.ts';
import { compareCodePoints } from '../text.ts';
import { readFloor, readNodes } from '../tree/nodes.ts';
import { rowsOf } from '../tree/read.ts';
import type { Row } from '../tree/rows.ts';
import type { Tree } from '../tree/tree.ts';
import { replaceRows } from '../tree/write.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';
import type { ChangedRow } from './apply.ts';

/** The size that a split aims at, with room to grow. */
const AIM = 0.75;

/** No value has this character. */
const END_OF_TEXT = '\u0003';

/** A short text above one key and not above the next: bounds are read with every deep page. A part of the id tells keys of one text apart. */
export function separatorOf(below: string, above: string): string {
  let shared = 0;
  while (shared < above.length && below[shared] === above[shared]) shared++;
  const endOfText = above.lastIndexOf(SEPARATOR);
  if (shared > endOfText) return above.slice(0, shared + 1);
  const separator = above.slice(0, shared) + String.fromCodePoint(above.codePointAt(shared) ?? 0) + END_OF_TEXT;
  const isBetween = compareCodePoints(below, separator) < 0 && compareCodePoints(separator, above) < 0;
  return isBetween ? separator : above.slice(0, endOfText + 1);
}

/** Cuts what is in order into parts of equal length, none longer than a part of the limit. */
function even<Item>(items: readonly Item[], most: number): Item[][] {
  const parts = Math.ceil(items.length / Math.max(1, Math.floor(most * AIM)));
  return Array.from({ length: parts }, (_, i) =>
    items.slice(Math.floor((i * items.length) / parts), Math.floor(((i + 1) * items.length) / parts)),
  );
}

/** The segments of some users of a list, who are in its order, from a bound on. */
export function segmentsOf(list: List, from: string | undefined, users: readonly User[], most: number): Row[] {
  const keyOf = (user: User | undefined) => (user ? keyIn(list.index, user) : '');
  const parts = even(users, most);
  return parts.map((part, i) =>
    rowOfUsers(list, i === 0 ? from : separatorOf(keyOf(parts[i - 1]?.at(-1)), keyOf(part[0])), part),
  );
}

/** The sums of segments, which come in nodes. A sum begins where a node does. */
export function sumsOf(key: string, nodes: readonly { from: string; rows: readonly Row[] }[], most: number): Row[] {
  const sums: Row[] = [];
  let [from, rows, users] = [key, [] as Row[], 0];
  for (const node of nodes) {
    const more = node.rows.reduce((sum, { counts }) => sum + (counts.get(USERS) ?? 0), 0);
    if (rows.length > 0 && users + more > most * AIM) {
      sums.push(sumOf(from, rows));
      [from, rows, users] = [node.from, [], 0];
    }
    rows.push(...node.rows);
    users += more;
  }
  return [...sums, sumOf(from, rows)];
}

/** L3. The users of a part of a list as the folds have left them, without what the journal says, in the order of the list. */
async function readFolded({ dynamo, tables }: Database, entries: readonly JournalEntry[], span: Span): Promise<User[]> {
  const { list } = span;
  // Newest first, so the oldest entry of each user is left.
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  const users = [...oldest.values()].flatMap(({ before }) => (before && contains(list, before) ? [before] : []));
  for await (const item of queryItems(dynamo, spanQuery(tables.users, span))) {
    if (!oldest.has(Number(item.id))) users.push(toUser(item));
  }
  const keyed = users.map((user) => ({ user, key: keyIn(list.index, user) })).filter(({ key }) => isWithin(span, key));
  return keyed.sort((a, b) => compareCodePoints(a.key, b.key)).map(({ user }) => user);
}

/** The nodes of segments that a sum stands for. */
async function readSummed(tree: Tree, index: UsersIndex, from: string, to: string | undefined) {
  const nodes = await readNodes(tree, mapOf('segments', index).name, { from, to });
  const isOwn = ({ key }: Row) =>
    compareCodePoints(key, from) >= 0 && (to === undefined || compareCodePoints(key, to) < 0);
  return nodes
    .map((node, i) => ({ from: node.sk, rows: rowsOf([{ ...node, end: nodes[i + 1]?.sk ?? node.end }]).filter(isOwn) }))
    .filter(({ rows }) => rows.length > 0);
}

/** Splits a row that has grown, at rest. An index may be late: the parts are accepted only if they are, in sum, what the row says. */
async function splitRow(
  database: Database,
  { head, entries }: Items,
  { index, level }: { index: UsersIndex; level: Level },
  key: string,
): Promise<void> {
  const { sizes } = database;
  if (head.batch.length > 0) return;
  const tree = treeOf(database, head.generation);
  const map = mapOf(level, index);
  const node = await readFloor(tree, map.name, key);
  if (!node || node.epoch > head.epoch) return;
  const rows = rowsOf([node]);
  const at = rows.findIndex((row) => row.key === key);
  const row = rows[at];
  if (!row || (row.counts.get(USERS) ?? 0) <= mostOf(database, level)) return;
  const next = rows[at + 1]?.key ?? node.end;
  const { list, from } = placeOf(index, key);
  const other = next === undefined ? undefined : placeOf(index, next);
  const to = other?.list.partition === list.partition ? other.from : undefined;
  const parts =
    level === 'segments'
      ? segmentsOf(list, from, await readFolded(database, entries, { list, from, to }), sizes.segmentUsers)
      : sumsOf(key, await readSummed(tree, index, key, next), sizes.sumUsers);
  if (parts.length < 2 || !isEqual(sumOf(key, parts), row)) return;
  await replaceRows(
    tree,
    map,
    node,
    rows.flatMap((each) => (each === row ? parts : [each])),
  );
}

const PARALLEL_MAPS = 4;

const mostOf = ({ sizes }: Database, level: Level): number => (level === 'sums' ? sizes.sumUsers : sizes.segmentUsers);

/** Splits what a batch has made too large. What another writer prevents is tried again when it grows further. */
export async function splitGrown(database: Database, changed: readonly ChangedRow[]): Promise<void> {
  await inParallel(SEGMENT_MAPS, PARALLEL_MAPS, async ({ index, level, map }) => {
    const most = mostOf(database, level);
    const grown = changed.filter((each) => each.map.name === map.name && (each.row.counts.get(USERS) ?? 0) > most);
    if (grown.length === 0) return;
    const items = await readItems(database);
    for (const { row } of grown) await splitRow(database, items, { index, level }, row.key);
  });
}

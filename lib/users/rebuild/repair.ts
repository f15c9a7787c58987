import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { deleteItems, putItems } from '../../dynamodb/batchWrite.ts';
import { isConditionFailed } from '../../dynamodb/errors.ts';
import { unavailable } from '../../errors.ts';
import type { Database } from '../database.ts';
import { stillHeld } from '../journal/head.ts';
import type { List } from '../lists.ts';
import { levelsOf, type Member, segmentsOf } from '../statistics/boundaries.ts';
import { type Entry, encodePage } from '../statistics/packing.ts';
import { positionOf, trim } from '../statistics/page.ts';
import { FIRST_BOUND, type PageItem, readBounds, readPages, WHOLE_MAP } from '../statistics/pages.ts';
import { newPages, split, writePage } from '../statistics/pageWrites.ts';
import { publish } from '../statistics/segmented.ts';
import { type Level, segmentsMap } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';

/** The entries in a range of positions, without its end. */
function between(entries: readonly Entry[], from: string, to: string | undefined): Entry[] {
  return trim(entries, to).flatMap(({ key, counts }) => {
    const kept = [...counts].filter(([bucket]) => compareCodePoints(positionOf(key, bucket), from) >= 0);
    return kept.length === 0 ? [] : [{ key, counts: new Map(kept) }];
  });
}

/** Writes pages from the last to the first, so that readers always find the next page of a page. */
async function putPages({ dynamo, tables, runtime }: Database, pages: readonly PageItem[]): Promise<void> {
  await putItems({ dynamo, runtime }, tables.directory, pages.toReversed() as unknown as Record<string, unknown>[]);
}

/** Deletes a map, its first page first: without it, readers treat the map as missing. */
async function deleteMap(database: Database, pk: string): Promise<void> {
  const [first, ...others] = (await readBounds(database, pk)).map((sk) => ({ pk, sk }));
  if (!first) return;
  await deleteItems(database, database.tables.directory, [first]);
  await deleteItems(database, database.tables.directory, others);
}

/**
 * A page that is empty is swept: the one before it takes its place and its epoch, lest a fold that was frozen takes it
 * for a page that lacks the batch; then it goes.
 */
async function sweep(
  database: Database,
  before: PageItem,
  entries: readonly Entry[],
  page: PageItem,
): Promise<boolean> {
  const { pk, sk } = before;
  const epoch = Math.max(before.epoch, page.epoch);
  if (!(await writePage(database, { pk, sk, epoch, end: page.end }, entries, before))) return false;
  try {
    await database.dynamo.send(
      new DeleteCommand({
        TableName: database.tables.directory,
        Key: { pk, sk: page.sk },
        ConditionExpression: 'revision = :revision',
        ExpressionAttributeValues: { ':revision': page.revision },
      }),
    );
    return true;
  } catch (error) {
    if (isConditionFailed(error)) return false;
    throw error;
  }
}

/** Corrects a map of counts page by page, while the fold is held. Removes empty pages. */
export async function repairMap(
  database: Database,
  pk: string,
  epoch: number,
  expected: readonly Entry[],
): Promise<void> {
  const pages = await readPages(database, pk, WHOLE_MAP);
  if (pages[0]?.sk !== FIRST_BOUND) {
    await deleteMap(database, pk);
    await putPages(database, newPages(database, pk, epoch, expected));
    return;
  }
  let last: { page: PageItem; entries: Entry[] } | undefined;
  for (const [i, page] of pages.entries()) {
    const entries = between(expected, page.sk, pages[i + 1]?.sk);
    if (last && entries.length === 0 && (await sweep(database, last.page, last.entries, page))) {
      const epoch = Math.max(last.page.epoch, page.epoch);
      last.page = { ...last.page, epoch, revision: last.page.revision + 1, end: page.end };
      continue;
    }
    const next = { pk, sk: page.sk, epoch: page.epoch, end: page.end };
    if (Buffer.compare(encodePage(entries), page.data) !== 0) {
      await writePage(database, next, entries, page);
      last = { page: { ...page, revision: page.revision + 1 }, entries };
      await split(database, page);
    } else last = { page, entries };
  }
}

/** Other lists are published side by side, and each needs the map of lists with segments for itself. */
const MAX_PUBLICATIONS = 20;

/** Cuts a list from scratch, while nobody folds. Until the first pages are there, readers do without segments. */
export async function repairSegments(
  database: Database,
  list: List,
  epoch: number,
  members: readonly Member[],
): Promise<void> {
  for (const level of [2, 1] as const) await deleteMap(database, segmentsMap(level, list));
  const isShort = members.length <= database.sizes.segmentUsers;
  const levels = isShort
    ? new Map<Level, Entry[]>()
    : levelsOf(database, segmentsOf(database, { list, members, ...WHOLE_MAP }));
  const pages = [...levels].flatMap(([level, entries]) => newPages(database, segmentsMap(level, list), epoch, entries));
  const isFirst = ({ sk }: PageItem) => sk === FIRST_BOUND;
  await putPages(
    database,
    pages.filter((page) => !isFirst(page)),
  );
  const level = levels.has(2) ? 2 : levels.has(1) ? 1 : 0;
  for (let attempt = 0; attempt < MAX_PUBLICATIONS; attempt++) {
    const outcome = await publish(database, stillHeld(database), list, level, pages.filter(isFirst));
    if (outcome === 'committed') return;
  }
  throw unavailable('A fold came in between: try again');
}

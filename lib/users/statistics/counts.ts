import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { SEPARATOR } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { visitPage } from './packing.ts';
import { positionOf } from './page.ts';
import { type PageItem, readPages, type Stretch } from './pages.ts';
import type { Row } from './rows.ts';

/** A stretch of a map whose counts are read. */
export interface CountRange extends Stretch {
  map: string;
  /** The rows of this map in which a user counts. It may return rows of other maps, too. */
  rowsOf: (user: User) => Row[];
}

/** Gets a count, or a number to add to one. */
export type Visit = (key: string, bucket: string, n: number) => void;

const isWithin = ({ from, to }: CountRange, key: string): boolean =>
  compareCodePoints(key, from) >= 0 && (to === undefined || compareCodePoints(key, to) <= 0);

/** The numbers that a change of a user adds to the counts of a range. */
function visitChange(range: CountRange, { before, after }: Change, visit: Visit): void {
  for (const [user, sign] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const { map, key, bucket, n } of user ? range.rowsOf(user) : []) {
      if (map === range.map && isWithin(range, key)) visit(key, bucket, sign * n);
    }
  }
}

/** The last page whose lower bound is not above a position. */
function pageAt(pages: readonly PageItem[], position: string): PageItem | undefined {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(pages[middle]?.sk ?? '', position) <= 0) low = middle + 1;
    else high = middle;
  }
  return pages[low - 1];
}

/** Whether a count is before the next page. A page may hold rows beyond its end for a moment. */
const isBefore = (end: string | undefined, key: string, bucket: string): boolean =>
  end === undefined ||
  (compareCodePoints(key, end) < 0 &&
    (!end.startsWith(key + SEPARATOR) || compareCodePoints(positionOf(key, bucket), end) < 0));

/**
 * Visits the counts of a range of a map, in no order: first those of the pages, then those of the journal. Numbers of the same
 * key and bucket add up. A page that the fold has reached already includes the batch.
 *
 * @throws {JournalMoved} when a page is newer than the journal
 */
export async function visitCounts(
  database: Database,
  journal: Journal,
  range: CountRange,
  visit: Visit,
  visitRecent: Visit = visit,
): Promise<void> {
  const pages = await readPages(database, range.map, range);
  for (const [i, { epoch, data }] of pages.entries()) {
    journal.expect(epoch);
    const end = pages[i + 1]?.sk;
    visitPage(data, (key, bucket, n) => {
      if (isWithin(range, key) && isBefore(end, key, bucket)) visit(key, bucket, n);
    });
  }
  for (const change of journal.fresh) visitChange(range, change, visitRecent);
  for (const change of journal.batch) {
    visitChange(range, change, (key, bucket, n) => {
      if (pageAt(pages, positionOf(key, bucket))?.epoch !== journal.epoch) visitRecent(key, bucket, n);
    });
  }
}

import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import type { Change } from '../journal/entry.ts';
import { compareCodePoints } from '../text.ts';
import { addDeltas, type Delta, decodePage, encodePage, MAX_PAGE_BYTES, positionOf } from './page.ts';
import { FIRST_BOUND, type PageItem, readFloor, split, writePage } from './pages.ts';
import { rowsOf } from './rows.ts';

/** A change of one count, and where it stands in its map. */
interface PlacedDelta extends Delta {
  at: string;
}

/** The changes that one page takes. */
interface PageChange {
  page: PageItem | undefined;
  deltas: PlacedDelta[];
}

const PARALLEL_MAPS = 8;
const PARALLEL_PAGES = 4;

/** A page that has grown so far is split before more is added: DynamoDB accepts no item above 400 KB. */
const MAX_BYTES_BEFORE_WRITE = 100_000;

/** What changes add to the statistics, by map; what cancels out is left out. The last positions come first. */
export function deltasOf(changes: readonly Change[]): Map<string, PlacedDelta[]> {
  const sums = new Map<string, Map<string, PlacedDelta>>();
  const add = ({ map, key, bucket }: { map: string; key: string; bucket: string }, n: number) => {
    const deltas = sums.get(map) ?? new Map<string, PlacedDelta>();
    sums.set(map, deltas);
    const at = positionOf(key, bucket);
    const id = at + bucket;
    deltas.set(id, { at, key, bucket, n: n + (deltas.get(id)?.n ?? 0) });
  };
  for (const { before, after } of changes) {
    for (const row of before ? rowsOf(before) : []) add(row, -1);
    for (const row of after ? rowsOf(after) : []) add(row, 1);
  }
  const sorted = [...sums].map(([map, deltas]): [string, PlacedDelta[]] => [
    map,
    [...deltas.values()].filter(({ n }) => n !== 0).sort((a, b) => compareCodePoints(b.at, a.at)),
  ]);
  return new Map(sorted.filter(([, deltas]) => deltas.length > 0));
}

/** Which page takes which changes. From the last on, so that a page is read once and the next is not needed. */
async function locate(database: Database, pk: string, deltas: readonly PlacedDelta[]): Promise<PageChange[]> {
  const located: PageChange[] = [];
  for (let next = 0; next < deltas.length; ) {
    const page = await readFloor(database, pk, deltas[next]?.at ?? '');
    const bound = page?.sk ?? FIRST_BOUND;
    const end = deltas.findIndex(({ at }, i) => i >= next && compareCodePoints(at, bound) < 0);
    const mine = deltas.slice(next, end < 0 ? deltas.length : end);
    located.push({ page, deltas: mine });
    next += mine.length;
  }
  return located;
}

/** @returns the changes that are still to be made, as somebody else has written the page meanwhile */
async function writeTo(
  database: Database,
  pk: string,
  epoch: number,
  { page, deltas }: PageChange,
): Promise<PlacedDelta[]> {
  if (page && page.epoch >= epoch) return [];
  if (page && page.data.length > MAX_BYTES_BEFORE_WRITE) {
    await split(database, page);
    return deltas;
  }
  const entries = addDeltas(page ? decodePage(page.data) : [], deltas);
  const key = { pk, sk: page?.sk ?? FIRST_BOUND };
  if (!(await writePage(database, { ...key, epoch }, entries, page))) return deltas;
  if (encodePage(entries).length > MAX_PAGE_BYTES) await split(database, key);
  return [];
}

async function writeMap(database: Database, pk: string, epoch: number, deltas: readonly PlacedDelta[]): Promise<void> {
  for (let left = deltas; left.length > 0; ) {
    const changes = await locate(database, pk, left);
    const refused = await inParallel(changes, PARALLEL_PAGES, (change) => writeTo(database, pk, epoch, change));
    left = refused.flat();
  }
}

/**
 * Writes what a batch of changes adds to the statistics. May be repeated, by anybody: a page that has the epoch, or a
 * later one, has the batch.
 */
export async function writeStatistics(database: Database, epoch: number, changes: readonly Change[]): Promise<void> {
  await inParallel([...deltasOf(changes)], PARALLEL_MAPS, ([map, deltas]) => writeMap(database, map, epoch, deltas));
}

import { fault } from '../../errors.ts';
import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import { addModulo } from '../hash.ts';
import type { Change } from '../journal/entry.ts';
import { compareCodePoints } from '../text.ts';
import { COUNT, OF_EVERY_SEGMENT } from './members.ts';
import { decodePage, type Entry } from './packing.ts';
import { addDeltas, type Delta, positionOf } from './page.ts';
import type { PageCache } from './pageCache.ts';
import { FIRST_BOUND, type PageItem, readFloor, readFloorToWrite } from './pages.ts';
import { split, writePage } from './pageWrites.ts';
import { type Row, rowsOf } from './rows.ts';
import { readSegmented } from './segmented.ts';
import { type LevelOf, segmentChanges } from './segments.ts';

/** A change of one count, and its position in its map. */
interface PlacedDelta extends Delta {
  at: string;
}

/** The changes that belong to one page. */
interface PageChange {
  page: PageItem | undefined;
  deltas: PlacedDelta[];
}

const PARALLEL_MAPS = 8;
const PARALLEL_PAGES = 4;

/** A page of this size is split before more is added: DynamoDB accepts no item above 400 KB. */
const MAX_BYTES_BEFORE_WRITE = 100_000;

/** Adds up the changes of each map, without those that cancel out. The last positions come first. */
function createDeltas() {
  const sums = new Map<string, Map<string, PlacedDelta>>();
  return {
    add({ map, key, bucket, n }: Row, sign: 1 | -1): void {
      const deltas = sums.get(map) ?? new Map<string, PlacedDelta>();
      sums.set(map, deltas);
      const at = positionOf(key, bucket);
      const id = at + bucket;
      deltas.set(id, { at, key, bucket, n: addModulo(deltas.get(id)?.n ?? 0, sign * n) });
    },
    byMap(): [map: string, deltas: PlacedDelta[]][] {
      return [...sums]
        .map(([map, deltas]): [string, PlacedDelta[]] => [
          map,
          [...deltas.values()].filter(({ n }) => n !== 0).sort((a, b) => compareCodePoints(b.at, a.at)),
        ])
        .filter(([, deltas]) => deltas.length > 0);
    },
  };
}

/** Where the keys of a map come from: from counting, or from cutting a list. */
type MapKind = 'counted' | 'cut';

/** A changed count and its new value. */
export interface Counted {
  map: string;
  key: string;
  users: number;
}

/** The changes of a batch. */
export interface Written {
  /** The numbers of users that have changed, so that what has grown can be cut. */
  counts: Counted[];
  levelOf: LevelOf;
}

interface Target {
  pk: string;
  kind: MapKind;
  epoch: number;
  cache: PageCache;
  /** Called for each changed number of users. */
  onCount: (counted: Counted) => void;
}

/** Assigns changes to pages. From the last change, so that each page is read once and the next page is not needed. */
async function locate(
  database: Database,
  { pk, cache }: Target,
  deltas: readonly PlacedDelta[],
  isRepeated: boolean,
): Promise<PageChange[]> {
  const located: PageChange[] = [];
  for (let next = 0; next < deltas.length; ) {
    const at = deltas[next]?.at ?? '';
    const page = cache.floor(pk, at) ?? (await (isRepeated ? readFloor : readFloorToWrite)(database, pk, at));
    const bound = page?.sk ?? FIRST_BOUND;
    const end = deltas.findIndex(({ at }, i) => i >= next && compareCodePoints(at, bound) < 0);
    const mine = deltas.slice(next, end < 0 ? deltas.length : end);
    if (mine.length === 0) throw fault(`A page of ${pk} does not hold what lies above its bound`);
    located.push({ page, deltas: mine });
    next += mine.length;
  }
  return located;
}

/** In a map of segments, a change of a key counts for the last segment that is not above it. */
function atFloor(entries: readonly Entry[], deltas: readonly PlacedDelta[]): Delta[] {
  return deltas.map((delta) => {
    const entry = entries.findLast(({ key }) => compareCodePoints(key, delta.key) <= 0);
    if (!entry) throw fault(`A page of segments begins above one of its keys`);
    return { ...delta, key: entry.key };
  });
}

/** @returns the changes that were refused because another writer has changed the page */
async function writeTo(database: Database, target: Target, { page, deltas }: PageChange): Promise<PlacedDelta[]> {
  const { pk, kind, epoch, cache, onCount } = target;
  if (page && page.epoch >= epoch) return [];
  if (!page && kind === 'cut') return [];
  if (page && page.data.length > MAX_BYTES_BEFORE_WRITE) {
    cache.forget(page);
    await split(database, page);
    return deltas;
  }
  const held = page ? decodePage(page.data) : [];
  const added = kind === 'cut' ? atFloor(held, deltas) : deltas;
  const entries = addDeltas(held, added, kind === 'cut' ? OF_EVERY_SEGMENT : []);
  const key = { pk, sk: page?.sk ?? FIRST_BOUND, end: page?.end };
  if (page) cache.forget(page);
  const written = await writePage(database, { ...key, epoch }, entries, page);
  if (!written) return deltas;
  const changed = new Set(added.map((delta) => delta.key));
  for (const { key: counted, counts } of entries) {
    const users = counts.get(COUNT);
    if (users !== undefined && changed.has(counted)) onCount({ map: pk, key: counted, users });
  }
  if (written.data.length > database.sizes.pageBytes) await split(database, key);
  else cache.keep(written);
  return [];
}

async function writeMap(database: Database, target: Target, deltas: readonly PlacedDelta[]): Promise<void> {
  let isRepeated = false;
  for (let left = deltas; left.length > 0; isRepeated = true) {
    const changes = await locate(database, target, left, isRepeated);
    const refused = await inParallel(changes, PARALLEL_PAGES, (change) => writeTo(database, target, change));
    left = refused.flat();
  }
}

/**
 * Writes a batch of changes to the statistics. Any fold may repeat it: a page with the epoch of the batch, or a later one,
 * already includes the batch.
 */
export async function writeStatistics(
  database: Database,
  cache: PageCache,
  epoch: number,
  changes: readonly Change[],
): Promise<Written> {
  const levelOf = await readSegmented(database);
  const [counted, cut] = [createDeltas(), createDeltas()];
  for (const change of changes) {
    for (const row of change.before ? rowsOf(change.before) : []) counted.add(row, -1);
    for (const row of change.after ? rowsOf(change.after) : []) counted.add(row, 1);
    for (const [row, sign] of segmentChanges(change, levelOf)) cut.add(row, sign);
  }
  const all = [
    ...counted.byMap().map(([pk, deltas]) => ({ pk, kind: 'counted' as const, deltas })),
    ...cut.byMap().map(([pk, deltas]) => ({ pk, kind: 'cut' as const, deltas })),
  ];
  const counts: Counted[] = [];
  await inParallel(all, PARALLEL_MAPS, ({ pk, kind, deltas }) =>
    writeMap(database, { pk, kind, epoch, cache, onCount: (count) => counts.push(count) }, deltas),
  );
  return { counts, levelOf };
}

/**
 * Last names of recent writes, which the maps of names and pieces lack. A write concerns one row here, and some twenty there, so
 * names are merged into those maps many at a time. `recent:<epoch>` is named by the epoch in which it began. A row for each
 * case-folded last name; buckets are a status and a country.
 *
 * The first row is the weight of all changes that the map has: a reader compares it with the head, so that it does not take a map
 * that has been merged and deleted for an empty one.
 */
import { EXACT_FIELDS } from '../fields.ts';
import { signed } from '../hash.ts';
import type { Change } from '../journal/entry.ts';
import type { Recent } from '../journal/head.ts';
import { type Journal, JournalMoved } from '../journal/journal.ts';
import { filtersOf, partitionOf } from '../keys.ts';
import { foldCase } from '../text.ts';
import { MapTorn, WHOLE_MAP } from '../tree/nodes.ts';
import { type Overlay, readRows } from '../tree/read.ts';
import type { Delta, Row } from '../tree/rows.ts';
import { FIRST_BOUND, type Tree, type TreeMap } from '../tree/tree.ts';
import type { User } from '../user.ts';
import { overlayOf } from './overlay.ts';

/** The key of the weight. It sorts before every name. */
const WEIGHT = FIRST_BOUND;

export const recentMap = ({ epoch }: Recent): TreeMap => ({ name: `recent:${epoch}` });

/** The row of one user, if it has a last name. */
export function nameRow({ lastName = '', ...user }: User, n: 1 | -1): Row | undefined {
  const key = foldCase(lastName);
  return key === '' ? undefined : { key, counts: new Map([[partitionOf(EXACT_FIELDS, filtersOf(user)), n]]) };
}

/** About the bytes that a row adds to names and pieces: each suffix of a name has one. */
function weightOf({ key, counts }: Row): number {
  const [bucket = ''] = counts.keys();
  return (Array.from(key).length + 2) * Buffer.byteLength(key) + 4 * Buffer.byteLength(bucket);
}

/** What a change adds to the map. What stays as it was adds nothing. */
export function recentDeltas({ before, after }: Change): Delta[] {
  const rows = [before && nameRow(before, -1), after && nameRow(after, 1)].filter((row) => row !== undefined);
  const deltas = rows.flatMap(({ key, counts }) => Array.from(counts, ([bucket, n]) => ({ key, bucket, n })));
  const [left, entered] = deltas;
  if (!left || (left.key === entered?.key && left.bucket === entered.bucket)) return [];
  return [{ key: WEIGHT, bucket: '', n: rows.reduce((sum, row) => sum + weightOf(row), 0) }, ...deltas];
}

/** What changes add to names and pieces, in bytes. */
export const weigh = (changes: readonly Change[]): number =>
  changes.flatMap(recentDeltas).reduce((sum, { key, n }) => sum + (key === WEIGHT ? n : 0), 0);

/** A map that is being deleted may have gaps. */
async function unlessTorn(reading: Promise<Row[]>): Promise<Row[]> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof MapTorn ? new JournalMoved() : error;
  }
}

/** The rows of a map that must have some weight. @throws {JournalMoved} when it was merged since */
export async function readRecent(tree: Tree, recent: Recent, overlay: Overlay): Promise<Row[]> {
  const expected = overlay.fresh.reduce((sum, { key, n }) => sum + (key === WEIGHT ? n : 0), recent.weight);
  if (expected === 0) return [];
  const [first, ...rows] = await unlessTorn(readRows(tree, recentMap(recent), WHOLE_MAP, overlay));
  if (first?.key !== WEIGHT || first.counts.get('') !== expected) throw new JournalMoved();
  return rows.map(({ key, counts }) => ({
    key,
    counts: new Map(Array.from(counts, ([bucket, n]) => [bucket, signed(n)])),
  }));
}

/** What the maps of names and pieces lack: every node lacks the fresh names, and a node of an older epoch also the names being merged. */
export interface Waiting {
  fresh: readonly Row[];
  merging: readonly Row[];
}

/** @throws {JournalMoved} when names were merged since the journal was read */
export async function readWaiting(tree: Tree, journal: Journal): Promise<Waiting> {
  const still = overlayOf(journal, () => []);
  const [fresh, merging] = await Promise.all([
    readRecent(tree, journal.recent, overlayOf(journal, recentDeltas)),
    journal.merging ? readRecent(tree, journal.merging, still) : [],
  ]);
  return { fresh, merging };
}

/** What names and pieces lack, as an overlay of one of their maps. */
export const overlayOfWaiting = (
  { recent, expect }: Pick<Journal, 'recent' | 'expect'>,
  { fresh, merging }: Waiting,
  deltasOf: (row: Row) => Delta[],
): Overlay => ({ epoch: recent.epoch, fresh: fresh.flatMap(deltasOf), batch: merging.flatMap(deltasOf), expect });

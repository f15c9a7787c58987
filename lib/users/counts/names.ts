/**
 * Which last names there are, and how many users of each status and country have them. `names` has a row for each suffix of a
 * name, followed by the rest of the name before it: any part of a name is the beginning of one of its suffixes, so the names that
 * contain a keyword are one range. `pieces` has a row for each part of one or two characters: people search while they type.
 *
 * Buckets are a status and a country. Names of recent writes are in neither yet: see recent.ts.
 */
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import { prefixEnd, SEPARATOR } from '../keys.ts';
import { NODES_PER_UNIT } from '../tree/nodes.ts';
import { type Overlay, readRows } from '../tree/read.ts';
import type { Delta, Row } from '../tree/rows.ts';
import type { Tree, TreeMap } from '../tree/tree.ts';
import { overlayOfWaiting, readWaiting } from './recent.ts';
import type { Wanted } from './segments.ts';

/** A keyword up to this length is in so many names that it has counts of its own. */
const PIECE_LENGTH = 2;

/** One map for each first character. */
const mapOf = (kind: 'names' | 'pieces', key: string): TreeMap => ({
  name: `${kind}:${String.fromCodePoint(key.codePointAt(0) ?? 0)}`,
});

/** The keys of a case-folded last name: its suffixes, and its parts of one and two characters. */
function keysOf(name: string): { names: string[]; pieces: string[] } {
  const characters = Array.from(name);
  let at = 0;
  const names = characters.map((character) => {
    const key = name.slice(at) + SEPARATOR + name.slice(0, at);
    at += character.length;
    return key;
  });
  const pieces = characters.flatMap((_, i) =>
    Array.from({ length: PIECE_LENGTH }, (_, more) => characters.slice(i, i + more + 1).join('')),
  );
  return { names, pieces: [...new Set(pieces)] };
}

const deltasAt = (key: string, { counts }: Row): Delta[] => Array.from(counts, ([bucket, n]) => ({ key, bucket, n }));

/** What a row of names adds to names and pieces. */
export function nameDeltas(row: Row): { map: TreeMap; deltas: Delta[] }[] {
  const { names, pieces } = keysOf(row.key);
  return [
    ...names.map((key) => ({ map: mapOf('names', key), deltas: deltasAt(key, row) })),
    ...pieces.map((key) => ({ map: mapOf('pieces', key), deltas: deltasAt(key, row) })),
  ];
}

const waitingFor = async (tree: Tree, journal: Journal, deltasOf: (row: Row) => Delta[]): Promise<Overlay> =>
  overlayOfWaiting(journal, await readWaiting(tree, journal), deltasOf);

/** How many users with wanted values have a keyword in their last name. */
export interface KeywordCounts {
  total(wanted: Wanted): number;
  /** By encoded value of a field. */
  byValue(field: ExactField, wanted: Wanted): Map<string, number>;
}

/** Keyword counts, with the case-folded last names that contain the keyword. */
export interface NameCounts extends KeywordCounts {
  /** How many users have each name. Names without such users are left out. */
  byName(wanted: Wanted): Map<string, number>;
}

/** The parts of a bucket with wanted values; undefined for another bucket. Each bucket is looked at once. */
function createFilter(wanted: Wanted): (bucket: string) => string[] | undefined {
  const sets = EXACT_FIELDS.map((field) => wanted[field]);
  const known = new Map<string, string[] | undefined>();
  return (bucket) => {
    if (!known.has(bucket)) {
      const parts = bucket.split(SEPARATOR);
      known.set(bucket, sets.every((set, i) => !set || set.includes(parts[i] ?? '')) ? parts : undefined);
    }
    return known.get(bucket);
  };
}

function summarize(rows: readonly { name: string; counts: Row['counts'] }[]): NameCounts {
  function sumBy(wanted: Wanted, keyOf: (name: string, parts: string[]) => string): Map<string, number> {
    const partsOf = createFilter(wanted);
    const sums = new Map<string, number>();
    for (const { name, counts } of rows) {
      for (const [bucket, n] of counts) {
        const parts = partsOf(bucket);
        if (parts) sums.set(keyOf(name, parts), (sums.get(keyOf(name, parts)) ?? 0) + n);
      }
    }
    return sums;
  }
  return {
    total: (wanted) => sumBy(wanted, () => '').get('') ?? 0,
    byName: (wanted) => sumBy(wanted, (name) => name),
    byValue: (field, wanted) => sumBy(wanted, (_, parts) => parts[EXACT_FIELDS.indexOf(field)] ?? ''),
  };
}

/** Exact. Reads the suffixes that begin with the keyword, which must be folded. */
export async function readNames(tree: Tree, journal: Journal, keyword: string): Promise<NameCounts> {
  const map = mapOf('names', keyword);
  const stretch = { from: keyword, to: prefixEnd(keyword) };
  const waiting = waitingFor(tree, journal, (row) =>
    row.key.includes(keyword)
      ? keysOf(row.key).names.flatMap((key) => (key.startsWith(keyword) ? deltasAt(key, row) : []))
      : [],
  );
  const rows = await readRows(tree, map, stretch, waiting);
  return summarize(
    rows.flatMap(({ key, counts }) => {
      const end = key.indexOf(SEPARATOR);
      const name = key.slice(end + 1) + key.slice(0, end);
      // A name that contains the keyword twice counts only at its first occurrence.
      return name.indexOf(keyword) === key.length - end - 1 ? [{ name, counts }] : [];
    }),
  );
}

export const isPiece = (keyword: string): boolean => Array.from(keyword).length <= PIECE_LENGTH;

/** How many users have a short keyword in their last name. Exact. The cost does not depend on the number of names. */
export async function countPiece(tree: Tree, journal: Journal, piece: string): Promise<KeywordCounts> {
  const map = mapOf('pieces', piece);
  const stretch = { from: piece, to: `${piece}${SEPARATOR}\uFFFF`, nodes: NODES_PER_UNIT };
  const waiting = waitingFor(tree, journal, (row) => (row.key.includes(piece) ? deltasAt(piece, row) : []));
  const rows = await readRows(tree, map, stretch, waiting);
  return summarize(rows.filter(({ key }) => key === piece).map(({ counts }) => ({ name: '', counts })));
}

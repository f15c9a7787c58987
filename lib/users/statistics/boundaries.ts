import type { Database } from '../database.ts';
import { SEPARATOR, textOfOrderKey } from '../keys.ts';
import { type List, runEnd, runStart } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { CHECKSUM, COUNT, OF_EVERY_SEGMENT } from './members.ts';
import type { Entry } from './packing.ts';
import { addDeltas } from './page.ts';
import { aimOf, countsIn, type Level } from './segments.ts';

/** A user and its key in a list. */
export interface Member {
  key: string;
  user: User;
}

export const byKey = (a: Member, b: Member): number => compareCodePoints(a.key, b.key);

/** An entry with the sums of some counts. A key must stay even if nothing counts. */
const entryWith = (key: string, counts: readonly Iterable<[string, number]>[]): Entry => {
  const none = OF_EVERY_SEGMENT.map((bucket) => ({ key, bucket, n: 0 }));
  const deltas = counts.flatMap((each) => Array.from(each, ([bucket, n]) => ({ key, bucket, n })));
  return addDeltas([], [...none, ...deltas], OF_EVERY_SEGMENT)[0] ?? { key, counts: new Map() };
};

export const segmentEntry = (key: string, members: readonly Member[], list: List): Entry =>
  entryWith(
    key,
    members.map(({ user }) => countsIn(list, user)),
  );

export const sumOf = (key: string, entries: readonly Entry[]): Entry =>
  entryWith(
    key,
    entries.map(({ counts }) => counts),
  );

export const isEqual = (a: Entry, b: Entry): boolean =>
  [CHECKSUM, COUNT].every((bucket) => (a.counts.get(bucket) ?? 0) === (b.counts.get(bucket) ?? 0));

/** A place among members at which a segment begins. */
interface Boundary {
  at: number;
  key: string;
}

/** Boundaries at both ends of long runs, so that their ranks are known without a scan. */
function runBoundaries(members: readonly Member[], list: List, longRun: number): Boundary[] {
  if (list.index.order === 'id') return [];
  const boundaries: Boundary[] = [];
  for (let start = 0, i = 1; i <= members.length; i++) {
    const text = textOfOrderKey(members[start]?.key ?? '');
    if (i < members.length && textOfOrderKey(members[i]?.key ?? '') === text) continue;
    if (i - start >= longRun) {
      boundaries.push({ at: start, key: runStart(list, text) }, { at: i, key: runEnd(list, text) });
    }
    start = i;
  }
  return boundaries;
}

/** No value has this character. So no key of a list begins with a separator and NUL, which would confuse positions in a map. */
const END_OF_TEXT = '\u0003';

/** A short text above one key and not above the next: bounds are read with every deep page. A part of the id tells keys of one run apart. */
export function separatorOf(below: string, above: string): string {
  let shared = 0;
  while (shared < above.length && below[shared] === above[shared]) shared++;
  const endOfText = above.lastIndexOf(SEPARATOR);
  if (shared > endOfText) return above.slice(0, shared + 1);
  const separator = above.slice(0, shared) + String.fromCodePoint(above.codePointAt(shared) ?? 0) + END_OF_TEXT;
  const isBetween = compareCodePoints(below, separator) < 0 && compareCodePoints(separator, above) < 0;
  return isBetween ? separator : above.slice(0, endOfText + 1);
}

/** A stretch of members: those at the places [from, to). */
interface Stretch {
  from: number;
  to: number;
}

/** The place, or the nearest one that is between two runs: a run is within one segment, or begins and ends with one. */
function betweenRuns(members: readonly Member[], { from, to }: Stretch, place: number): number {
  const textAt = (at: number) => textOfOrderKey(members[at]?.key ?? '');
  // A stretch that is one run has such bounds, and may be long.
  if (textAt(from) === textAt(to - 1)) return place;
  let [start, end] = [place, place];
  while (start > from && textAt(start - 1) === textAt(place)) start--;
  while (end < to && textAt(end) === textAt(place)) end++;
  if (start === place) return place;
  return start > from && (end === to || place - start <= end - place) ? start : end;
}

/** Boundaries within a stretch, so that no segment is too large. */
function evenBoundaries(list: List, members: readonly Member[], stretch: Stretch, users: number): Boundary[] {
  const { from, to } = stretch;
  const segments = Math.ceil((to - from) / users);
  const even = Array.from(
    { length: Math.max(segments - 1, 0) },
    (_, i) => from + Math.floor(((i + 1) * (to - from)) / segments),
  );
  const places = list.index.order === 'id' ? even : even.map((place) => betweenRuns(members, stretch, place));
  const keyAt = (at: number) => members[at]?.key ?? '';
  return [...new Set(places)].map((at) => ({ at, key: separatorOf(keyAt(at - 1), keyAt(at)) }));
}

/** The part of a list that is cut into segments. */
interface Part {
  list: List;
  /** All of its users, in order. */
  members: readonly Member[];
  /** Its bounds. A run may begin before it, and end after it. */
  from: string;
  to: string | undefined;
}

/** The entries of the segments that a part of a list is cut into. */
export function segmentsOf({ sizes }: Database, { list, members, from, to }: Part): Entry[] {
  const isWithin = ({ key }: Boundary) =>
    compareCodePoints(key, from) > 0 && (to === undefined || compareCodePoints(key, to) < 0);
  const users = aimOf(sizes.segmentUsers);
  const runs = runBoundaries(members, list, Math.ceil(users / 2));
  const fixed = [{ at: 0, key: from }, ...runs.filter(isWithin), { at: members.length, key: '' }];
  const boundaries = fixed
    .slice(0, -1)
    .flatMap((boundary, i) => [
      boundary,
      ...evenBoundaries(list, members, { from: boundary.at, to: fixed[i + 1]?.at ?? members.length }, users),
    ]);
  return boundaries.map(({ at, key }, i) =>
    segmentEntry(key, members.slice(at, boundaries[i + 1]?.at ?? members.length), list),
  );
}

/** The sums of level 2 for the segments of level 1. */
export function sumsOf({ sizes }: Database, segments: readonly Entry[]): Entry[] {
  const sums: Entry[] = [];
  const step = aimOf(sizes.segmentsPerSum);
  for (let i = 0; i < segments.length; i += step) sums.push(sumOf(segments[i]?.key ?? '', segments.slice(i, i + step)));
  return sums;
}

/** The levels that a list with these segments should have. */
export function levelsOf(database: Database, segments: Entry[]): Map<Level, Entry[]> {
  const levels = new Map<Level, Entry[]>([[1, segments]]);
  if (segments.length > database.sizes.fewSegments) levels.set(2, sumsOf(database, segments));
  return levels;
}

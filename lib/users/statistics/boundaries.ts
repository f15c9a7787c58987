import type { Database } from '../database.ts';
import { addModulo } from '../hash.ts';
import { runBounds, textOfOrderKey } from '../keys.ts';
import { type List, runEnd } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { CHECKSUM, COUNT } from './members.ts';
import type { Entry } from './page.ts';
import { keyHash, type Level } from './segments.ts';

/** The size that a cut aims at, with room to grow. */
const aimOf = (most: number): number => Math.max(1, Math.floor(most * 0.75));

/** A user and its key in a list. */
export interface Member {
  key: string;
  user: User;
}

export const byKey = (a: Member, b: Member): number => compareCodePoints(a.key, b.key);

export const segmentEntry = (key: string, members: readonly Member[]): Entry => ({
  key,
  counts: new Map([
    [CHECKSUM, members.reduce((sum, member) => addModulo(sum, keyHash(member.key)), 0)],
    [COUNT, members.length],
  ]),
});

export const sumOf = (key: string, entries: readonly Entry[]): Entry => {
  const sum = (bucket: string) => entries.reduce((total, { counts }) => addModulo(total, counts.get(bucket) ?? 0), 0);
  return {
    key,
    counts: new Map([
      [CHECKSUM, sum(CHECKSUM)],
      [COUNT, sum(COUNT)],
    ]),
  };
};

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
      boundaries.push({ at: start, key: runBounds(text)[0] }, { at: i, key: runEnd(list, text) });
    }
    start = i;
  }
  return boundaries;
}

/** Boundaries between two others, so that no segment is too large. */
function evenBoundaries(members: readonly Member[], from: number, to: number, users: number): Boundary[] {
  const segments = Math.ceil((to - from) / users);
  const places = Array.from(
    { length: Math.max(segments - 1, 0) },
    (_, i) => from + Math.floor(((i + 1) * (to - from)) / segments),
  );
  return places.map((at) => ({ at, key: members[at]?.key ?? '' }));
}

/** The entries of the segments that members are cut into. The first has the given bound. */
export function segmentsOf({ sizes }: Database, from: string, members: readonly Member[], list: List): Entry[] {
  const users = aimOf(sizes.segmentUsers);
  const runs = runBoundaries(members, list, Math.ceil(users / 2));
  const fixed = [
    { at: 0, key: from },
    ...runs.filter(({ key }) => compareCodePoints(key, from) > 0),
    { at: members.length, key: '' },
  ];
  const boundaries = fixed
    .slice(0, -1)
    .flatMap((boundary, i) => [
      boundary,
      ...evenBoundaries(members, boundary.at, fixed[i + 1]?.at ?? members.length, users),
    ]);
  return boundaries.map(({ at, key }, i) =>
    segmentEntry(key, members.slice(at, boundaries[i + 1]?.at ?? members.length)),
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
  if (segments.length > database.sizes.segmentsPerSum) levels.set(2, sumsOf(database, segments));
  return levels;
}

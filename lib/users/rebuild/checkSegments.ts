import type { Database } from '../database.ts';
import type { List } from '../lists.ts';
import { type Member, segmentEntry, sumOf } from '../statistics/boundaries.ts';
import type { Entry } from '../statistics/packing.ts';
import { FIRST_BOUND, readEntries } from '../statistics/pages.ts';
import { type Level, segmentsMap } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';

export const isEqual = (a: readonly Entry[], b: readonly Entry[]): boolean => {
  const textOf = (entries: readonly Entry[]) =>
    JSON.stringify(entries.map(({ key, counts }) => [key, [...counts].sort(([x], [y]) => compareCodePoints(x, y))]));
  return textOf(a) === textOf(b);
};

/** What the segments of some bounds should count. */
function countedBy(bounds: readonly string[], members: readonly Member[], list: List): Entry[] {
  let next = 0;
  return bounds.map((bound, i) => {
    const end = bounds[i + 1];
    const start = next;
    while (next < members.length && (end === undefined || compareCodePoints(members[next]?.key ?? '', end) < 0)) next++;
    return segmentEntry(bound, members.slice(start, next), list);
  });
}

/** Whether the sums of level 2 add up the segments. */
function areRightSums(sums: readonly Entry[], segments: readonly Entry[]): boolean {
  const starts = sums.map(({ key }) => segments.findIndex((segment) => segment.key === key));
  if (starts[0] !== 0 || starts.includes(-1)) return false;
  return isEqual(
    sums,
    starts.map((at, i) => sumOf(sums[i]?.key ?? '', segments.slice(at, starts[i + 1] ?? segments.length))),
  );
}

/** A list that is not cut is slow, not wrong. */
export async function isRightlyCut(database: Database, list: List, members: readonly Member[], level: Level | 0) {
  if (level === 0) return true;
  const read = (each: Level) => readEntries(database, segmentsMap(each, list), FIRST_BOUND, undefined);
  const [segments, sums] = await Promise.all([read(1), read(2)]);
  if (segments[0]?.key !== FIRST_BOUND) return false;
  const expected = countedBy(
    segments.map(({ key }) => key),
    members,
    list,
  );
  return isEqual(segments, expected) && (level === 1 ? sums.length === 0 : areRightSums(sums, segments));
}

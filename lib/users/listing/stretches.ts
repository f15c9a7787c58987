import { isById, type List, valuesOf } from '../lists.ts';
import { FIRST_BOUND } from '../statistics/pages.ts';
import { scriptsIn } from '../statistics/scripts.ts';
import { bucketOf, countsScripts, hasFewSegments, type Segment } from '../statistics/segments.ts';
import { compareCodePoints } from '../text.ts';
import type { Direction } from './order.ts';
import type { View } from './view.ts';

/** Keys from the lowest to the highest, both included. Undefined stands for an end of the list. */
export interface KeyRange {
  low: string | undefined;
  high: string | undefined;
}

/** A segment, or a sum of several, and its keys. */
interface Tile extends KeyRange {
  segment: Segment;
}

/** What is searched for, and where. */
interface Search {
  view: View;
  list: List;
  scripts: readonly string[];
  range: KeyRange;
  direction: Direction;
}

/** The tiles of a range of keys; undefined if they do not add up, as while a list is repaired. */
function tilesOf(segments: readonly Segment[], users: number, high: string | undefined): Tile[] | undefined {
  if (segments.reduce((sum, segment) => sum + segment.users, 0) !== users) return undefined;
  return segments.map((segment, i) => ({
    segment,
    low: segment.from === FIRST_BOUND ? undefined : segment.from,
    high: segments[i + 1]?.from ?? high,
  }));
}

const isAbove = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && compareCodePoints(a, b) > 0;

/** At most how many users of a segment have last names with letters of all these scripts. */
const mostWith = ({ byScript }: Segment, scripts: readonly string[]): number =>
  Math.min(...scripts.map((script) => byScript.get(bucketOf(script)) ?? 0));

/** The ranges of the tiles that can match. A sum in which many users cannot is looked into. */
async function* matchingTiles(search: Search, tiles: readonly Tile[], areSums: boolean): AsyncGenerator<KeyRange> {
  const { view, list, scripts, range, direction } = search;
  for (const { segment, low, high } of direction === 'asc' ? tiles : tiles.toReversed()) {
    const most = mostWith(segment, scripts);
    if (most === 0 || isAbove(range.low, high) || isAbove(low, range.high)) continue;
    const isWorthALook = areSums && segment.users - most > view.database.sizes.segmentUsers;
    const parts = isWorthALook && tilesOf(await view.segments(list, segment.from, high), segment.users, high);
    if (parts) yield* matchingTiles(search, parts, false);
    else yield { low, high };
  }
}

/** Ranges that meet are one. */
async function* joined(ranges: AsyncIterable<KeyRange>, direction: Direction): AsyncGenerator<KeyRange> {
  let last: KeyRange | undefined;
  for await (const range of ranges) {
    if (last && direction === 'asc' && last.high === range.low) last = { low: last.low, high: range.high };
    else if (last && direction === 'desc' && last.low === range.high) last = { low: range.low, high: last.high };
    else {
      if (last) yield last;
      last = range;
    }
  }
  if (last) yield last;
}

/** Whether stretches of a list can be left out in a search for a keyword. */
export const canLeaveOut = (list: List, keyword: string | undefined): keyword is string =>
  !isById(list) && countsScripts(list) && keyword !== undefined && scriptsIn(keyword).length > 0;

/**
 * The stretches of a range of a list that can have users with a keyword in their last names, one after another in a direction.
 * Segments in which no last name has letters of its scripts are left out.
 */
export async function* stretchesWith(
  view: View,
  list: List,
  keyword: string,
  range: KeyRange,
  direction: Direction,
): AsyncGenerator<KeyRange> {
  const users = await view.total(valuesOf(list));
  const isCut = users > view.database.sizes.segmentUsers;
  const sums = hasFewSegments(view.database, users) ? [] : await view.sums(list);
  const segments = sums.length > 0 || !isCut ? sums : await view.segments(list, FIRST_BOUND, undefined);
  const tiles = tilesOf(segments, users, undefined);
  if (!tiles) {
    yield range;
    return;
  }
  const search = { view, list, scripts: scriptsIn(keyword), range, direction };
  for await (const { low, high } of joined(matchingTiles(search, tiles, sums.length > 0), direction))
    yield {
      low: isAbove(range.low, low ?? '') ? range.low : low,
      high: high === undefined || isAbove(high, range.high) ? range.high : high,
    };
}

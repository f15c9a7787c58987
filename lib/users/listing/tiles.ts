/** Ranks and places in a list, by its segments: which users are at a rank, how many are before a key, and where nobody can match. */

import { scriptsIn } from '../counts/scripts.ts';
import { countIn, countsScripts, mostWith, type Segment, type Wanted } from '../counts/segments.ts';
import { type ExactField, isExactField } from '../fields.ts';
import { encodeOptional } from '../keys.ts';
import { both, isEmpty, type List, type Range, type Span } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { textOf } from './criteria.ts';
import { scan } from './scan.ts';
import type { View } from './view.ts';

/** The one value that the users of a span have in the field that gives the order, as its text; undefined if they have several. */
export function oneValueOf({ list: { index }, ...range }: Span): { field: ExactField; text: string } | undefined {
  const text = textOf(range);
  return index.order !== 'id' && isExactField(index.order) && text !== undefined
    ? { field: index.order, text }
    : undefined;
}

/** A segment, or the sum of several. */
export interface Tile extends Range {
  segment: Segment;
  /** How many wanted users are before it, from the first sum that is read on, and in it; NaN where segments do not tell. */
  rank: number;
  users: number;
}

function tilesOf(segments: readonly Segment[], wanted: Wanted, rank: number): Tile[] {
  let before = rank;
  return segments.map((segment) => {
    const [least, most] = countIn(segment, wanted);
    const users = least === most ? least : Number.NaN;
    const tile = { segment, from: segment.from, to: segment.to, rank: before, users };
    before += users;
    return tile;
  });
}

/** The sums that a frame has users in. */
const readSums = async (view: View, { list, from, to }: Span, wanted: Wanted = {}): Promise<Tile[]> =>
  tilesOf(await view.segments('sums', list, { from, to }), wanted, 0);

const readParts = async (view: View, list: List, sum: Tile, wanted: Wanted = {}): Promise<Tile[]> => {
  const { from, to, segment, rank } = sum;
  return tilesOf(await view.segments('segments', list, { from, to, users: segment.users }), wanted, rank);
};

/**
 * The part of a list whose sums tell where the users of a span are. Ranks are counted from its first sum on. Totals tell how many
 * users of the whole list are before the users of one value.
 */
export const frameOf = (span: Span): Span => (oneValueOf(span) ? { list: span.list } : span);

/** Whether a user has wanted values. */
export const hasWanted =
  (wanted: Wanted) =>
  (user: User): boolean =>
    (Object.entries(wanted) as [ExactField, readonly string[]][]).every(([field, any]) =>
      any.includes(encodeOptional(user[field])),
    );

/** How many wanted users a span has, counted one by one. */
export const countEach = (view: View, span: Span, wanted: Wanted): Promise<number> =>
  view.once(
    async () => {
      let users = 0;
      for await (const some of scan(view, span, { direction: 'asc', expected: Number.POSITIVE_INFINITY }))
        users += some.filter(hasWanted(wanted)).length;
      return users;
    },
    'count',
    span.list.index.name,
    span.list.partition,
    span.from,
    span.to,
    wanted,
  );

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** About where texts stand among all texts, from 0 to 1, by their first characters: digits and Latin letters are even. */
function placesOf(texts: readonly string[], characters = 4): number[] {
  if (characters === 0) return texts.map(() => 0);
  const firsts = texts.map((text) => text.charAt(0));
  const has = (some: string) => firsts.some((first) => first !== '' && some.includes(first));
  const all = (has(DIGITS) ? DIGITS : '') + (has(LETTERS) || !has(DIGITS) ? LETTERS : '');
  const rest = placesOf(
    texts.map((text) => text.slice(1)),
    characters - 1,
  );
  return firsts.map((first, i) => {
    const place = first > 'z' ? all.length : Math.max(0, all.indexOf(first));
    return first === '' ? 0 : Math.min(1, (place + (rest[i] ?? 0)) / all.length);
  });
}

/**
 * Whether a key is probably nearer to the end of a tile than to its beginning. A segment ends at the shortest bound there is for a
 * usual size, so a key that is much shorter than the end would be the end itself, unless it is near the beginning.
 */
export function isNearEnd({ from = '', to }: Range, key: string): boolean {
  if (to === undefined || to.length > key.length + 1) return false;
  if (to.startsWith(key)) return true;
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const [low = 0, place = 0, high = 0] = placesOf([from, key, to].map((each) => each.slice(same)));
  return high - place < place - low;
}

/** The segment that a key lies in. Two calls in a row. */
async function tileAt(view: View, frame: Span, key: string, wanted: Wanted): Promise<Tile | undefined> {
  const isBelow = ({ from }: Tile) => from === undefined || compareCodePoints(from, key) <= 0;
  const sum = (await readSums(view, frame, wanted)).findLast(isBelow);
  return sum && (await readParts(view, frame.list, sum, wanted)).findLast(isBelow);
}

/** How many wanted users are before a key of a tile. A part of its segment is read. */
async function rankIn(view: View, list: List, tile: Tile, key: string, wanted: Wanted): Promise<number> {
  const { rank, users, from, to } = tile;
  if (Number.isNaN(rank) || from === key || tile.segment.users === 0) return rank;
  if (!Number.isNaN(users) && isNearEnd(tile, key))
    return rank + users - (await countEach(view, { list, from: key, to }, wanted));
  return rank + (await countEach(view, { list, from, to: key }, wanted));
}

/** How many wanted users are before a key of a frame. NaN where segments do not tell. Two calls in a row, and a part of a segment. */
export async function rankOf(view: View, frame: Span, key: string | undefined, wanted: Wanted = {}): Promise<number> {
  if (key === undefined) return 0;
  const tile = await tileAt(view, frame, key, wanted);
  return tile ? rankIn(view, frame.list, tile, key, wanted) : 0;
}

/** How many wanted users the sums of a frame have. NaN where they do not tell. */
async function countAll(view: View, frame: Span, wanted: Wanted): Promise<number> {
  const last = (await readSums(view, frame, wanted)).at(-1);
  return last ? last.rank + last.users : 0;
}

/** How many wanted users a span has: by the ranks of its ends, or one by one within a segment. NaN where segments do not tell. */
export async function countWanted(view: View, span: Span, wanted: Wanted): Promise<number> {
  const { list, from, to } = span;
  const frame = frameOf(span);
  const [first, last] = await Promise.all(
    [from, to].map((key) => (key === undefined ? undefined : tileAt(view, frame, key, wanted))),
  );
  if (first && last && first.from === last.from) {
    const { users } = first.segment;
    return users > 0 ? countEach(view, span, wanted) : users;
  }
  const [start, end] = await Promise.all([
    from === undefined || !first ? 0 : rankIn(view, list, first, from, wanted),
    to === undefined || !last ? countAll(view, frame, wanted) : rankIn(view, list, last, to, wanted),
  ]);
  return end - start;
}

/** Which of some tiles have wanted users of the ranks [start, end). Undefined where segments do not tell. */
function within(tiles: readonly Tile[], start: number, end: number): Tile[] | undefined {
  const isSure = tiles.every(({ rank, users }) => rank >= end || !Number.isNaN(rank + users));
  return isSure ? tiles.filter(({ rank, users }) => rank < end && rank + users > start) : undefined;
}

/** The segments that have the wanted users of the ranks [start, end) of a frame. Undefined where they do not tell. Two calls in a row. */
export async function tilesWithin(view: View, frame: Span, wanted: Wanted, start: number, end: number) {
  const sums = within(await readSums(view, frame, wanted), start, end);
  const parts = sums && (await Promise.all(sums.map((sum) => readParts(view, frame.list, sum, wanted))));
  return parts && within(parts.flat(), start, end);
}

/** Up to this many users between two parts are read too, because another query would cost as much. */
const GAP = 150;

/** The parts of a span in some tiles. Parts with few users between them are one. */
export function spansOf(span: Span, tiles: readonly Tile[], isNeeded: (tile: Tile) => boolean): Span[] {
  const ranges: Range[] = [];
  let gap = 0;
  for (const tile of tiles) {
    const last = ranges.at(-1);
    if (!isNeeded(tile)) gap += tile.segment.users;
    else {
      if (last && gap <= GAP) ranges[ranges.length - 1] = { from: last.from, to: tile.to };
      else ranges.push({ from: tile.from, to: tile.to });
      gap = 0;
    }
  }
  return ranges.map((range) => ({ list: span.list, ...both(span, range) })).filter((part) => !isEmpty(part));
}

/** The parts of a span that can have users with a keyword in their last names. Sums with few such users are looked into. */
export async function spansWith(view: View, span: Span, keyword: string | undefined): Promise<Span[]> {
  const { list } = span;
  const scripts = keyword === undefined || !countsScripts(list.index) ? [] : scriptsIn(keyword);
  if (scripts.length === 0) return [span];
  const sums = await readSums(view, { list });
  const tiles = await Promise.all(
    sums.map((sum) => {
      const most = mostWith(sum.segment, scripts);
      const isWorthALook = most > 0 && sum.segment.users - most > view.database.sizes.segmentUsers;
      return isWorthALook ? readParts(view, list, sum) : [sum];
    }),
  );
  return spansOf(span, tiles.flat(), ({ segment }) => !(mostWith(segment, scripts) <= 0));
}

/** Where a list is cut into segments, and its segments into sums. */
import { SEPARATOR } from '../keys.ts';
import { keyIn, type List } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { isBound, type Row } from '../tree/rows.ts';
import type { User } from '../user.ts';
import { keyOf, rowOfUsers, sumOf } from './segments.ts';
import { usersIn } from './users.ts';

/** The size that a split aims at, with room to grow. */
const AIM = 0.75;

/** A segment that is cut off has as much of the limit as this, at least and at most. */
const [LEAST, MOST] = [0.45, 0.85];

/** No value has this character. */
const END_OF_TEXT = '\u0003';

/** A short text above one key and not above the next: bounds are read with every deep page. A part of the id tells keys of one text apart. */
export function separatorOf(below: string, above: string): string {
  let shared = 0;
  while (shared < above.length && below[shared] === above[shared]) shared++;
  const endOfText = above.lastIndexOf(SEPARATOR);
  if (shared > endOfText) return above.slice(0, shared + 1);
  const separator = above.slice(0, shared) + String.fromCodePoint(above.codePointAt(shared) ?? 0) + END_OF_TEXT;
  return compareCodePoints(separator, above) < 0 ? separator : above.slice(0, endOfText + 1);
}

/**
 * Where to cut keys of a list that are in order: at the shortest bound that makes a segment of a usual size, as prefix B-trees do (Bayer and
 * Unterauer, 1977, "split interval"). Bounds are short, and a segment often begins where a value or a first letter does: a range
 * of these is counted without reading users.
 */
function cutsOf(list: List, keys: readonly string[], most: number): number[] {
  const [least, largest] = [Math.max(1, Math.ceil(most * LEAST)), Math.max(1, Math.floor(most * MOST))];
  const boundAt = (place: number): string => separatorOf(keys[place - 1] ?? '', keys[place] ?? '');
  const cuts = [0];
  for (let start = 0; keys.length - start > largest; ) {
    const end = Math.max(start + 1, Math.min(start + largest, keys.length - least));
    let best = end;
    for (let place = end - 1; place >= start + least; place--) {
      if (boundAt(place).length < boundAt(best).length) best = place;
    }
    // No node can begin at a longer key. In one node, many such segments would be more than DynamoDB takes; one that is too large is dear.
    while (best < keys.length && !isBound(keyOf(list, boundAt(best)))) best++;
    if (best === keys.length) break;
    start = best;
    cuts.push(start);
  }
  return cuts;
}

/** The segments of some users of a list, who are in its order, from a bound on. */
export function cutIntoSegments(
  list: List,
  from: string | undefined,
  users: readonly User[],
  most: number,
  buckets: readonly number[],
): Row[] {
  const keys = users.map((user) => keyIn(list.index, user));
  const cuts = cutsOf(list, keys, most);
  return cuts.map((start, i) => {
    const bound = i === 0 ? from : separatorOf(keys[start - 1] ?? '', keys[start] ?? '');
    return rowOfUsers(list, bound, users.slice(start, cuts[i + 1]), buckets);
  });
}

/** The sums of some segments of a list, which follow each other. */
export function cutIntoSums(segments: readonly Row[], most: number): Row[] {
  const groups: Row[][] = [];
  let users = 0;
  for (const segment of segments) {
    const more = usersIn(segment);
    if (groups.length === 0 || users + more > most * AIM) {
      groups.push([]);
      users = 0;
    }
    groups.at(-1)?.push(segment);
    users += more;
  }
  return groups.map(sumOf);
}

/** The parts of a span that are read: what is between them has nobody who is asked for. */
import type { Segment } from '../counts/segments.ts';
import { padded } from '../keys.ts';
import { isEmpty, keyIn, partOf, type Range, rangeOfText, type Span } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import type { Direction } from './order.ts';

/** Up to this many users between two parts are read too: if they are usual users (cost.ts), another query would cost as much. */
const GAP = 150;

/** The parts of a span in the segments that are needed. Parts with few users between them are one. */
export function partsOf<Some extends Segment>(
  span: Span,
  segments: readonly Some[],
  isNeeded: (segment: Some) => boolean,
): Span[] {
  const ranges: Range[] = [];
  let gap = 0;
  for (const segment of segments) {
    const last = ranges.at(-1);
    if (!isNeeded(segment)) gap += segment.users;
    else {
      if (last && gap <= GAP) ranges[ranges.length - 1] = { from: last.from, to: segment.to };
      else ranges.push({ from: segment.from, to: segment.to });
      gap = 0;
    }
  }
  return ranges.map((range) => partOf(span, range)).filter((part) => !isEmpty(part));
}

/**
 * A skip scan. Users with one text are in the order of ids, so the users within a range of ids follow each other, and whoever
 * follows a list need not read what is before and after them.
 *
 * @returns what is left of a span after a page in which nobody is within a range of ids, if all users of the page have one text: it begins
 * with the next user who can be within the range. Undefined if nothing can be skipped.
 */
export function skipIds(span: Span, page: readonly User[], ids: Range, direction: Direction): Span | undefined {
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last || span.list.index.order === 'id') return undefined;
  const textOf = (user: User) => keyIn(span.list.index, user).slice(0, -padded(user.id).length);
  const text = textOf(last);
  if (textOf(first) !== text) return undefined;
  const id = padded(last.id);
  const isBefore = ids.from !== undefined && compareCodePoints(id, ids.from) < 0;
  const isAfter = ids.to !== undefined && compareCodePoints(id, ids.to) >= 0;
  if (!isBefore && !isAfter) return undefined;
  if (direction === 'asc')
    return partOf(span, { from: isBefore ? text + ids.from : rangeOfText(text.slice(0, -1)).to });
  return partOf(span, { to: isAfter ? text + ids.to : text });
}

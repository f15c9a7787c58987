/**
 * A skip scan. Users with one text are in the order of ids, so the users within a range of ids follow each other, and whoever
 * follows a list need not read what is before and after them.
 */
import { padded } from '../keys.ts';
import { both, keyIn, type Range, rangeOfText, type Span } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import type { Direction } from './order.ts';

/**
 * What is left of a span after a page in which nobody is within a range of ids, if all users of the page have one text: it begins
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
  const rest =
    direction === 'asc'
      ? { from: isBefore ? text + ids.from : rangeOfText(text.slice(0, -1)).to }
      : { to: isAfter ? text + ids.to : text };
  return { list: span.list, ...both(span, rest) };
}

/** Cuts long reads at keys that segments know: a Query returns a megabyte, and the next one need not wait for it. */
import { partOf, type Span } from '../lists.ts';
import { entriesPerUnit, type Sized, sum } from './cost.ts';
import { type Direction, inDirection } from './order.ts';
import type { View } from './view.ts';

/** The segments that have the first users of a span in a direction. */
async function segmentsIn(view: View, { span, users }: Sized, direction: Direction) {
  const sums = inDirection(await view.segments('sums', span.list, span), direction);
  const needed = sums.filter((_, i) => sum(sums.slice(0, i).map((each) => each.users)) < users);
  const segments = await Promise.all(needed.map((each) => view.segments('segments', span.list, each)));
  return segments.flatMap((some) => inDirection(some, direction));
}

/** Parts that have the first users of a span in a direction, each for one Query, and what is left of the span. */
export async function cutUp(view: View, sized: Sized, direction: Direction): Promise<{ parts: Span[]; rest: Sized }> {
  const { span } = sized;
  const most = view.database.sizes.partUnits * entriesPerUnit(span);
  if (sized.users <= most) return { parts: [], rest: sized };
  const cuts: string[] = [];
  let [size, left] = [0, sized.users];
  for (const { from, to, users } of await segmentsIn(view, sized, direction)) {
    const bound = direction === 'asc' ? from : to;
    const isLast = size + users > left;
    if (bound !== undefined && size > 0 && (isLast || size + users > most)) {
      cuts.push(bound);
      left -= size;
      size = 0;
    }
    if (isLast) break;
    size += users;
  }
  const between = (near: string | undefined, far?: string) =>
    partOf(span, direction === 'asc' ? { from: near, to: far } : { from: far, to: near });
  const parts = cuts.map((cut, i) => between(cuts[i - 1], cut));
  return { parts, rest: { span: between(cuts.at(-1)), users: left } };
}

import { scriptsIn } from '../counts/scripts.ts';
import { countsScripts, mostWith, type Segment } from '../counts/segments.ts';
import { isEmpty, partOf, type Range, type Span } from '../lists.ts';
import type { View } from './view.ts';

/** Up to this many users between two parts are read too, because another query would cost as much. */
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

/** The parts of a span that can have users with a keyword in their last names. Sums with few such users are looked into. */
export async function partsWith(view: View, span: Span, keyword: string | undefined): Promise<Span[]> {
  const { list } = span;
  const scripts = keyword === undefined || !countsScripts(list.index) ? [] : scriptsIn(keyword);
  if (scripts.length === 0) return [span];
  const isWorthALook = (sum: Segment) => {
    const most = mostWith(sum, scripts);
    return most > 0 && sum.users - most > view.database.sizes.segmentUsers;
  };
  const sums = await view.segments('sums', list, {});
  const segments = await Promise.all(
    sums.map((sum) => (isWorthALook(sum) ? view.segments('segments', list, sum) : [sum])),
  );
  return partsOf(span, segments.flat(), (segment) => mostWith(segment, scripts) > 0);
}

import { isPiece, type KeywordCounts } from '../counts/names.ts';
import { isCountedIn } from '../counts/segments.ts';
import { isExactField } from '../fields.ts';
import { exactText } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import {
  type Candidate,
  type Criteria,
  candidateInOrder,
  candidatesOf,
  otherValues,
  singleValues,
  type UserQuery,
  withValues,
} from './criteria.ts';
import { hasOwnOrder, inDirection, type SortKey } from './order.ts';
import { type Facts, type Group, isCheaper, isWorthNames, type Sized } from './plan.ts';
import { factsOfNames } from './search.ts';
import { sizeOf } from './slice.ts';
import { countWanted } from './tiles.ts';
import type { View } from './view.ts';

/**
 * How many users match; undefined if no statistics tell. In the order of an exact field the counts of its values are needed anyway,
 * and are added up: the total would be one read unit more.
 */
export async function countOf(view: View, criteria: Criteria, { property }: SortKey): Promise<number | undefined> {
  const hasRanges = Object.keys(criteria.ranges).length > 0;
  if (criteria.keyword !== undefined) {
    const found = (await view.keyword(criteria.keyword)).total(criteria.values);
    return hasRanges && found > 0 ? undefined : found;
  }
  const values = singleValues(criteria);
  if (!hasRanges && values) {
    const isGrouped = isExactField(property) && Object.keys(values).length > 0 && values[property] === undefined;
    if (!isGrouped) return view.total(values);
    return (await view.values(property, values)).reduce((sum, { total }) => sum + total, 0);
  }
  const candidates = candidatesOf(criteria);
  const counted = candidates.find(({ isExact }) => isExact) ?? candidates.find((each) => isCounted(criteria, each));
  if (!counted) return undefined;
  const wanted = otherValues(criteria, counted.index);
  const sizes = await Promise.all(
    counted.spans.map((span) => (counted.isExact ? sizeOf(view, span) : countWanted(view, span, wanted))),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return Number.isNaN(total) ? undefined : total;
}

/** Whether a candidate has fewer users than its lists: only the users of some values, or of a range. */
const isNarrowed = ({ values, ranges }: Criteria, { index: { order } }: Candidate): boolean =>
  order === 'id'
    ? ranges.id !== undefined
    : ranges[order] !== undefined || (isExactField(order) && values[order] !== undefined);

/** The smallest spans that have all matching users. Where there are several ranges, counts tell which is the smallest. */
async function smallestOf(view: View, criteria: Criteria, candidates: readonly Candidate[], total: number | undefined) {
  const [narrowest] = candidates;
  if (!narrowest || narrowest.isExact) return narrowest && sizedSpans(view, narrowest, total);
  const narrowed = candidates.filter(
    (each, i) =>
      isNarrowed(criteria, each) && candidates.findIndex(({ index }) => index.order === each.index.order) === i,
  );
  const sized = await Promise.all(
    (narrowed.length === 0 ? [narrowest] : narrowed).map((each) => sizedSpans(view, each, undefined)),
  );
  return sized.reduce((best, each) => (usersOf(each) < usersOf(best) ? each : best));
}

const usersOf = (spans: readonly Sized[]): number => spans.reduce((sum, { users }) => sum + users, 0);

/** How many users some spans have. */
async function sizedSpans(
  view: View,
  { isExact, spans, whole }: Candidate,
  total: number | undefined,
): Promise<Sized[]> {
  const [span, ...others] = spans;
  if (isExact && total !== undefined && span && others.length === 0) return [{ span, users: total }];
  return Promise.all(spans.map(async (each, i) => ({ span: each, users: await sizeOf(view, whole[i] ?? each) })));
}

/** The users of each value of an exact field. */
function groupsOf(criteria: Criteria, lead: SortKey, totals: ReadonlyMap<string, number>): Group[] {
  const { property } = lead;
  if (!isExactField(property)) return [];
  const groups = [...totals].map(([value, total]) => ({ text: exactText(value), value, total }));
  groups.sort((a, b) => compareCodePoints(a.text, b.text));
  return inDirection(groups, lead).map(({ value, total }) => ({
    criteria: withValues(criteria, property, [value]),
    total,
  }));
}

/** How many users each value of the first property has, if statistics tell. */
async function readGroups(view: View, { criteria, order: [lead] }: UserQuery, counts: KeywordCounts | undefined) {
  const { property } = lead;
  if (!isExactField(property) || Object.keys(criteria.ranges).length > 0) return undefined;
  if (counts) return groupsOf(criteria, lead, counts.byValue(property, criteria.values));
  const { [property]: given, ...others } = criteria.values;
  const within = singleValues({ ...criteria, values: others });
  if (!within) return undefined;
  const totals = given
    ? await Promise.all(
        given.map(async (value) => ({ value, total: await view.total({ ...within, [property]: value }) })),
      )
    : await view.values(property, within);
  return groupsOf(criteria, lead, new Map(totals.map(({ value, total }) => [value, total])));
}

/** Whether segments count what the users of a list must meet beyond being in it. */
function isCounted(criteria: Criteria, { index, isById }: Candidate): boolean {
  const areRangesIn = Object.keys(criteria.ranges).every(
    (order) => order === index.order || (order === 'id' && isById),
  );
  const others = Object.keys(otherValues(criteria, index));
  return (
    criteria.keyword === undefined &&
    areRangesIn &&
    others.every((field) => isExactField(field) && isCountedIn(index, field))
  );
}

/** Reads the counts that a plan is chosen from. */
export async function readFacts(view: View, query: UserQuery): Promise<Facts> {
  const { criteria, order, skip, take, total } = query;
  const [lead] = order;
  const candidates = candidatesOf(criteria);
  const candidate = candidateInOrder(candidates, lead.property);
  const hasRuns = !hasOwnOrder(order);
  const isSure = candidate?.isExact === true && candidate.spans.length === 1;
  const isSplit = candidate !== undefined && candidate.spans.length > 1;
  if (candidate && isSure && !hasRuns) {
    const matching = total ?? Number.POSITIVE_INFINITY;
    return { skip, take, matching, hasRuns, isCounted: false, inOrder: { candidate, users: matching } };
  }
  const hasRanges = Object.keys(criteria.ranges).length > 0;
  const { keyword } = criteria;
  const counts = keyword === undefined ? undefined : await view.keyword(keyword);
  const found = counts?.total(criteria.values) ?? Number.POSITIVE_INFINITY;
  if (found === 0) return { skip, take, matching: 0, hasRuns, isCounted: false, inOrder: undefined, smallest: [] };
  const sizes = candidate && (await sizedSpans(view, candidate, total));
  const inOrder = candidate && sizes && { candidate, users: usersOf(sizes) };
  const known: Facts = { skip, take, matching: found, hasRuns, inOrder, isCounted: false };
  const isByName = lead.property === 'lastName' && !hasRanges;
  const readsNames =
    keyword !== undefined && (!isPiece(keyword) || isWorthNames(found, isByName, known, view.database.sizes.risks));
  const ofNames = readsNames ? factsOfNames(query, await view.names(keyword), keyword) : undefined;
  const ofLists = ofNames && !hasRanges ? undefined : await smallestOf(view, criteria, candidates, total);
  const smallest = [ofNames?.smallest, ofLists]
    .filter((spans) => spans !== undefined)
    .reduce<readonly Sized[] | undefined>((best, each) => (best && isCheaper(best, each) ? best : each), undefined);
  return {
    ...known,
    matching: total ?? Math.min(found, smallest ? usersOf(smallest) : found),
    isCounted: candidate !== undefined && isCounted(criteria, candidate),
    smallest,
    areNames: ofNames?.groups !== undefined,
    groups: ofNames?.groups ?? (counts || hasRuns || isSplit ? await readGroups(view, query, counts) : undefined),
  };
}

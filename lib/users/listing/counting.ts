/** Reads the counts from which a plan is chosen. */
import { isLetter } from '../counts/letters.ts';
import type { KeywordCounts, NameCounts } from '../counts/names.ts';
import { EXACT_FIELDS, isExactField } from '../fields.ts';
import { exactText } from '../keys.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { type Candidate, candidateInOrder, choicesOf, spansOfNumbers } from './candidates.ts';
import { costOfAll, type Sized, sum, usersOf, weightOf } from './cost.ts';
import { hasRanges, withValue } from './criteria.ts';
import { groupsOfNames, spansOfNames } from './names.ts';
import { hasOwnOrder, inDirection } from './order.ts';
import { type Counts, type Group, isWorthNames } from './plan.ts';
import type { Query } from './query.ts';
import { countSpan, estimate, fewUsers, NotCounted, sizeOf } from './ranks.ts';
import type { View } from './view.ts';

async function countBySegments(view: View, { spans, remaining }: Candidate): Promise<{ total: number } | undefined> {
  try {
    return { total: sum(await Promise.all(spans.map((span) => countSpan(view, span, remaining)))) };
  } catch (error) {
    if (error instanceof NotCounted) return undefined;
    throw error;
  }
}

/**
 * How many users have the wanted values. In the order of another exact field the numbers of its values are needed anyway, and are added
 * up: the total would be a read unit more.
 */
async function totalOf(view: View, { criteria: { wanted }, order: [{ property }] }: Query): Promise<number> {
  const fields = EXACT_FIELDS.filter((field) => wanted[field]);
  const [only, ...others] = choicesOf(wanted, fields) ?? [];
  if (!only) return 0;
  if (others.length > 0) return sum(await Promise.all([only, ...others].map(view.total)));
  if (fields.length === 0 || !isExactField(property) || wanted[property]) return view.total(only);
  return sum((await view.combinations([property], only)).map(({ total }) => total));
}

/** How many users match, and all of them if counting them took to read them. Undefined if no statistics tell. */
export async function countUsers(view: View, query: Query): Promise<{ total: number; users?: User[] } | undefined> {
  const { criteria, candidates } = query;
  if (criteria.keyword !== undefined) {
    const total = await (await view.keyword(criteria.keyword)).total(criteria.wanted);
    return total === undefined || (hasRanges(criteria) && total > 0) ? undefined : { total };
  }
  if (!hasRanges(criteria)) return { total: await totalOf(view, query) };
  const exact = candidates.find(({ fit }) => fit === 'exact');
  const [only, ...others] = exact?.spans ?? [];
  const users = only && others.length === 0 ? await fewUsers(view, only) : undefined;
  if (users) return { total: users.length, users };
  if (exact) return { total: sum(await Promise.all(exact.spans.map((span) => sizeOf(view, span)))) };
  const counted = candidates.find(({ fit }) => fit === 'counted');
  return counted && countBySegments(view, counted);
}

/** About how many users the spans of a candidate have. */
async function sized(view: View, { fit, spans }: Candidate, total?: number): Promise<Sized[]> {
  const [span, ...others] = spans;
  if (span && fit === 'exact' && others.length === 0 && total !== undefined) return [{ span, users: total }];
  return Promise.all(spans.map((each) => estimate(view, each)));
}

/** Whether a candidate has only the users of some values, or of a range, of its lists. */
const isNarrowed = ({ spans: [span] }: Candidate): boolean => span?.from !== undefined || span?.to !== undefined;

/** Spans that have all matching users: those of one list with exactly these users, or for each range those of the list in its order. */
async function rangesOf(view: View, { candidates, total }: Query): Promise<Sized[][]> {
  const [narrowest] = candidates;
  if (!narrowest) return [[]];
  if (narrowest.fit === 'exact') return [await sized(view, narrowest, total)];
  const isFirst = ({ index }: Candidate, i: number) =>
    candidates.findIndex((each) => each.index.order === index.order) === i;
  const narrowed = candidates.filter((each, i) => isNarrowed(each) && isFirst(each, i));
  return Promise.all((narrowed.length === 0 ? [narrowest] : narrowed).map((each) => sized(view, each)));
}

const weightOfAll = (spans: readonly Sized[]): number => weightOf(costOfAll(spans));

const cheapest = (ranges: readonly Sized[][]): Sized[] =>
  ranges.reduce((best, each) => (weightOfAll(each) < weightOfAll(best) ? each : best));

/** About how many of all users are in each of some ranges, if these have nothing to do with each other. */
const inAll = (ranges: readonly Sized[][], users: number): number =>
  ranges.reduce((matching, each) => (matching * usersOf(each)) / Math.max(1, users), users);

/** The smallest spans that have all matching users. */
function smallestOf({ journal }: View, { criteria, candidates }: Query, ranges: readonly Sized[][]): Sized[] {
  const spans = spansOfNumbers(criteria, candidates);
  const users = inAll(ranges, journal.total) / spans.length;
  return cheapest(spans.length > 0 ? [...ranges, spans.map((span) => ({ span, users }))] : ranges);
}

/** How many users have each value of the first property, if statistics tell. */
async function totalsByValue(view: View, query: Query, counts?: KeywordCounts) {
  const { property } = query.order[0];
  const { wanted } = query.criteria;
  if (!isExactField(property) || hasRanges(query.criteria)) return undefined;
  if (counts) return counts.byValue(property, wanted);
  const others = EXACT_FIELDS.filter((field) => field !== property && wanted[field]);
  const [within, ...more] = choicesOf(wanted, others) ?? [];
  if (!within || more.length > 0) return undefined;
  const given = wanted[property];
  if (!given) {
    const found = await view.combinations([property], within);
    return found.map(({ values, total }) => ({ value: values[property] ?? '', total }));
  }
  return Promise.all(
    given.map(async (value) => ({ value, total: await view.total({ ...within, [property]: value }) })),
  );
}

/** The users of each value of the first property, in order. */
async function groupsOf(view: View, query: Query, counts?: KeywordCounts): Promise<Group[] | undefined> {
  const [{ property, direction }] = query.order;
  const totals = await totalsByValue(view, query, counts);
  if (!totals || !isExactField(property)) return undefined;
  const texts = totals.map(({ value, total }) => ({ text: exactText(value), value, total }));
  texts.sort((a, b) => compareCodePoints(a.text, b.text));
  return inDirection(texts, direction).map(({ value, total }) => ({
    criteria: withValue(query.criteria, property, value),
    total,
  }));
}

/** The list in the order of the first property, with about how many users its spans have. */
const orderedIn = async (view: View, list: Candidate | undefined, total?: number): Promise<Counts['ordered']> =>
  list && { ...list, spans: await sized(view, list, total) };

/** The names with a keyword. Undefined for a letter if it is better to walk, or not known how many users have it. */
async function namesFor(view: View, query: Query, keyword: string, counts: Counts): Promise<NameCounts | undefined> {
  const isWorth = () => Number.isFinite(counts.matching) && isWorthNames(query, counts, view.database.sizes.risks);
  return !isLetter(keyword) || isWorth() ? view.names(keyword) : undefined;
}

async function countsWithKeyword(view: View, query: Query, keyword: string, list?: Candidate): Promise<Counts> {
  const { criteria, total, order } = query;
  const [{ property, direction }] = order;
  const counts = await view.keyword(keyword);
  const matching = total ?? (await counts.total(criteria.wanted)) ?? Number.POSITIVE_INFINITY;
  if (matching === 0) return { matching, smallest: [] };
  const isRanged = hasRanges(criteria);
  const [ordered, ranges] = await Promise.all([orderedIn(view, list), isRanged ? rangesOf(view, query) : []]);
  const names = await namesFor(view, query, keyword, { matching, ordered });
  const choices = [
    ...(names ? [spansOfNames(criteria, names, keyword)] : []),
    ...(isRanged ? [smallestOf(view, query, ranges)] : []),
  ];
  const smallest = cheapest(choices.length > 0 ? choices : await rangesOf(view, query));
  const known = { matching: total ?? Math.min(matching, usersOf(smallest)), ordered, smallest };
  const areNames = names !== undefined && !isRanged && property === 'lastName';
  if (!areNames) return { ...known, groups: await groupsOf(view, query, counts) };
  return { ...known, groups: groupsOfNames(criteria, names, direction), areNames };
}

async function countsWithoutKeyword(view: View, query: Query, list?: Candidate): Promise<Counts> {
  const { order, total } = query;
  const isOrdered = hasOwnOrder(order) && list?.spans.length === 1;
  const [ordered, ranges, groups] = await Promise.all([
    orderedIn(view, list, total),
    rangesOf(view, query),
    isOrdered ? undefined : groupsOf(view, query),
  ]);
  return {
    matching: total ?? inAll(ranges, view.journal.total),
    ordered,
    smallest: smallestOf(view, query, ranges),
    groups,
  };
}

/** What a plan is chosen from. Of a list that has exactly the users, in exactly their order, nothing needs to be known. */
export async function readCounts(view: View, query: Query): Promise<Counts> {
  const { candidates, criteria, order, total: matching = Number.POSITIVE_INFINITY } = query;
  const list = candidateInOrder(candidates, order[0].property);
  if (criteria.keyword !== undefined) return countsWithKeyword(view, query, criteria.keyword, list);
  const [span, ...others] = list?.fit === 'exact' ? list.spans : [];
  if (!list || !span || others.length > 0 || !hasOwnOrder(order)) return countsWithoutKeyword(view, query, list);
  return { matching, ordered: { ...list, spans: [{ span, users: matching }] } };
}

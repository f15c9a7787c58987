/** The parts of lists that have all users who meet some criteria. */
import { isCountedIn, type Wanted } from '../counts/segments.ts';
import { type ExactField, isExactField, isOrderedByText, type SortProperty } from '../fields.ts';
import { ID_DIGITS } from '../ids.ts';
import { USERS_INDEXES, type UsersIndex } from '../indexes.ts';
import { type EncodedFilters, exactText, padded, SEPARATOR } from '../keys.ts';
import {
  intersection,
  isEmpty,
  type List,
  listOf,
  partOf,
  type Range,
  rangeOfText,
  type Span,
  textOf,
} from '../lists.ts';
import { type Criteria, entriesOf, orderOf, rangeWith } from './criteria.ts';
import type { Direction } from './order.ts';

/** Parts of the lists of one index that have all matching users. */
export interface Candidate {
  index: UsersIndex;
  spans: readonly Span[];
  /** The users of each span are in the order of ids. */
  isById: boolean;
  /** Whether all its users match; or the segments of its lists count those who do; or users have to be looked at. */
  fit: 'exact' | 'counted' | 'wider';
  /** Values that its users need not have, and matching users must. */
  remaining: Wanted;
}

/** Each choice of one wanted value of some fields. Undefined if users may have any value in one of them. */
export function choicesOf(wanted: Wanted, fields: readonly ExactField[]): EncodedFilters[] | undefined {
  let choices: EncodedFilters[] = [{}];
  for (const field of fields) {
    const any = wanted[field];
    if (!any) return undefined;
    choices = choices.flatMap((choice) => any.map((value) => ({ ...choice, [field]: value })));
  }
  return choices;
}

/** The keys in an index that matching users can have. */
function rangesFor({ wanted, ranges }: Criteria, { order }: UsersIndex): Range[] {
  const whole = ranges[order] ?? {};
  const any = isExactField(order) ? wanted[order] : undefined;
  const each = any?.map((value) => intersection(whole, rangeOfText(exactText(value)))) ?? [whole];
  return each.filter((range) => !isEmpty(range));
}

/** Within one text, keys are in the order of ids. */
const withIds = (text: string, { from, to }: Range): Range => ({
  from: `${text}${SEPARATOR}${from ?? ''}`,
  to: to === undefined ? rangeOfText(text).to : `${text}${SEPARATOR}${to}`,
});

function fitOf({ ranges, keyword }: Criteria, { index, isById, remaining }: Omit<Candidate, 'fit' | 'spans'>) {
  const areRangesIn = entriesOf(ranges).every(([order]) => order === index.order || (order === 'id' && isById));
  if (keyword !== undefined || !areRangesIn) return 'wider';
  const fields = entriesOf(remaining).map(([field]) => field);
  if (fields.length === 0) return 'exact';
  return fields.every((field) => isCountedIn(index, field)) ? 'counted' : 'wider';
}

function candidateIn(criteria: Criteria, index: UsersIndex): Candidate | undefined {
  const lists = choicesOf(criteria.wanted, index.filters)?.map((values): List => listOf(index, values));
  if (!lists) return undefined;
  const ranges = rangesFor(criteria, index);
  const texts = ranges.map(textOf);
  const isById = index.order === 'id' || texts.every((text) => text !== undefined);
  const ids = index.order !== 'id' && isById ? criteria.ranges.id : undefined;
  const narrowed = ids ? texts.map((text = '') => withIds(text, ids)) : ranges;
  const spans = lists.flatMap((list) => narrowed.map((range) => ({ list, ...range }))).filter((each) => !isEmpty(each));
  const isImplied = (field: ExactField) => index.filters.includes(field) || index.order === field;
  const remaining = Object.fromEntries(entriesOf(criteria.wanted).filter(([field]) => !isImplied(field)));
  const candidate = { index, spans, isById, remaining };
  return { ...candidate, fit: fitOf(criteria, candidate) };
}

/** How narrow a candidate is: how many fields have one value in it, or some keys. */
const narrowness = ({ index, spans: [span], fit }: Candidate): number =>
  (fit === 'exact' ? 100 : 0) +
  2 * index.filters.length +
  (span?.from !== undefined || span?.to !== undefined ? 2 : 0) +
  (index.order === 'id' ? 1 : 0);

/** All candidates, the smallest first: a candidate with exactly the matching users, if there is one. */
export const candidatesOf = (criteria: Criteria): Candidate[] =>
  USERS_INDEXES.flatMap((index) => candidateIn(criteria, index) ?? []).toSorted(
    (a, b) => narrowness(b) - narrowness(a),
  );

/** The narrowest list in the order of a property that has all matching users. Several lists, if there is no other way. */
export function candidateInOrder(candidates: readonly Candidate[], property: SortProperty): Candidate | undefined {
  const order = orderOf(property);
  const inOrder = candidates.filter(({ index, isById }) => index.order === order || (order === 'id' && isById));
  return inOrder.find(({ spans }) => spans.length <= 1) ?? inOrder[0];
}

/** A longer range of numbers is not taken apart. */
const MOST_NUMBERS = 100;

/** The numbers in a range of keys, if they are few. */
function numbersIn({ from = padded(0), to = '' }: Range): number[] {
  const [first, end] = [from, to].map((key) => Number(key.slice(0, ID_DIGITS) || Number.NaN)) as [number, number];
  return end - first <= MOST_NUMBERS ? Array.from({ length: end - first }, (_, i) => first + i) : [];
}

/** All matching users of a range of few numbers and a range of ids: the users of each number are in the order of ids. */
export function spansOfNumbers({ ranges }: Criteria, candidates: readonly Candidate[]): Span[] {
  const { id, ...others } = ranges;
  const [[order, range] = [], ...more] = entriesOf(others);
  // A text may begin as a number does.
  if (!id || !order || !range || more.length > 0 || isOrderedByText(order)) return [];
  const lists = candidates.find(({ index }) => index.order === order)?.spans ?? [];
  return lists.flatMap(({ list }) => numbersIn(range).map((number) => ({ list, ...withIds(padded(number), id) })));
}

/** What stands before the ids in the keys of a span whose users are in the order of ids. */
const idPrefixOf = ({ list, from = '' }: Span): string =>
  list.index.order === 'id' ? '' : from.slice(0, from.lastIndexOf(SEPARATOR) + 1);

/** What a span has past the users with one sort text in the property of its order, in a direction. */
export function partPast(span: Span, property: SortProperty, text: string, direction: Direction): Span {
  const prefix = orderOf(property) === 'id' ? idPrefixOf(span) : '';
  const { from, to } = rangeWith(property, text);
  return partOf(span, direction === 'asc' ? { from: prefix + to } : { to: prefix + from });
}

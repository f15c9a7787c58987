import { isExactField } from '../fields.ts';
import { sortText, valueOfText } from '../keys.ts';
import type { Range } from '../lists.ts';
import type { User } from '../user.ts';
import { type Criteria, orderOf, type UserQuery, withText, withValues } from './criteria.ts';
import { hasOwnOrder, inOrder, opposite, type SortKey } from './order.ts';

/** The matching users at the places from `start` on, in the order of the first property. */
export interface Window {
  users: readonly User[];
  start: number;
  /** How many match. */
  total: number;
}

/** Users with one sort text in the first property, as far as they are in a window. */
interface Run {
  text: string;
  users: readonly User[];
  /** The places [start, end) of these users. */
  start: number;
  end: number;
  /** Whether the run begins, and ends, in the window. */
  begins: boolean;
  ends: boolean;
}

function runsOf({ users, start, total }: Window, { property }: SortKey): Run[] {
  const texts = users.map((user) => sortText(user, property));
  const runs: Run[] = [];
  for (let first = 0, next: number; first < users.length; first = next) {
    const text = texts[first] ?? '';
    next = texts.findIndex((other, i) => i > first && other !== text);
    if (next < 0) next = users.length;
    runs.push({
      text,
      users: users.slice(first, next),
      start: start + first,
      end: start + next,
      begins: first > 0 || start === 0,
      ends: next < users.length || start + next === total,
    });
  }
  return runs;
}

const criteriaOfRun = (criteria: Criteria, { property }: SortKey, text: string): Criteria =>
  isExactField(property) ? withValues(criteria, property, [valueOfText(text)]) : withText(criteria, property, text);

/** What runs are read with. */
export interface RunReader {
  /** Reads a query of its own. */
  read: (query: UserQuery) => Promise<User[]>;
  /** How many matching users are before a key in the order of the first property, ascending. NaN if that is not known. */
  rank: (key: string | undefined) => Promise<number>;
}

const flipped = (order: readonly SortKey[]): UserQuery['order'] =>
  order.map(({ property, direction }) => ({
    property,
    direction: opposite(direction),
  })) as unknown as UserQuery['order'];

/** The places [from, to) of a run. @returns undefined if ranks are not known */
async function partOfRun(
  query: UserQuery,
  run: Run,
  { total }: Window,
  { read, rank }: RunReader,
): Promise<User[] | undefined> {
  const [lead, ...rest] = query.order as [SortKey, SortKey, ...SortKey[]];
  const [from, to] = [Math.max(query.skip, run.start), Math.min(query.skip + query.take, run.end)];
  if (run.begins && run.ends) return inOrder(run.users, rest).slice(from - run.start, to - run.start);
  if (hasOwnOrder(query.order)) return run.users.slice(from - run.start, to - run.start);
  const criteria = criteriaOfRun(query.criteria, lead, run.text);
  if (run.begins) return read({ criteria, order: rest, skip: from - run.start, take: to - from });
  if (run.ends) return (await read({ criteria, order: flipped(rest), skip: run.end - to, take: to - from })).reverse();
  const range: Range | undefined = withText({ values: {}, ranges: {} }, lead.property, run.text).ranges[
    orderOf(lead.property) ?? 'id'
  ];
  const [low, high] = await Promise.all([rank(range?.from), rank(range?.to)]);
  if (Number.isNaN(low + high)) return undefined;
  const first = lead.direction === 'asc' ? low : total - high;
  return read({ criteria, order: rest, skip: from - first, take: to - from, total: high - low });
}

/** The users of a page, where runs of equal values in the first property are in the rest of the order. A run keeps its places. */
export async function sortRuns(query: UserQuery, window: Window, reader: RunReader): Promise<User[] | undefined> {
  const { skip, take, order } = query;
  const runs = runsOf(window, order[0]).filter(({ start, end }) => end > skip && start < skip + take);
  const parts = await Promise.all(runs.map((run) => partOfRun(query, run, window, reader)));
  return parts.some((part) => part === undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

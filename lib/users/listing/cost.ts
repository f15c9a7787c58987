/** What reads cost, by the sizes of usual users: names, e-mail addresses and the other fields have 40 to 60 bytes together. */
import type { Span } from '../lists.ts';
import type { User } from '../user.ts';

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

export interface Cost {
  units: number;
  /** Calls that wait for one another. Others are made side by side. */
  rounds: number;
  calls: number;
}

/** A round trip takes some milliseconds: about as long as to read two units, of 8 KB each, and to unpack them. */
const UNITS_PER_ROUND = 2;

/** Enough to hide the latency of many short reads, and fewer than the client's sockets. */
export const PARALLEL_READS = 48;

/** More calls than these are made only where there is no other way. */
const MOST_CALLS = 600;

export const UNITS_PER_QUERY = 0.5;

/**
 * An eventually consistent read unit covers 8 KB. Entries of usual users have 110 to 160 bytes, by the length of their keys. Of users with
 * longer texts lists cost more than estimated, all plans alike; only what is compared with calls is then chosen too late.
 */
const ENTRIES_PER_UNIT = { byId: 76, byKey: 58 };

/** A Query returns at most a megabyte. */
export const UNITS_PER_MEGABYTE = 128;

export const entriesPerUnit = ({ list: { index } }: Span): number =>
  index.order === 'id' ? ENTRIES_PER_UNIT.byId : ENTRIES_PER_UNIT.byKey;

/** The rounds of a long read: sums and segments tell where to cut it, and its parts are read side by side. */
const LONG_ROUNDS = 3;

/** One number by which costs are compared. */
export const weightOf = ({ units, rounds, calls }: Cost): number =>
  calls > MOST_CALLS ? Number.POSITIVE_INFINITY : units + UNITS_PER_ROUND * rounds;

/** What it costs to read this many users of a span. */
export function costOf(span: Span, users: number): Cost {
  const units = Math.max(UNITS_PER_QUERY, users / entriesPerUnit(span));
  const calls = Math.ceil(units / UNITS_PER_MEGABYTE);
  return { units, calls, rounds: Math.min(calls, LONG_ROUNDS) };
}

/** The cost of something, with some rounds more of one call that reads a unit. */
export const withRounds = ({ units, rounds, calls }: Cost, more: number): Cost => ({
  units: units + more,
  rounds: rounds + more,
  calls: calls + more,
});

/** The cost of something so many times, side by side. */
export const timesCost = ({ units, rounds, calls }: Cost, times: number): Cost => ({
  units: units * times,
  rounds: rounds * Math.ceil(times / PARALLEL_READS),
  calls: calls * times,
});

/** A span to read, and about how many users it has. */
export interface Sized {
  span: Span;
  users: number;
  /** Its users, if counting them took to read them. */
  known?: readonly User[];
}

export function costOfAll(spans: readonly Sized[]): Cost {
  const costs = spans.flatMap(({ span, users, known }) => (known ? [] : [costOf(span, users)]));
  const [units, calls] = [sum(costs.map((cost) => cost.units)), sum(costs.map((cost) => cost.calls))];
  const rounds = Math.max(Math.ceil(calls / PARALLEL_READS), ...costs.map((cost) => cost.rounds));
  return { units, calls, rounds };
}

export const usersOf = (spans: readonly Sized[]): number => sum(spans.map(({ users }) => users));

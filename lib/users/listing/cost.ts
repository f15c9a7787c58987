/** What reads cost, by the sizes of usual users: names, e-mail addresses and the other fields have 40 to 60 bytes together. */
import type { Span } from '../lists.ts';
import type { User } from '../user.ts';

export interface Cost {
  units: number;
  calls: number;
}

/** A call takes about as long as two read units more: a millisecond of processor time, and a round trip. */
const UNITS_PER_CALL = 2;

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

const NO_COST: Cost = { units: 0, calls: 0 };

/** One number for both, by which costs are compared. */
export const weightOf = ({ units, calls }: Cost): number => units + UNITS_PER_CALL * calls;

/** What it costs to read this many users of a span in one query. */
export function costOf(span: Span, users: number): Cost {
  const units = Math.max(UNITS_PER_QUERY, users / entriesPerUnit(span));
  return { units, calls: Math.ceil(units / UNITS_PER_MEGABYTE) };
}

/** The cost of something, with some calls more that read a unit each. */
export const withCalls = ({ units, calls }: Cost, more: number): Cost => ({ units: units + more, calls: calls + more });

/** A span to read, and about how many users it has. */
export interface Sized {
  span: Span;
  users: number;
  /** Its users, if counting them took to read them. */
  known?: readonly User[];
}

export function costOfAll(spans: readonly Sized[]): Cost {
  const costs = spans.flatMap(({ span, users, known }) => (known ? [] : [costOf(span, users)]));
  return costs.reduce((sum, { units, calls }) => ({ units: sum.units + units, calls: sum.calls + calls }), NO_COST);
}

export const usersOf = (spans: readonly Sized[]): number => spans.reduce((sum, { users }) => sum + users, 0);

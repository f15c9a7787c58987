/** All that is kept from one run to the next: the place in the feed, and the changes before it that were not taken. */
export interface State {
  /** The place in the feed after which all is still to be sent. Empty: before the oldest change that is kept. */
  after: string;
  /** The changes after that place that were taken, or wait with their user. */
  passed: number;
  /** Tries in a row that failed. Those that were made at the same time count as one. */
  failures: number;
  /** The moment before which nothing is sent, in milliseconds since 1970. */
  next: number;
  /** Users with a change that was not taken, by id. */
  waiting: Record<string, Waiting>;
  /** The deployment whose receiver has answered 410. */
  gone?: string;
}

/** Changes of one user that wait, because the first of them was not taken. */
interface Waiting {
  /** A place in the feed before them. */
  after: string;
  /** Their versions. */
  from: number;
  upTo: number;
  /** Tries of the first one that failed. */
  tries: number;
  /** The moment of the next try, in milliseconds since 1970. */
  next: number;
}

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#deliverability-and-reliability */
const DELAYS_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** The tries of one change. After the last one it is set aside. */
export const MOST_TRIES = DELAYS_MS.length + 1;

/** With as many failures in a row a receiver is away. Fewer than the tries of a change: none is set aside unless others are taken. */
const AWAY = 5;

/** Users who wait. Above, no more of the feed is read until some were taken or set aside. Each has some 110 bytes of an item of at most 400 KB. */
const MOST_WAITING = 1_000;

export const newState = (after: string): State => ({ after, passed: 0, failures: 0, next: 0, waiting: {} });

export const isAway = ({ failures }: State): boolean => failures >= AWAY;

export const isFull = ({ waiting }: State): boolean => Object.keys(waiting).length >= MOST_WAITING;

/** Milliseconds from a try to the next one of the same change. @param failed tries, so far */
export const delayAfter = (failed: number): number => DELAYS_MS[Math.max(failed, 1) - 1] ?? 0;

/** Milliseconds until a receiver that is away is tried again, with one change: growing, up to an hour. 0 if it is not away. */
export const pauseOf = (state: State): number =>
  isAway(state) ? Math.min(delayAfter(state.failures - AWAY + 1) || HOUR_MS, HOUR_MS) : 0;

/** The user who is tried next: the first of those who are due, or of all while the receiver is away. */
export const nextWaiting = (state: State): string | undefined =>
  Object.entries(state.waiting)
    .filter(([, { next }]) => isAway(state) || next <= Date.now())
    .sort(([, a], [, b]) => a.next - b.next)[0]?.[0];

/** The questions that lists are asked, and their answers. */
import type { Order, Row } from '../columns/index.ts';
import type { IsKnown, Tag } from '../replica/index.ts';
import type { CountedBy, ValueCount } from './counted.ts';
import type { Filters } from './filters.ts';
import type { ListedUser } from './user.ts';

interface Asked {
  filters: Filters;
}

export interface StreamQuery extends Asked {
  order: Order;
}

export interface PageQuery extends StreamQuery {
  /** Counted from 0. */
  number: number;
  size: number;
}

export interface CursorQuery extends Asked {
  /** Only users with a higher id. */
  after: number;
  size: number;
}

export interface WalkQuery extends StreamQuery {
  /** The values of the user before the walk's next one, now or earlier. Undefined: from the beginning. */
  after: Row | undefined;
  size: number;
}

export interface CountsQuery extends Asked {
  by: readonly CountedBy[];
  /** How many counts are made at most. */
  most: number;
  /** How many of the first ones are told: all, if it is absent. */
  fitting?: (counts: readonly ValueCount[]) => number;
}

export interface UserBatch {
  tag: Tag;
  users: ListedUser[];
}

export interface UserPage extends UserBatch {
  /** How many users match, on all pages. */
  total: number;
}

export interface UserStretch extends UserPage {
  /** Whether somebody comes behind these. */
  hasMore: boolean;
}

export interface UserStream {
  tag: Tag;
  /** Some at a time, each made when it is taken. */
  users: Iterable<Iterable<ListedUser>> | AsyncIterable<Iterable<ListedUser>>;
  total: number;
}

export interface UserCounts {
  tag: Tag;
  total: number;
  /** The largest first. */
  counts: ValueCount[];
  /** How many users have values beside these. */
  others: number;
}

/** The client already has this state. */
export interface Unchanged {
  tag: Tag;
  users?: undefined;
}

/**
 * The lists of a stage: all that endpoints, edits and undo know of how they are made. An answer has every write that was acknowledged before its
 * request, and its users and its total are of one state, for which its tag stands.
 */
export interface UserListing {
  page(query: PageQuery, isKnown?: IsKnown): Promise<UserPage | Unchanged>;

  after(query: CursorQuery, isKnown?: IsKnown): Promise<UserBatch | Unchanged>;

  /** Users by id, with higher ids than one, and how many there are. */
  matching(query: CursorQuery): Promise<UserPage>;

  /** Every matching user, by id, and how many are left out for a value that is no date. */
  everyone(filters: Filters): Promise<UserStream & { notDates?: number }>;

  /** Users behind a place of an order: who does not change comes once in a walk, whatever others write. */
  walk(query: WalkQuery, isKnown?: IsKnown): Promise<UserStretch | Unchanged>;

  counts(query: CountsQuery, isKnown?: IsKnown): Promise<UserCounts | Unchanged>;

  /** Every matching user, of the state of one moment. */
  all(query: StreamQuery, isKnown?: IsKnown): Promise<UserStream | Unchanged>;

  /**
   * Prepares a container while it starts. It never throws: a failure comes again in a request, which reports it.
   *
   * @param most milliseconds to wait
   */
  load(most: number): Promise<void>;
}

/** The questions that lists are asked, and their answers. */
import type { Order, Row } from '../columns/index.ts';
import type { Tag } from '../replica/index.ts';
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
  /** How many come behind these. */
  left: number;
}

export interface UserStream {
  tag: Tag;
  /** Decoded one by one, as they are taken. */
  users: Iterable<ListedUser>;
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

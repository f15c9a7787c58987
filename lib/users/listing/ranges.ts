import type { UsersIndex } from '../../dynamodb/tables.ts';
import { INDEX_OF_PROPERTY, KIND, mark, runPrefix, SEPARATOR, type SortProperty } from '../keys.ts';
import type { Cell } from '../statistics/cells.ts';
import { countAllowed, type Restriction } from './restriction.ts';

/** One partition of an index, or the run in it of all users with the same value. */
export interface Range {
  index: UsersIndex;
  value: string;
  /** What the sort keys of the run begin with. */
  run?: string;
  /** Only greater ids, in a range that is in their order. */
  after?: number | undefined;
  /** Only these stretches of its order keys, ascending: no other holds a user that is wanted. */
  stretches?: readonly Bounds[] | undefined;
}

/** The least and the greatest sort key that is wanted. */
export interface Bounds {
  first: string | number;
  last: string | number;
}

export const isRun = (range: Range): range is Range & { run: string } => range.run !== undefined;

/** Ranges that together hold every user of a restriction, and how many users they hold. */
export interface Candidates {
  ranges: Range[];
  users: number;
}

/** All users in the order of a property, when an index has that order. */
export function rangeInOrderOf(property: SortProperty, { after }: Restriction): Range | undefined {
  const index = INDEX_OF_PROPERTY[property];
  return index && { index, value: KIND, ...(property === 'id' && { after }) };
}

/** The smallest partitions that status and country lead to. */
function partitionsOf({ status, country }: Restriction): Range[] {
  if (status && country) {
    return status.flatMap((s) =>
      country.map((c) => ({ index: 'byStatusAndCountry' as const, value: s + SEPARATOR + c })),
    );
  }
  if (status) return status.map((value) => ({ index: 'byStatus', value }));
  return country?.map((value) => ({ index: 'byCountry', value })) ?? [];
}

/** Every way to the users of a restriction: through its status and country, through its last names, and through all. */
export function candidatesOf(restriction: Restriction, cells: readonly Cell[]): Candidates[] {
  const { lastNames, after, ...marks } = restriction;
  const partitions = partitionsOf(marks).map((range) => ({ ...range, after }));
  const runs = lastNames?.map(({ name }) => ({
    index: 'byLastName' as const,
    value: KIND,
    run: runPrefix(mark(name)),
    after,
  }));
  return [
    ...(partitions.length > 0 ? [{ ranges: partitions, users: countAllowed(marks, cells) }] : []),
    ...(runs ? [{ ranges: runs, users: countAllowed({ lastNames: lastNames ?? [] }, cells) }] : []),
    { ranges: [{ index: 'byId', value: KIND, after }], users: countAllowed({}, cells) },
  ];
}

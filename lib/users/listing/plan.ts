import { foldMark } from '../keys.ts';
import type { CountCell } from '../statistics/counts.ts';
import { compareCodePoints } from '../text.ts';
import type { User } from '../user.ts';
import { gather } from './gather.ts';
import { type Order, reversed, totalOrder } from './order.ts';
import {
  allowedCells,
  allowsUser,
  countAllowed,
  FILTER_PROPERTIES,
  type FilterProperty,
  type Restriction,
} from './restriction.ts';
import { type Partition, partitionInOrderOf, type ScanDependencies } from './scan.ts';
import type { Window } from './selection.ts';
import { walk } from './walk.ts';

/** What to list, and what is known of the whole set. */
export interface Listing {
  restriction: Restriction;
  order: Order;
  window: Window;
  cells: readonly CountCell[];
}

/** A way to the users of a listing. A new one joins by being proposed in `PROPOSALS`. */
export interface AccessPath {
  /** One line for people: what is read, and how. */
  description: string;
  /** How many index entries it is expected to read. */
  entries: number;
  read(dependencies: ScanDependencies): Promise<User[]>;
}

type Proposal = (listing: Listing) => AccessPath[];

const PARTITIONED: Record<FilterProperty, 'byStatus' | 'byCountry'> = { status: 'byStatus', country: 'byCountry' };

const isFilterProperty = (property: string): property is FilterProperty =>
  FILTER_PROPERTIES.some((filter) => filter === property);

function walkPath({ restriction, order, window, cells }: Listing, partition: Partition, users: number): AccessPath {
  const matching = countAllowed(restriction, cells);
  const selectivity = matching / users;
  const keep = (user: User) => allowsUser(restriction, user);
  return {
    description: `walk ${partition.index}`,
    entries: Math.min(window.end, matching) / selectivity,
    read: (dependencies) => walk(dependencies, { partition, order, window, keep, selectivity }),
  };
}

/** Follow the index that has the order through all users. */
const walkIndex: Proposal = (listing) => {
  const partition = partitionInOrderOf(listing.order[0].property);
  return partition ? [walkPath(listing, partition, countAllowed({}, listing.cells))] : [];
};

/** The partitions that hold every user allowed by one property of the restriction, and how many users they hold. */
function restrictedPartitions({ restriction, cells }: Listing): { partitions: Partition[]; users: number }[] {
  return FILTER_PROPERTIES.flatMap((property) => {
    const marks = restriction[property];
    if (!marks) return [];
    const partitions = marks.map((value) => ({ index: PARTITIONED[property], value }));
    return [{ partitions, users: countAllowed({ [property]: marks }, cells) }];
  });
}

/** Follow the partition of one status or country, which is in the order of ids. */
const walkPartition: Proposal = (listing) => {
  const lead = listing.order[0].property;
  if (lead !== 'id' && lead !== 'createdAt') return [];
  return restrictedPartitions(listing).flatMap(({ partitions: [partition, ...others], users }) =>
    partition && others.length === 0 ? [walkPath(listing, partition, users)] : [],
  );
};

/** Read every user of a status or country and order them in memory. */
const gatherPartitions: Proposal = (listing) =>
  restrictedPartitions(listing).map(({ partitions, users }) => ({
    description: `gather ${partitions[0]?.index}`,
    entries: users,
    async read(dependencies) {
      const { order, restriction, window } = listing;
      const keep = (user: User) => allowsUser(restriction, user);
      return (await gather(dependencies, { partitions, order, size: window.end, keep })).slice(window);
    },
  }));

interface Group {
  text: string;
  marks: string[];
  users: number;
}

/** The values of a property, those that differ in case alone together, in the order in which they are sorted. */
function groupsOf(property: FilterProperty, cells: readonly CountCell[], direction: 'asc' | 'desc'): Group[] {
  const groups = new Map<string, Group>();
  for (const cell of cells) {
    const text = foldMark(cell[property]);
    const group = groups.get(text) ?? { text, marks: [], users: 0 };
    groups.set(text, group);
    if (!group.marks.includes(cell[property])) group.marks.push(cell[property]);
    group.users += cell.users;
  }
  const ascending = [...groups.values()].sort((a, b) => compareCodePoints(a.text, b.text));
  return direction === 'asc' ? ascending : ascending.reverse();
}

/** Sorted by status or country: a listing of its own for every value that lies in the window. */
const groupByGroup: Proposal = ({ restriction, order: [lead, ...rest], window, cells }) => {
  const { property, direction } = lead;
  if (!isFilterProperty(property)) return [];
  const paths: AccessPath[] = [];
  let position = 0;
  for (const { marks, users } of groupsOf(property, allowedCells(restriction, cells), direction)) {
    const part = { start: Math.max(window.start - position, 0), end: Math.min(window.end - position, users) };
    const order = totalOrder(rest);
    if (part.start < part.end) {
      paths.push(plan({ restriction: { ...restriction, [property]: marks }, order, window: part, cells }));
    }
    position += users;
  }
  return [
    {
      description: `by ${property}: ${[...new Set(paths.map(({ description }) => description))].join(', ')}`,
      entries: paths.reduce((sum, { entries }) => sum + entries, 0),
      async read(dependencies) {
        const users: User[] = [];
        for (const path of paths) users.push(...(await path.read(dependencies)));
        return users;
      },
    },
  ];
};

const PROPOSALS: readonly Proposal[] = [walkIndex, walkPartition, gatherPartitions, groupByGroup];

/** A restricted property has one value, up to case, in all users of the listing: it cannot order them. */
const withoutConstants = (order: Order, restriction: Restriction): Order =>
  totalOrder(order.filter(({ property }) => !(isFilterProperty(property) && restriction[property])));

/** The same users seen from the end of the order that is nearer to them. */
function fromNearerEnd(listing: Listing): { listing: Listing; isReversed: boolean } {
  const total = countAllowed(listing.restriction, listing.cells);
  const { start, end } = listing.window;
  const isReversed = end <= total && total - start < end;
  if (!isReversed) return { listing, isReversed };
  const window = { start: total - end, end: total - start };
  return { listing: { ...listing, order: reversed(listing.order), window }, isReversed };
}

/**
 * The cheapest way to a listing, by exact counts. Walking reads about end / selectivity entries and gathering all
 * candidates, so no first page of 20 costs more than about √(20 · users) entries under one filter.
 */
export function plan(listing: Listing): AccessPath {
  const order = withoutConstants(listing.order, listing.restriction);
  const { listing: seen, isReversed } = fromNearerEnd({ ...listing, order });
  const [first, ...others] = PROPOSALS.flatMap((propose) => propose(seen));
  if (!first) throw new Error(`No access path for an order by ${order[0].property}`);
  const best = others.reduce((cheapest, path) => (path.entries < cheapest.entries ? path : cheapest), first);
  if (!isReversed) return best;
  return {
    ...best,
    description: `${best.description} from the end`,
    read: async (dependencies) => (await best.read(dependencies)).reverse(),
  };
}

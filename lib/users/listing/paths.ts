import { gather } from './gather.ts';
import type { AccessPath, Listing, Proposal } from './plan.ts';
import { candidatesOf, isRun, type Range, rangeInOrderOf } from './ranges.ts';
import { countAllowed, keeperOf } from './restriction.ts';
import { runOrderOf, walk } from './walk.ts';

/** An eventually consistent read unit covers 8 KB, and an index entry has about 200 bytes. */
const ENTRIES_PER_UNIT = 40;

/** A Query takes at least half a unit. */
const UNITS_PER_QUERY = 0.5;

/** How long a run is taken to be, of all users, when it has to be read whole; nothing counts runs. */
const RUN_FRACTION = 0.01;

const unitsFor = (queries: number, entries: number): number =>
  Math.max(queries * UNITS_PER_QUERY, entries / ENTRIES_PER_UNIT);

const nameOf = (range: Range): string => (isRun(range) ? `a name in ${range.index}` : range.index);

function walkPath({ restriction, order, window, cells }: Listing, range: Range, users: number): AccessPath {
  const matching = countAllowed(restriction, cells);
  const selectivity = Math.min(matching / users, 1);
  const lastRun = runOrderOf(order) === 'any' ? users * RUN_FRACTION : 0;
  const keep = keeperOf(restriction);
  return {
    description: `walk ${nameOf(range)}`,
    units: unitsFor(1, Math.min(window.end, matching) / selectivity + lastRun),
    read: (dependencies) => walk(dependencies, { range, order, window, keep, selectivity }),
  };
}

/** Follow the index that has the order through all users. */
export const walkIndex: Proposal = (listing) => {
  const range = rangeInOrderOf(listing.order[0].property, listing.restriction);
  return range ? [walkPath(listing, range, countAllowed({}, listing.cells))] : [];
};

/** Follow the one partition, or the one run, that holds all candidates; it is in the order of ids. */
export const walkCandidates: Proposal = (listing) => {
  const lead = listing.order[0].property;
  if (lead !== 'id' && lead !== 'createdAt') return [];
  return candidatesOf(listing.restriction, listing.cells).flatMap(({ ranges: [range, ...others], users }) =>
    range && others.length === 0 ? [walkPath(listing, range, users)] : [],
  );
};

/** Read every candidate and order them in memory. */
export const gatherCandidates: Proposal = ({ restriction, order, window, cells }) =>
  candidatesOf(restriction, cells).map(({ ranges, users }) => ({
    description: `gather ${ranges[0] && isRun(ranges[0]) ? 'names in byLastName' : ranges[0]?.index}`,
    units: ranges.length * UNITS_PER_QUERY + users / ENTRIES_PER_UNIT,
    read: (dependencies) =>
      gather(dependencies, { ranges, order, window, keep: keeperOf(restriction), expected: users / ranges.length }),
  }));

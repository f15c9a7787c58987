import type { Cell } from '../statistics/cells.ts';
import { uniteZones } from '../statistics/cells.ts';
import { isZoned, stretchesOf, type ZonedField } from '../statistics/zones.ts';
import { gather } from './gather.ts';
import type { AccessPath, Listing, Proposal } from './plan.ts';
import { candidatesOf, isRun, type Range, rangeInOrderOf } from './ranges.ts';
import { allowedCells, countAllowed, keeperOf } from './restriction.ts';
import { runOrderOf, walk } from './walk.ts';

/** An eventually consistent read unit covers 8 KB, and an index entry has about 160 bytes. */
const ENTRIES_PER_UNIT = 50;

/** A Query takes at least half a unit. */
const UNITS_PER_QUERY = 0.5;

/** How long a run is taken to be, of all users, when it has to be read whole; nothing counts runs. */
const RUN_FRACTION = 0.01;

const nameOf = (range: Range): string => (isRun(range) ? `a name in ${range.index}` : range.index);

function walkPath({ restriction, order, window, cells }: Listing, range: Range, users: number): AccessPath {
  const matching = countAllowed(restriction, cells);
  const selectivity = Math.min(matching / users, 1);
  const lastRun = runOrderOf(order) === 'any' ? users * RUN_FRACTION : 0;
  const entries = Math.min(window.end, matching) / selectivity + lastRun;
  const query = { range, order, window, keep: keeperOf(restriction), selectivity };
  return {
    description: `walk ${nameOf(range)}`,
    units: Math.max(UNITS_PER_QUERY, entries / ENTRIES_PER_UNIT),
    isCertain: selectivity === 1 && lastRun === 0,
    read: (dependencies, patience = Number.POSITIVE_INFINITY) =>
      walk(dependencies, { ...query, patience: patience * ENTRIES_PER_UNIT }),
  };
}

/** The part of an index in which users of a restriction can be, and how many users there may be in it. */
function zonesOf({ restriction, cells }: Listing, field: ZonedField) {
  const allowed = new Set(
    allowedCells(restriction, cells).map(({ status, country }) => JSON.stringify([status, country])),
  );
  const own = cells.filter(({ status, country }) => allowed.has(JSON.stringify([status, country])));
  const zones = uniteZones(own).zones?.[field] ?? new Set();
  const shares = (cell: Cell) => [...(cell.zones?.[field] ?? [])].some((zone) => zones.has(zone));
  return {
    stretches: stretchesOf(zones, field),
    users: cells.filter(shares).reduce((sum, cell) => sum + cell.users, 0),
  };
}

/** Follow the index that has the order through all users, or through the zones where some of them are. */
export const walkIndex: Proposal = (listing) => {
  const lead = listing.order[0].property;
  const range = rangeInOrderOf(lead, listing.restriction);
  const users = countAllowed({}, listing.cells);
  if (!range) return [];
  if (!isZoned(lead) || countAllowed(listing.restriction, listing.cells) === users)
    return [walkPath(listing, range, users)];
  const zones = zonesOf(listing, lead);
  return [walkPath(listing, { ...range, stretches: zones.stretches }, zones.users)];
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
    isCertain: true,
    read: (dependencies) =>
      gather(dependencies, { ranges, order, window, keep: keeperOf(restriction), expected: users / ranges.length }),
  }));

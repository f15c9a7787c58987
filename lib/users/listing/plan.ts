import { describePlan } from '../../metering.ts';
import type { Cell } from '../statistics/cells.ts';
import type { User } from '../user.ts';
import { groupByGroup } from './groups.ts';
import { type Order, reversed, totalOrder } from './order.ts';
import { gatherCandidates, walkCandidates, walkIndex } from './paths.ts';
import { countAllowed, type Restriction } from './restriction.ts';
import type { ScanDependencies } from './scan.ts';
import type { Window } from './selection.ts';
import { WalkGivenUp } from './walk.ts';

/** What to list, and what is known of the whole set. */
export interface Listing {
  restriction: Restriction;
  order: Order;
  window: Window;
  /** How many users there are under each status and country. */
  cells: readonly Cell[];
}

/** A way to the users of a listing. A new one joins by being proposed in `PROPOSALS`. */
export interface AccessPath {
  /** One line for people: what is read, and how. */
  description: string;
  /** How many read units it is expected to take. */
  units: number;
  /** Whether it takes no more than that, wherever the users lie in the order. */
  isCertain?: boolean;
  /** @throws {WalkGivenUp} after about `patience` read units, where it is not certain */
  read(dependencies: ScanDependencies, patience?: number): Promise<User[]>;
}

/** Offers ways to a listing, none where it does not apply. `planPart` plans a part of the listing. */
export type Proposal = (listing: Listing, planPart: (part: Listing) => AccessPath) => AccessPath[];

const PROPOSALS: readonly Proposal[] = [walkIndex, walkCandidates, gatherCandidates, groupByGroup];

/** A property with one value, up to case, in all users of the listing cannot order them. */
function withoutConstants(order: Order, { status, country, lastNames }: Restriction): Order {
  const constants = [status && 'status', country && 'country', lastNames?.length === 1 && 'lastName'];
  return totalOrder(order.filter(({ property }) => !constants.includes(property)));
}

/** The same users seen from the end of the order that is nearer to them. */
function fromNearerEnd(listing: Listing): { listing: Listing; isReversed: boolean } {
  const total = countAllowed(listing.restriction, listing.cells);
  const { start, end } = listing.window;
  const isReversed = listing.restriction.after === undefined && end <= total && total - start < end;
  if (!isReversed) return { listing, isReversed };
  const window = { start: total - end, end: total - start };
  return { listing: { ...listing, order: reversed(listing.order), window }, isReversed };
}

const backToFront = (path: AccessPath): AccessPath => ({
  ...path,
  description: `${path.description} from the end`,
  read: async (dependencies, patience) => (await path.read(dependencies, patience)).reverse(),
});

/** Every way to a listing that is not empty. All of them lead to the same users. */
export function pathsTo(listing: Listing): AccessPath[] {
  const order = withoutConstants(listing.order, listing.restriction);
  const { listing: seen, isReversed } = fromNearerEnd({ ...listing, order });
  const paths = PROPOSALS.flatMap((propose) => propose(seen, plan));
  return isReversed ? paths.map(backToFront) : paths;
}

const cheapestOf = (paths: readonly AccessPath[]): AccessPath | undefined =>
  paths.toSorted((a, b) => a.units - b.units)[0];

/**
 * A walk expects its users evenly spread, which one fashionable name is enough to disprove: it must promise to be this
 * many times cheaper than a certain way. Less makes the average page cheaper, and the dearest one twice as dear.
 */
const PROMISE = 10;

/** A walk that was misled gives up when it has cost as much as the certain way does. */
const withWayOut = (path: AccessPath, wayOut: AccessPath): AccessPath => ({
  ...path,
  read: (dependencies) =>
    path.read(dependencies, wayOut.units).catch((error) => {
      if (!(error instanceof WalkGivenUp)) throw error;
      describePlan(`${path.description}, given up; ${wayOut.description}`);
      return wayOut.read(dependencies);
    }),
});

/**
 * The cheapest way to a listing that is not empty, by exact counts. To walk takes about end / selectivity entries and
 * to gather takes all candidates, so whatever the filter, the first page of 20 is expected to cost at most about
 * √(10 · 20 · users) entries.
 */
export function plan(listing: Listing): AccessPath {
  const paths = pathsTo(listing);
  const best = cheapestOf(paths);
  if (!best) throw new Error(`No access path for an order by ${listing.order[0].property}`);
  const wayOut = cheapestOf(paths.filter(({ isCertain }) => isCertain));
  if (best.isCertain || !wayOut) return best;
  return best.units * PROMISE > wayOut.units ? wayOut : withWayOut(best, wayOut);
}

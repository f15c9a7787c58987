/** Limits that tests lower, so that small data reaches them. */
export interface Sizes {
  /** The largest number of journal entries in one batch of the fold. */
  batchEntries: number;
  /** A larger node of statistics is split. With its keys, a node of this size costs one unit to write. */
  nodeBytes: number;
  /** A segment with more users is split. A deep page reads half a segment to find its first user. */
  segmentUsers: number;
  /** A sum of segments with more users is split. A deep page reads all sums of a list, and the segments of one: a read unit has them. */
  sumUsers: number;
  /** Segments count the users of at most this many values: every list reads hashes of these. Another number needs another format. */
  countedValues: number;
  /** A page this close to an end of a list is read from that end, without segments. Up to this many are counted one by one. */
  nearUsers: number;
  /** A walk that has read this many users in a row outside of a range of ids goes on where the range begins: fewer are read as fast as a query begins. */
  skipUsers: number;
  /** A read of more units is cut into parts of about so many, which are read side by side. A Query returns 128 units at most. */
  partUnits: number;
  /** How many neighbours are read on each side of a page in the order of several properties: most runs of equal values begin or end among them. */
  neighbourUsers: number;
  /** `/all` sorts at most this many users with equal values in memory. More of them are read again, in the rest of the order. */
  streamedRun: number;
  /** By how much plans of some kinds are weighed, for tests. */
  risks: Readonly<Partial<Record<string, number>>>;
  /** A walk may cost this many times what the plan costs that it goes over to. */
  walkPatience: number;
  /** Read units that the lists of one page may cost: about what one partition of an index serves per second. */
  budgetUnits: number;
  /** Calls that the lists of one page may take. */
  budgetCalls: number;
}

export const SIZES: Sizes = {
  batchEntries: 4_000,
  nodeBytes: 880,
  segmentUsers: 192,
  sumUsers: 8_000,
  countedValues: 24,
  nearUsers: 64,
  skipUsers: 20,
  partUnits: 100,
  neighbourUsers: 24,
  streamedRun: 50_000,
  risks: {},
  walkPatience: 1,
  budgetUnits: 3_000,
  budgetCalls: Number.POSITIVE_INFINITY,
};

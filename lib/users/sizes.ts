/** Limits that tests lower, so that small data reaches them. */
export interface Sizes {
  /** The largest number of journal entries in one batch of the fold. */
  batchEntries: number;
  /** A larger page of statistics is split. With its keys, a page of this size costs one unit to write. */
  pageBytes: number;
  /** A segment with more users is cut. A deep page reads half a segment to find its first user. */
  segmentUsers: number;
  /** A list with more segments has level 2, sums of them. That costs one more page with every write, and saves a deep page five units. */
  fewSegments: number;
  /** A segment of level 2 that adds up more segments is cut. */
  segmentsPerSum: number;
  /** A page this close to an end of a list is read from that end, without segments. A run this short is counted user by user. */
  nearUsers: number;
  /** How many neighbours are read on each side of a deep page: most runs of equal values begin or end among them. */
  neighbourUsers: number;
  /** A stream sorts users with equal values in memory if they are not more. Otherwise they are a query of their own. */
  streamedRun: number;
  /** How many times cheaper a walk must be by its estimate than a plan of certain cost. */
  walkPromise: number;
  /** How many times its fallback's cost a walk may spend before it changes to it. */
  walkPatience: number;
  /** If more users have a keyword of one or two characters, only walks look for it: too many names contain it. */
  commonUsers: number;
  /** Read units that the lists of one page may cost: about what one partition of an index serves per second. */
  budgetUnits: number;
}

export const SIZES: Sizes = {
  batchEntries: 1_000,
  pageBytes: 880,
  segmentUsers: 192,
  fewSegments: 1_000,
  segmentsPerSum: 192,
  nearUsers: 64,
  neighbourUsers: 24,
  streamedRun: 20_000,
  walkPromise: 2,
  walkPatience: 1,
  commonUsers: 2_000,
  budgetUnits: 3_000,
};

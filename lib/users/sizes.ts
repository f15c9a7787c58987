/** How large things may become. Tests make them small, so that every border is met. */
export interface Sizes {
  /** So many entries of the journal at most are folded together. */
  batchEntries: number;
  /** A page of statistics that is larger is split: to write it takes one unit. */
  pageBytes: number;
  /** A segment with more users is cut. A page at a depth reads half a segment. */
  segmentUsers: number;
  /** A part of level 2 that sums up more segments is cut. */
  segmentsPerSum: number;
  /** Places so near to an end of a list are reached from there without segments, and runs so short are counted one by one. */
  nearUsers: number;
  /** So many neighbours of a page at a depth are read with it: most runs of equal values then begin or end among them. */
  neighbourUsers: number;
  /** How many times cheaper a walk must promise to be than reading all candidates, which is certain. */
  walkPromise: number;
  /** How many times what it promised a walk may cost before it is given up for a way that is certain. */
  walkPatience: number;
  /** A keyword of one or two characters that more users have is looked for by walks alone: its names are too many. */
  commonUsers: number;
  /** Read units that the lists of one page may take; about what one partition of an index serves in a second. */
  budgetUnits: number;
}

export const SIZES: Sizes = {
  batchEntries: 1_000,
  pageBytes: 960,
  segmentUsers: 128,
  segmentsPerSum: 96,
  nearUsers: 64,
  neighbourUsers: 24,
  walkPromise: 4,
  walkPatience: 4,
  commonUsers: 2_000,
  budgetUnits: 3_000,
};

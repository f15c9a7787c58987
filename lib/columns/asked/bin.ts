/** From one rank of an order to another, not included. */
export type Ranks = readonly [from: number, to: number];

/** Items with the positions of a span, and the rank of the first of them. */
export interface Bin {
  readonly items: Uint32Array;
  readonly rank: number;
  readonly lowest: number;
  /** Not included. */
  readonly end: number;
}

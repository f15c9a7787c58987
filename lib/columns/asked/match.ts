/** Users as items: the rows of the base, and behind them slots of changed users, each plus the size of the base. */
export interface Match {
  readonly items: Uint32Array;
  readonly rows: number;
}

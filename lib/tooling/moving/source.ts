import type { Cell } from './csvRecords.ts';

/** What a file holds in the place of a user. */
export interface Entry {
  /** The line that it begins on, counted from 1. */
  line: number;
  /** As it would be sent; whether it is valid is not known yet. */
  user?: Record<string, unknown>;
  /** Why it is no user, where the line cannot be read. */
  flaw?: string;
  /** As it stands in the file: the cells of a record, or the text of a line. */
  origin: readonly Cell[] | string;
}

/** The users of a file, one after another. */
export interface Source {
  entries: AsyncIterable<Entry>;
  /** How the file of refused lines begins. */
  refusedHead: string;
  /** An entry for that file, which can be corrected there and imported again. */
  refusedLine(entry: Entry, message: string): string;
}

import type { Cell } from './records.ts';

/** A user of a file, or a line that cannot be read. */
export interface SourceEntry {
  /** The line that it begins on, counted from 1. */
  line: number;
  /** The user to be sent. It is not validated yet. */
  user?: Record<string, unknown>;
  /** The id in the file, as it stands there. */
  id?: unknown;
  /** When the user was created, as it stands in the column of `--created`. */
  createdAt?: unknown;
  /** Whether the line is of an export of this service. Of others, attributes are made to fit. */
  isOurs?: boolean;
  /** Members that are no attributes, although those that are nothing else are taken. */
  leftOut?: readonly string[];
  /** Why the line cannot be read. */
  flaw?: string;
  /** Whether the line is of no user, such as a total. */
  isNobody?: boolean;
  /** The cells of the CSV record, or the text of the line. */
  origin: readonly Cell[] | string;
}

/** The users of a file, one after another. */
export interface Source {
  entries: AsyncIterable<SourceEntry>;
  /** The beginning of the file of refused lines. */
  refusedHead: string;
  /** An entry of that file. It can be corrected there and imported again. */
  refusedLine(entry: SourceEntry, message: string): string;
}

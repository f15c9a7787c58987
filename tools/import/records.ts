import { parse } from 'csv-parse';
import { lineBreaksIn } from './encoding.ts';

/** A cell of a CSV file. An empty cell without quotes is null. */
export type Cell = string | null;

export interface CsvRecord {
  /** The line that it begins on. */
  line: number;
  text: string;
  /** The line break that ended it. Empty if the file ends without one. */
  end: string;
  /** Undefined when the line is not CSV. */
  cells?: readonly Cell[];
}

export interface RecordOptions {
  delimiter: string;
  /** Null if quotes mean nothing. */
  quote?: '"' | null;
  /** How many cells a record has. */
  width?: number;
  /** The line that the text begins on. */
  line?: number;
}

/** In bytes. Longer lines are cut: no user needs them, and a file without line breaks must not fill the memory. */
export const MAX_LINE = 262_144;

interface Found {
  cells: readonly Cell[];
  /** In bytes, since the parser began. */
  end: number;
}

/** What csv-parse finds in the pieces that it is given, one after another. */
function createParser({ delimiter, quote = '"', trim }: RecordOptions & { trim: boolean }) {
  let found: Found[] = [];
  const parser = parse({
    delimiter,
    quote,
    trim,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_LINE,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    on_record(cells: readonly Cell[], { bytes }) {
      found.push({ cells, end: bytes });
      return null;
    },
  });
  parser.on('error', () => undefined).resume();
  /** Without bytes, the text has ended. */
  return (bytes: Buffer | undefined) =>
    new Promise<{ records: Found[]; isBroken: boolean }>((resolve) => {
      const settle = (error?: Error | null) => {
        resolve({ records: found, isBroken: Boolean(error) });
        found = [];
      };
      if (bytes) parser.write(bytes, settle);
      else parser.end(settle);
    });
}

/** The bytes that were read and belong to no record yet. */
function createInput(chunks: AsyncIterable<Buffer>, firstLine: number) {
  const source = chunks[Symbol.asyncIterator]();
  let [kept, line]: [Buffer, number] = [Buffer.alloc(0), firstLine];
  let hasEnded = false;
  async function more(): Promise<Buffer | undefined> {
    const next = await source.next();
    hasEnded = next.done === true;
    if (next.done) return undefined;
    kept = Buffer.concat([kept, next.value]);
    return next.value;
  }
  function take(length: number, cells?: readonly Cell[]): CsvRecord {
    const whole = kept.toString('utf8', 0, length);
    kept = kept.subarray(length);
    const [end = ''] = /(?:\r\n|\r|\n)?$/.exec(whole) ?? [];
    const record = {
      line,
      text: whole.slice(0, Math.min(whole.length - end.length, MAX_LINE + 1)),
      end,
      ...(cells && { cells }),
    };
    line += lineBreaksIn(whole);
    return record;
  }
  /** The length of the first line; undefined while its end is not known. */
  function lineLength(): number | undefined {
    const [cr, lf] = [kept.indexOf('\r'), kept.indexOf('\n')];
    if (cr >= 0 && cr + 1 === kept.length && !hasEnded) return undefined;
    if (cr >= 0 && (lf < 0 || cr < lf)) return lf === cr + 1 ? lf + 1 : cr + 1;
    if (lf >= 0) return lf + 1;
    return hasEnded ? kept.length : undefined;
  }
  return {
    more,
    take,
    kept: () => kept,
    line: () => line,
    hasEnded: () => hasEnded,
    async takeLine(): Promise<CsvRecord> {
      let length = lineLength();
      for (; length === undefined; length = lineLength()) {
        // The beginning is enough to refuse the line. The last byte is kept in case it is a CR.
        if (kept.length > 2 * MAX_LINE) kept = Buffer.concat([kept.subarray(0, MAX_LINE + 1), kept.subarray(-1)]);
        await more();
      }
      return take(length);
    },
    close: () => source.return?.(),
  };
}

/**
 * The records of a CSV text (RFC 4180). When a record cannot be read, or has several lines but not the right columns, only its first
 * line is given up, and reading begins again with the second: a stray quote may have joined these lines. Blanks around quotes are
 * left out from the first record on that has them.
 */
export async function* recordsOf(chunks: AsyncIterable<Buffer>, options: RecordOptions): AsyncGenerator<CsvRecord> {
  const input = createInput(chunks, options.line ?? 1);
  let [trim, trimmedSince] = [false, 0];

  /** The records up to the end, or up to one that cannot be read. @returns whether there is such a one */
  async function* untilBroken(): AsyncGenerator<CsvRecord, boolean> {
    const feed = createParser({ ...options, trim });
    let [begin, bytes]: [number, Buffer | undefined] = [0, input.kept()];
    if (bytes.length === 0) bytes = await input.more();
    for (;;) {
      const { records, isBroken } = await feed(bytes);
      for (const { cells, end } of records) {
        const text = input.kept().toString('utf8', 0, end - begin);
        if (cells.length !== options.width && options.width !== undefined && /[\r\n]/.test(text.trimEnd())) return true;
        yield input.take(end - begin, cells);
        begin = end;
      }
      if (isBroken || bytes === undefined) return isBroken;
      bytes = await input.more();
    }
  }

  try {
    while (yield* untilBroken()) {
      const isFirstTry = !trim;
      // Only blanks around quotes make a difference between the two.
      if (trim && trimmedSince === input.line()) trim = false;
      if (isFirstTry) [trim, trimmedSince] = [true, input.line()];
      else yield await input.takeLine();
    }
  } finally {
    await input.close();
  }
}

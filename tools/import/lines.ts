import { Stop } from '../program/stop.ts';
import { NotText } from './encoding.ts';
import { FOR_A_DOCUMENT } from './jq.ts';

/** A line of a text, and the line break that ends it. */
interface Line {
  text: string;
  /** Empty if the text ends without one. */
  end: string;
}

/** In UTF-16 units. A file without line breaks, or with a quote that is never closed, must not fill the memory. */
export const MAX_LINE = 4_194_304;

/** @throws {Stop} at the line that is no text, or is too long */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let [kept, count] = ['', 0];
  try {
    for await (const piece of pieces) {
      // The rest that is kept has no line break, but for a CR at its end, which may be half of one.
      const breaks = /\r\n|\n|\r(?!$)/g;
      breaks.lastIndex = Math.max(0, kept.length - 1);
      kept += piece;
      let start = 0;
      for (const { 0: end, index } of kept.matchAll(breaks)) {
        yield { text: kept.slice(start, index), end };
        start = index + end.length;
        count++;
      }
      kept = kept.slice(start);
      if (kept.length > MAX_LINE) throw new Stop(`A line is longer than ${MAX_LINE} characters.\n${FOR_A_DOCUMENT}`);
    }
  } catch (error) {
    throw error instanceof NotText ? new Stop(`Line ${count + 1} of ${error.message}`) : error;
  }
  const [end = ''] = /\r?$/.exec(kept) ?? [];
  if (kept !== '') yield { text: kept.slice(0, kept.length - end.length), end };
}

/** Lines of a text that belong together, as one. */
export interface Joined {
  /** The number of the first one, counted from 1. */
  line: number;
  text: string;
}

export type Lines = ReturnType<typeof linesOf>;

/** The lines of a text, which can be looked at before they are taken. */
export function linesOf(pieces: AsyncIterable<string>) {
  const source = splitLines(pieces);
  let [ahead, taken, line]: [Line[], number, number] = [[], 0, 1];
  const lines = {
    /** The next line, or one after it. Undefined behind the end. */
    async at(index: number): Promise<string | undefined> {
      while (ahead.length <= taken + index) {
        const next = await source.next();
        if (next.done) return undefined;
        ahead.push(next.value);
      }
      return ahead[taken + index]?.text;
    },
    /** Lines that have been looked at, joined: the next ones, or some after them. */
    first(count: number, start = 0): Joined {
      const texts = ahead
        .slice(taken + start, taken + start + count)
        .map(({ text, end }, index) => (index === count - 1 ? text : text + end));
      return { line: line + start, text: texts.join('') };
    },
    /** The same, and goes on behind them. */
    take(count: number): Joined {
      const joined = lines.first(count);
      line += count;
      taken += count;
      // Often enough to keep little, and seldom enough not to move all that is left at each line.
      if (taken > ahead.length / 2) [ahead, taken] = [ahead.slice(taken), 0];
      return joined;
    },
  };
  return lines;
}

/** Reads a text to its end, so that an import sends nothing when a part of it cannot be read. */
export async function countLines(pieces: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of splitLines(pieces)) count++;
  return count;
}

/** A line of a text, and the line break that ends it. */
interface Line {
  text: string;
  /** Empty if the text ends without one. */
  end: string;
}

/** Lines of a text that belong together, as one. */
export interface Taken extends Line {
  /** The number of the first one, counted from 1. */
  line: number;
}

/** The lines of a text, which can be looked at before they are taken. */
export interface Lines {
  /** The next line, or one after it. Undefined behind the end. */
  at(index: number): Promise<Line | undefined>;
  /** Lines that have been looked at, joined. */
  first(count: number): Taken;
  /** The same, and goes on behind them. */
  take(count: number): Taken;
  close(): Promise<unknown>;
}

/** In UTF-16 units. Longer lines are cut: no user needs them, and a file without line breaks must not fill the memory. */
export const MAX_LINE = 262_144;

async function* split(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let kept = '';
  for await (const piece of pieces) {
    kept += piece;
    let start = 0;
    // A CR at the end may be half a line break.
    for (const { 0: end, index } of kept.matchAll(/\r\n|\n|\r(?!$)/g)) {
      yield { text: kept.slice(start, index), end };
      start = index + end.length;
    }
    kept = kept.slice(start);
    // The beginning is enough to refuse the line.
    if (kept.length > 2 * MAX_LINE) kept = kept.slice(0, MAX_LINE + 1) + kept.slice(-1);
  }
  const [end = ''] = /\r?$/.exec(kept) ?? [];
  if (kept !== '') yield { text: kept.slice(0, kept.length - end.length), end };
}

export function linesOf(pieces: AsyncIterable<string>): Lines {
  const source = split(pieces);
  const ahead: Line[] = [];
  let line = 1;
  function first(count: number): Taken {
    const joined = ahead.slice(0, count);
    const { end = '' } = joined.at(-1) ?? {};
    const whole = joined.map((each) => each.text + each.end).join('');
    return { line, text: whole.slice(0, Math.min(whole.length - end.length, MAX_LINE + 1)), end };
  }
  return {
    async at(index) {
      while (ahead.length <= index) {
        const next = await source.next();
        if (next.done) return undefined;
        ahead.push(next.value);
      }
      return ahead[index];
    },
    first,
    take(count) {
      const taken = first(count);
      line += ahead.splice(0, count).length;
      return taken;
    },
    close: () => source.return(undefined),
  };
}

/** Reads a text to its end, so that an import sends nothing when a part of it cannot be read. */
export async function countLines(pieces: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of split(pieces)) count++;
  return count;
}

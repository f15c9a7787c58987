/** A line of a file, counted from 1, and the line break that ended it. */
export interface Line {
  number: number;
  text: string;
  end: string;
}

/** In UTF-16 units. Longer lines are cut: no user needs them, and a file without line breaks must not fill the memory. */
export const MAX_LINE = 262_144;

// A CR at the end of a chunk waits for the next chunk, which may begin with LF.
const END = /\r\n|\n|\r(?!$)/g;

/**
 * Splits text at CRLF, LF and CR. The text may come in any chunks. `node:readline` would also split at U+2028, which JSON and CSV may
 * contain, would hold a line of any length, and would not tell how a line ended: a last line without an end may be cut off.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let [rest, number] = ['', 0];
  const line = (text: string, end: string): Line => ({ number: ++number, text: text.slice(0, MAX_LINE + 1), end });
  for await (const chunk of chunks) {
    const text = rest + chunk;
    let start = 0;
    for (const { 0: end, index } of text.matchAll(END)) {
      yield line(text.slice(start, index), end);
      start = index + end.length;
    }
    rest = text.slice(start);
    // The beginning is enough to refuse the line. The last character is kept in case it is a CR.
    if (rest.length > 2 * MAX_LINE) rest = rest.slice(0, MAX_LINE + 1) + rest.slice(-1);
  }
  if (rest.endsWith('\r')) yield line(rest.slice(0, -1), '\r');
  else if (rest !== '') yield line(rest, '');
}

/** A reader that can look at lines before it takes them. */
export function lookAhead(lines: AsyncIterable<Line>) {
  const source = lines[Symbol.asyncIterator]();
  const ahead: Line[] = [];
  return {
    async peek(index = 0): Promise<Line | undefined> {
      while (ahead.length <= index) {
        const next = await source.next();
        if (next.done) return undefined;
        ahead.push(next.value);
      }
      return ahead[index];
    },
    /** Takes lines that `peek` has returned. */
    take: (count = 1): Line[] => ahead.splice(0, count),
    putBack(lines: readonly Line[]): void {
      ahead.unshift(...lines);
    },
    close: () => source.return?.(),
  };
}

export type LineReader = ReturnType<typeof lookAhead>;

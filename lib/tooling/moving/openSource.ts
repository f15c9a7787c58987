import { csvSource } from './csvSource.ts';
import { decoded } from './encoding.ts';
import { type LineReader, linesOf, lookAhead } from './lines.ts';
import { ndjsonSource } from './ndjsonSource.ts';
import type { Source } from './source.ts';
import { Stop } from './stop.ts';

/** Excel may write the separator into the first line. It is not needed to recognise the separator. */
const SEPARATOR_NOTE = /^"?sep=.?"?$/i;

/** `npm run` prints two such lines before the output of a program. */
const NPM_NOTE = /^> /;

/** Skips both kinds of notes, and blank lines, at the beginning of a file. */
async function skipNotes(reader: LineReader): Promise<string> {
  for (;;) {
    const text = (await reader.peek())?.text;
    const isNote = text !== undefined && (text.trim() === '' || SEPARATOR_NOTE.test(text) || NPM_NOTE.test(text));
    if (!isNote) return text ?? '';
    reader.take();
  }
}

async function* texts(chunks: AsyncIterable<{ text: string }>): AsyncGenerator<string> {
  for await (const { text } of chunks) yield text;
}

const MAX_UNKNOWN = 20;

/** Reports each name once, and not too many: a file may have as many names as lines. */
function namingOnce(say: (sentence: string) => void): (name: string) => void {
  const named = new Set<string>();
  return (name) => {
    if (named.has(name) || named.size >= MAX_UNKNOWN) return;
    named.add(name);
    say(`Ignored, because the service does not know it: ${JSON.stringify(name)}`);
  };
}

/**
 * Reads users from NDJSON if the bytes begin with a brace, else from CSV.
 *
 * @throws {Stop} when they are neither
 */
export async function openSource(
  bytes: AsyncIterable<Buffer>,
  { name, say }: { name: string; say: (sentence: string) => void },
): Promise<Source> {
  const reader = lookAhead(linesOf(texts(decoded(bytes, name))));
  const first = (await skipNotes(reader)).trimStart();
  const onUnknown = namingOnce(say);
  if (first.startsWith('[')) throw new Stop(`${name} is a JSON array: import takes CSV, or one JSON object per line`);
  return first.startsWith('{') ? ndjsonSource(reader, onUnknown) : csvSource(reader, { name, onUnknown });
}

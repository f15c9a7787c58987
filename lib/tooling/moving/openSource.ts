import { csvSource } from './csvSource.ts';
import { decoded } from './encoding.ts';
import { type LineReader, linesOf, lookAhead } from './lines.ts';
import { ndjsonSource } from './ndjsonSource.ts';
import type { Source } from './source.ts';
import { Stop } from './stop.ts';

/** Excel writes it to tell itself the separator, which is recognised anyway. */
const SEPARATOR_NOTE = /^"?sep=.?"?$/i;

/** `npm run` puts two lines like this before whatever a program prints. */
const NPM_NOTE = /^> /;

/** What a file may begin with that belongs to no user. */
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

/** Names each once, and no more than a few: a file may have as many names as lines. */
function namingOnce(say: (sentence: string) => void): (name: string) => void {
  const named = new Set<string>();
  return (name) => {
    if (named.has(name) || named.size >= MAX_UNKNOWN) return;
    named.add(name);
    say(`Ignored, as the service does not know it: ${JSON.stringify(name)}`);
  };
}

/**
 * The users in some bytes: NDJSON where they begin with a brace, CSV otherwise.
 *
 * @throws {Stop} when they can be neither
 */
export async function openSource(
  bytes: AsyncIterable<Buffer>,
  { name, say }: { name: string; say: (sentence: string) => void },
): Promise<Source> {
  const reader = lookAhead(linesOf(texts(decoded(bytes, name))));
  const first = (await skipNotes(reader)).trimStart();
  const onUnknown = namingOnce(say);
  if (first.startsWith('[')) throw new Stop(`${name} is a JSON array: import takes CSV, or one JSON object a line`);
  return first.startsWith('{') ? ndjsonSource(reader, onUnknown) : csvSource(reader, { name, onUnknown });
}

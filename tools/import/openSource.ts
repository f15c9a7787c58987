import { type ColumnMap, plain } from './columns.ts';
import { csvSource } from './csvSource.ts';
import { textOf } from './encoding.ts';
import { jqCommand } from './json.ts';
import { type Lines, linesOf } from './lines.ts';
import { ndjsonSource } from './ndjsonSource.ts';
import type { Source, SourceOptions } from './source.ts';
import { Stop } from './stop.ts';

/**
 * What stands before the data: empty lines, the two lines that `npm run` prints, the separator in a file of Excel, the type in one of
 * PowerShell, the version in one of Entra. Separators may follow them if a spreadsheet has saved the file again.
 */
const NOTE = /^(?:[ \t,;]*|"?sep=.?"?|> .*|"?#TYPE .*|"?version:v[\d.]+"?[,;\t ]*)$/i;

/** Enough lines of JSON to recognise it. */
const FIRST_LINES = 10;

async function firstOf(lines: Lines): Promise<string[]> {
  const texts: string[] = [];
  for (let index = 0; index < FIRST_LINES; index++) texts.push((await lines.at(index))?.text ?? '');
  return texts.filter((text) => text.trim() !== '');
}

export interface OpenOptions {
  name: string;
  /** The path of the file, in a command. */
  path?: string;
  map?: ColumnMap;
  keepsIds?: boolean;
  say: (sentence: string) => void;
}

/**
 * Reads users from NDJSON if the text begins with a brace, else from CSV.
 *
 * @throws {Stop} when it is neither, or has no names of users
 */
export async function openSource(
  chunks: AsyncIterable<Buffer>,
  { name, path = '-', map = [], keepsIds = false, say }: OpenOptions,
): Promise<Source> {
  const lines = linesOf(textOf(chunks, name));
  const isTaken: SourceOptions['isTaken'] = (column, given) =>
    column === 'id' ? keepsIds : column !== undefined || (keepsIds && plain(given) === 'createdat');
  const options = { name, map, say, isTaken };
  let next = await lines.at(0);
  for (; next && NOTE.test(next.text); next = await lines.at(0)) lines.take(1);
  if (!next || !/^\s*[[{]/.test(next.text)) return csvSource(lines, options);
  const first = await firstOf(lines);
  const command = jqCommand(first, map, path);
  if (command === undefined) return ndjsonSource(lines, first, options);
  await lines.close();
  throw new Stop(
    `${name} begins like one JSON document: import takes one JSON object per line. This makes lines of it:\n${command}`,
  );
}

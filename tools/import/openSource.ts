import { Stop } from '../program/stop.ts';
import type { SourceOptions } from './columns.ts';
import { csvSource } from './csvSource.ts';
import { textOf } from './encoding.ts';
import { linesOf } from './lines.ts';
import { ndjsonSource } from './ndjsonSource.ts';
import type { Source } from './source.ts';

/**
 * Lines before the data: empty ones, the two that `npm run` prints, the separator in a file of Excel, the type in one of
 * PowerShell, the version in one of Entra. Separators may follow them if a spreadsheet has saved the file again.
 */
const NOTE = /^(?:[ \t,;]*|"?sep=.?"?|> .*|"?#TYPE .*|"?version:v[\d.]+"?[,;\t ]*)$/i;

/**
 * Reads users from NDJSON if the text begins like JSON, else from CSV.
 *
 * @throws {Stop} when it is neither, or has no names of users
 */
export async function openSource(chunks: AsyncIterable<Buffer>, options: SourceOptions): Promise<Source> {
  const beginning: { hasMark?: boolean } = {};
  const lines = linesOf(textOf(chunks, options.title, beginning));
  let next = await lines.at(0);
  for (; next !== undefined && NOTE.test(next); next = await lines.at(0)) lines.take(1);
  if (next === undefined) throw new Stop(`${options.title} is empty`);
  return /^\s*[[{]/.test(next) ? ndjsonSource(lines, options) : csvSource(lines, options, beginning.hasMark);
}

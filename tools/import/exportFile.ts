import { createHash } from 'node:crypto';
import { createReadStream, lstatSync, truncateSync } from 'node:fs';
import { BYTE_ORDER_MARK, type Export, type ExportOptions, idIn } from './exportUsers.ts';
import { splitLines } from './lines.ts';

/**
 * The name of a file until it is whole, by which the same export finds it again: what was asked for is a part of it, so that two
 * questions are not mixed. Undefined for what is no file, such as a pipe: nothing can go on there.
 */
export function partOf(file: string | undefined, asked: object): string | undefined {
  if (file === undefined || lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) return undefined;
  const question = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  return `${file}.${question.slice(0, 8)}.part`;
}

/** Takes what an earlier run has written, up to its last whole user. */
export async function takePart(part: string, format: ExportOptions['format']): Promise<Export> {
  const done: Export = { ids: new Set() };
  if (!lstatSync(part, { throwIfNoEntry: false })) return done;
  let bytes = 0;
  for await (const { text, end } of splitLines(createReadStream(part, 'utf8'))) {
    const isHead = format === 'csv' && bytes === 0;
    const id = isHead ? 0 : idIn(text, done.columns);
    if (end === '' || Number.isNaN(id)) break;
    if (isHead) done.columns = text.replace(BYTE_ORDER_MARK, '');
    else done.ids.add(id);
    bytes += Buffer.byteLength(text + end);
  }
  truncateSync(part, bytes);
  return done;
}

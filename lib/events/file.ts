import { appendFile, open, stat } from 'node:fs/promises';
import { escapeBreaks, fault } from '../ground/index.ts';
import { toEvent } from './event.ts';
import type { Sink } from './sender.ts';

const LINE_END = '\n';

/** A full disk, or the end of the process, leaves half a line. Its change is sent again. */
async function endsInHalfALine(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size === 0) return false;
  // A file may be open for appending alone.
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: found.size - 1 });
    return buffer.toString() !== LINE_END;
  } finally {
    await handle.close();
  }
}

const append = async (file: string, text: string): Promise<void> =>
  appendFile(file, (await endsInHalfALine(file)) ? LINE_END + text : text);

/**
 * Appends changes to a file: an event in each line, in JSON.
 *
 * @throws {ServiceError} 500 when the file cannot be appended to, also without changes
 */
export const createFileSink = (file: string): Sink => ({
  async send(changes, show) {
    const lines = (await show(changes)).map((change) => escapeBreaks(JSON.stringify(toEvent(change))) + LINE_END);
    await append(file, lines.join('')).catch((error: NodeJS.ErrnoException) => {
      throw fault(`Events cannot be appended to ${file} (${error.code})`, error);
    });
  },
});

import { type FileHandle, open } from 'node:fs/promises';
import { fault } from '../errors.ts';
import { toEvent } from './event.ts';
import type { Sink } from './sender.ts';

const LINE_END = '\n';

/** A full disk, or the end of the process, leaves half a line. Its change is sent again. */
async function endsInHalfALine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() !== LINE_END;
}

async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a+');
  try {
    await handle.appendFile((await endsInHalfALine(handle)) ? LINE_END + text : text);
  } finally {
    await handle.close();
  }
}

/**
 * Appends changes to a file: an event in each line, in JSON.
 *
 * @throws {ServiceError} 500 when the file cannot be appended to, also without changes
 */
export const createFileSink = (file: string): Sink => ({
  async send(changes) {
    const lines = changes.map((change) => JSON.stringify(toEvent(change)) + LINE_END);
    await append(file, lines.join('')).catch((error: NodeJS.ErrnoException) => {
      throw fault(`Events cannot be appended to ${file} (${error.code})`, error);
    });
  },
});

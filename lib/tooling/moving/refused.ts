import { open, rm, stat } from 'node:fs/promises';
import { reasonOf, Stop } from './stop.ts';

/** The file of the lines that were refused. */
export interface RefusedFile {
  /** @throws {Stop} when it cannot be written: the line would be lost */
  write(line: string): Promise<void>;
  /** Removes the file if it is empty. */
  close(): Promise<void>;
}

/** Replaces the file of an earlier run. @throws {Stop} when it cannot be created */
export async function createRefusedFile(path: string, head: string): Promise<RefusedFile> {
  const attempt = <Result>(promise: Promise<Result>): Promise<Result> =>
    promise.catch((error) => {
      throw new Stop(`Cannot write refused lines to ${path}: ${reasonOf(error)}`);
    });
  const file = await attempt(open(path, 'w'));
  // One write after another: a file handle has no queue, and two lines must not be mixed.
  let last: Promise<unknown> = Promise.resolve();
  let lines = 0;
  return {
    write(line) {
      const text = lines++ === 0 ? head + line : line;
      const written = last.then(() => attempt(file.writeFile(text)));
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await attempt(file.close());
      if (lines === 0 && (await stat(path)).isFile()) await rm(path);
    },
  };
}

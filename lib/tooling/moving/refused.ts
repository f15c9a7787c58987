import { open, rm, stat } from 'node:fs/promises';
import { reasonOf, Stop } from './stop.ts';

/** Where lines go that are not taken. */
export interface RefusedFile {
  /** @throws {Stop} when it cannot be written: a line that is neither in nor here would be lost */
  write(line: string): Promise<void>;
  /** Leaves no empty file behind. */
  close(): Promise<void>;
}

/** @throws {Stop} when there can be no such file. One of an earlier run is replaced. */
export async function createRefusedFile(path: string, head: string): Promise<RefusedFile> {
  const attempt = <Result>(promise: Promise<Result>): Promise<Result> =>
    promise.catch((error) => {
      throw new Stop(`Cannot write refused lines to ${path}: ${reasonOf(error)}`);
    });
  const file = await attempt(open(path, 'w'));
  // One after another: a file handle does not queue, and parts of two lines must not mix.
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

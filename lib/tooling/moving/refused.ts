import { fstatSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { reasonOf, Stop } from './stop.ts';

/** The file of the lines that were refused. */
export interface RefusedFile {
  /** @throws {Stop} when it cannot be written: the line would be lost */
  write(line: string): Promise<void>;
  /** Removes the file if it is empty. */
  close(): Promise<void>;
}

/** Whether two paths lead to the same file; - is standard input. */
async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [a, b].map((path) => (path === '-' ? fstatSync(0) : stat(path).catch(() => undefined))),
  );
  return one?.isFile() === true && one.dev === other?.dev && one.ino === other.ino;
}

/**
 * Replaces the file of an earlier run.
 *
 * @param source the file that is imported
 * @throws {Stop} when it cannot be created, or is the source
 */
export async function createRefusedFile(path: string, head: string, source: string): Promise<RefusedFile> {
  if (await isSameFile(path, source))
    throw new Stop(`Refused lines cannot be written to ${path}: it is being imported`);
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

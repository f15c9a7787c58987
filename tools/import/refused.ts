import { fstatSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { reasonOf, Stop } from './stop.ts';

/** Enough of a file to recognise it: the longest line that is read, with its reason. */
const BEGINNING = 1_048_576;

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

/** How files of refused lines begin. */
const OURS = /^(?:line[,;\t]message[,;\t]|\{.*"line":\d+,"message":".*"\}(?:\n|$))/;

/** Whether a file may be replaced: it is new, empty, or no regular one, or an earlier run has made it. */
async function isReplaceable(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile() || file.size === 0) return true;
  const handle = await open(path);
  const { buffer, bytesRead } = await handle
    .read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
    .finally(() => handle.close());
  return OURS.test(buffer.toString('utf8', 0, bytesRead));
}

/**
 * Replaces the file of an earlier run.
 *
 * @param source the file that is imported
 * @throws {Stop} when it cannot be created, is the source, or is no file of refused lines
 */
export async function createRefusedFile(path: string, head: string, source: string): Promise<RefusedFile> {
  if (await isSameFile(path, source))
    throw new Stop(`Refused lines cannot be written to ${path}: it is being imported`);
  const attempt = <Result>(promise: Promise<Result>): Promise<Result> =>
    promise.catch((error) => {
      throw new Stop(`Cannot write refused lines to ${path}: ${reasonOf(error)}`);
    });
  if (!(await attempt(isReplaceable(path))))
    throw new Stop(`${path} is there, and is no file of refused lines: name another one with --refused`);
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

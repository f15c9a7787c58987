import { createReadStream } from 'node:fs';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { reasonOf, Stop } from './stop.ts';

/** Enough of a file to recognise it. */
const BEGINNING = 64;

/** The file of the lines that were refused. */
export interface RefusedFile {
  /** @throws {Stop} when it cannot be written: the line would be lost */
  write(line: string): Promise<void>;
  /** Removes the file if it is empty. */
  close(): Promise<void>;
}

/** How files of refused lines begin. */
const OURS = /^(?:line[,;\t]message[,;\t]|\{"line":\d+,"message":")/;

/** Whether a file may be replaced: it is new, empty, or no regular one, or an earlier run has made it. */
async function isReplaceable(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile() || file.size === 0) return true;
  return OURS.test(await text(createReadStream(path, { end: BEGINNING })));
}

/**
 * Replaces the file of an earlier run.
 *
 * @param source the file that is imported
 * @throws {Stop} when it cannot be created, is the source, or is no file of refused lines
 */
export async function createRefusedFile(path: string, head: string, source: string): Promise<RefusedFile> {
  const [same, other] = [path, source === '-' ? '/dev/stdin' : source].map((each) => realpath(each).catch(() => each));
  if ((await same) === (await other))
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

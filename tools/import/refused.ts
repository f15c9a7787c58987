import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { reasonOf, Stop } from '../program/stop.ts';
import { makePrivate, PRIVATE } from './privateFile.ts';

/** Enough of a file to recognise it. */
const BEGINNING = 64;

export type RefusedFile = ReturnType<typeof createRefusedFile>;

/** How files of refused lines begin. */
const OURS = /^(?:\uFEFF?line[,;\t|]message[,;\t|]|\{"line":\d+,"message":")/;

/** Whether a file may be replaced: it is new, empty, or no regular one, or an earlier run has made it. */
function isReplaceable(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0) return true;
  const beginning = Buffer.alloc(BEGINNING);
  const file = openSync(path, 'r');
  readSync(file, beginning);
  closeSync(file);
  return OURS.test(beginning.toString());
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

/**
 * The file of the lines that were refused, in the place of that of an earlier run. It waits for each write: there are few, and two lines
 * must not be mixed.
 *
 * @param source the file that is imported
 * @throws {Stop} when it cannot be created, is the source, or is no file of refused lines
 */
export function createRefusedFile(path: string, head: string, source: string) {
  if (realOf(path) === realOf(source === '-' ? '/dev/stdin' : source))
    throw new Stop(`Refused lines cannot be written to ${path}: it is being imported`);
  const attempt = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new Stop(`Cannot write refused lines to ${path}: ${reasonOf(error)}`);
    }
  };
  if (!attempt(() => isReplaceable(path)))
    throw new Stop(`${path} is there, and is no file of refused lines: name another one with --refused`);
  const file = attempt(() => openSync(path, 'w', PRIVATE));
  makePrivate(file);
  let lines = 0;
  return {
    /** @throws {Stop} when it cannot be written: the line would be lost */
    write: (line: string) => attempt(() => writeFileSync(file, lines++ === 0 ? head + line : line)),
    /** Removes the file if it is empty. @throws {Stop} when it cannot be written to its end */
    close: () =>
      attempt(() => {
        closeSync(file);
        if (lines === 0 && statSync(path).isFile()) rmSync(path);
      }),
  };
}

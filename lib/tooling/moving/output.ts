import { createWriteStream, fstatSync, ftruncateSync, readFileSync, type WriteStream } from 'node:fs';
import { optionalVariable } from '../../runtime.ts';

const STDOUT = 1;

/** What `npm run` prints to standard output before it runs a program, unless it was told to be silent. */
const NPM_NOTE = /^\n> .*\n> .*\n\n$/;

const isRunByNpm = (): boolean =>
  optionalVariable('npm_lifecycle_event') !== undefined && optionalVariable('npm_config_loglevel') !== 'silent';

/** What is in the file that standard output goes to; it is open for writing alone. */
function readOutput(): string | undefined {
  try {
    return readFileSync(`/proc/self/fd/${STDOUT}`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Standard output for data. Of `npm run export > file` the file begins with what npm says; where that is all that it has,
 * it is taken out. Where it cannot be, as in a pipe, `say` hears of it.
 */
export function openOutput(say: (sentence: string) => void): NodeJS.WriteStream | WriteStream {
  if (!isRunByNpm() || process.stdout.isTTY) return process.stdout;
  const isFile = fstatSync(STDOUT).isFile();
  if (isFile && fstatSync(STDOUT).size < 10_000 && NPM_NOTE.test(readOutput() ?? '')) {
    ftruncateSync(STDOUT, 0);
    // The position of the descriptor is behind the note.
    return createWriteStream('', { fd: STDOUT, start: 0 });
  }
  say('npm has written its own lines before the data. To leave them out: npm run --silent export -- …');
  return process.stdout;
}

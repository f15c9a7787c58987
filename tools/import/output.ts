import { createWriteStream, fstatSync, ftruncateSync, readFileSync, type WriteStream } from 'node:fs';
import { optionalVariable } from '../../lib/runtime.ts';

const STDOUT = 1;

/** `npm run` prints this to standard output before it runs a program, except with `--silent`. */
const NPM_NOTE = /^\n> .*\n> .*\n\n$/;

const isRunByNpm = (): boolean =>
  optionalVariable('npm_lifecycle_event') !== undefined && optionalVariable('npm_config_loglevel') !== 'silent';

/** The content of the file that standard output is redirected to. The descriptor itself is open only for writing. */
function readOutput(): string | undefined {
  try {
    return readFileSync(`/proc/self/fd/${STDOUT}`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Standard output for data. With `npm run export > file` the file begins with the lines of npm. They are removed if the file
 * has nothing else. If they cannot be removed, as in a pipe, `say` gets a hint.
 */
export function openOutput(say: (sentence: string) => void): NodeJS.WriteStream | WriteStream {
  if (!isRunByNpm() || process.stdout.isTTY) return process.stdout;
  const isFile = fstatSync(STDOUT).isFile();
  if (isFile && fstatSync(STDOUT).size < 10_000 && NPM_NOTE.test(readOutput() ?? '')) {
    ftruncateSync(STDOUT, 0);
    // The position of the descriptor is still behind the note.
    return createWriteStream('', { fd: STDOUT, start: 0 });
  }
  say('npm has written its own lines before the data. To leave them out: npm run --silent export -- …');
  return process.stdout;
}

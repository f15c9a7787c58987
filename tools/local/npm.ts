import { spawn } from 'node:child_process';
import { SingleBar } from 'cli-progress';
import { optionalVariable } from '../../lib/runtime.ts';

/** npm is ended when it takes longer. */
const LIMIT_S = 120;

/** A bar is shown when npm takes longer. */
const PATIENCE_MS = 2_000;

export interface NpmResult {
  isWell: boolean;
  /** What it printed, or why it did not run. */
  said: string;
}

/** Runs npm in a folder. */
export type Npm = (options: readonly string[], folder: string) => Promise<NpmResult>;

interface Command {
  program: string;
  first: readonly string[];
  shell: boolean;
}

/**
 * The npm that started this process, or the one in the path: on Windows that is a script, which only a shell can run.
 *
 * @param started what npm says of itself to its scripts. Other package managers name themselves there, too
 */
export function npmCommand(started = optionalVariable('npm_execpath'), system: string = process.platform): Command {
  if (started && /npm-cli\.[cm]?js$/.test(started))
    return { program: process.execPath, first: [started], shell: false };
  return { program: 'npm', first: [], shell: system === 'win32' };
}

export const npm: Npm = (options, folder) =>
  new Promise((resolve) => {
    const { program, first, shell } = npmCommand();
    const child = spawn(program, [...first, ...options], {
      cwd: folder,
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_S * 1_000,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
    child.once('error', ({ message }) => resolve({ isWell: false, said: message }));
    child.once('close', (code) => {
      if (child.killed) said = `it took longer than ${LIMIT_S} s`;
      resolve({ isWell: code === 0, said: said.trim() });
    });
  });

/** Shows how much of npm's time is over, if that takes long and somebody watches. */
export async function withBar<Result>(result: Promise<Result>): Promise<Result> {
  const bar = new SingleBar({ format: '{bar} {value} of at most {total} s', clearOnComplete: true });
  let seconds = PATIENCE_MS / 1_000;
  let ticking: NodeJS.Timeout | undefined;
  const patience = setTimeout(() => {
    bar.start(LIMIT_S, seconds);
    ticking = setInterval(() => bar.update(++seconds), 1_000);
  }, PATIENCE_MS);
  try {
    return await result;
  } finally {
    clearTimeout(patience);
    clearInterval(ticking);
    if (ticking) bar.stop();
  }
}

/** Codes of errors between npm and its registry. */
const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)$/;

/** In a few words, from what npm printed. */
export function whyItFailed(said: string): string {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(said)?.[1];
  if (code === undefined) return `npm did not end well: ${said.split('\n')[0]}`;
  if (UNREACHABLE.test(code)) return `npm does not reach its registry (${code})`;
  if (code === 'E404' || code === 'ETARGET') return `npm's registry has none (${code})`;
  if (code === 'EINTEGRITY') return "the one of npm's registry is not the one that is locked (EINTEGRITY)";
  return `npm could not fetch it (${code})`;
}

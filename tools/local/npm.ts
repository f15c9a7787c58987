import { spawn } from 'node:child_process';
import { optionalVariable } from '../../lib/runtime.ts';

/** npm is ended when it takes longer. */
const LIMIT_S = 120;

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

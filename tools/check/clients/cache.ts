import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemRuntime } from '../../../lib/ground/index.ts';

/** All that the clients are made of, but for the programs below. The lock file has the versions of compilers from npm. */
const SOURCES = '{docs/openapi.json,package-lock.json,tools/check/prerequisites.ts,tools/check/clients/*}';

/** Programs whose versions count, too. */
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ['go', 'version'],
  ['javac', '--version'],
  ['mvn', '--version'],
  ['python3', '--version'],
];

const KEPT_MS = 14 * 24 * 60 * 60_000;

/** Outside of the clone: most checks run in a fresh one. */
const folder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'user-management', 'clients');

/** A name that only the same document, programs and machine have. */
function keyOf(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform} ${process.arch}\n`);
  for (const [program, ...options] of PROGRAMS) hash.update(execFileSync(program, options));
  for (const file of globSync(SOURCES).sort()) hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Removes what nobody has made or taken for two weeks. */
function removeOld(): void {
  for (const entry of globSync(join(folder(), '*')))
    if (statSync(entry).mtimeMs < systemRuntime.now() - KEPT_MS) rmSync(entry, { recursive: true, force: true });
}

/**
 * Fills a folder with what `make` makes there, or with a copy of what an earlier run on this machine has made of the same sources with the same
 * programs. A copy is kept when all is made: a failure is tried again by the next run. The copy is moved to its place, so that no run
 * finds a part of it.
 *
 * @returns whether it was copied
 */
export async function madeOnce(out: string, make: () => Promise<void>): Promise<boolean> {
  const kept = join(folder(), keyOf());
  rmSync(out, { recursive: true, force: true });
  if (existsSync(kept)) {
    cpSync(kept, out, { recursive: true });
    return true;
  }
  await make();
  removeOld();
  const part = `${kept}.${process.pid}`;
  mkdirSync(folder(), { recursive: true });
  cpSync(out, part, { recursive: true });
  // Another run may have been faster.
  if (existsSync(kept)) rmSync(part, { recursive: true });
  else renameSync(part, kept);
  return false;
}

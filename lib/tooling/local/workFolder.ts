import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './processes.ts';

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/**
 * A folder for the bundles of this run, named by its process: a service goes on while another is started or packaged.
 * It is removed with the process.
 */
export function ownFolder(parent: string): string {
  const folder = join(parent, String(process.pid));
  remove(folder);
  process.once('exit', () => remove(folder));
  return folder;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes the folders of runs that ended too suddenly to do it themselves. */
export function removeLeftovers(parent: string): void {
  const pids = namesIn(parent).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (!isRunning(Number(pid))) remove(join(parent, pid));
  }
}

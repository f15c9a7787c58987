import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './processes.ts';

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/**
 * A folder for the bundles of this process. Each process has its own, so a service can run while another one starts or is packaged.
 * The folder is removed when the process ends.
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

/** Removes the folders of processes that were killed. */
export function removeLeftovers(parent: string): void {
  const pids = namesIn(parent).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (!isRunning(Number(pid))) remove(join(parent, pid));
  }
}

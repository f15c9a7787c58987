import { globSync, rmSync } from 'node:fs';
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

/** Removes the folders of processes that were killed. */
export function removeLeftovers(parent: string): void {
  for (const pid of globSync('[0-9]*', { cwd: parent })) if (!isRunning(Number(pid))) remove(join(parent, pid));
}

import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { journalLength } from '../../../tools/import/journalWatch.ts';

const FOLD_TIMEOUT_S = 120;

/**
 * Runs one of the project's commands for the service on the port.
 *
 * @returns its output if it failed
 */
export function command(port: number, file: string, ...options: string[]): string[] {
  const program = [file, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    env: { ...process.env, PORT: String(port) },
    encoding: 'utf8',
  });
  return status === 0 ? [] : [`${stdout}${stderr}`];
}

/** Waits for the fold, so that one measurement does not pay for the writes of another. */
export async function untilFolded(url: string): Promise<void> {
  for (let waited = 0; waited < FOLD_TIMEOUT_S; waited++) {
    const { headers } = await fetch(`${url}/api/users?size=1`);
    if (journalLength(headers) === 0) return;
    await setTimeout(1_000);
  }
  throw new Error(`The journal was not folded within ${FOLD_TIMEOUT_S} s`);
}

/** The ids of the first page. */
export async function someIds(url: string): Promise<number[]> {
  const response = await fetch(`${url}/api/users?size=100`);
  const { content } = (await response.json()) as { content: { id: number }[] };
  return content.map(({ id }) => id);
}

import { type SpawnSyncOptions, spawnSync } from 'node:child_process';

/** Runs a program, and returns its output or why it failed. */
export type Run = (
  program: string,
  options: readonly string[],
  surroundings?: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'shell'>,
) => { isWell: boolean; said: string };

export const runProgram: Run = (program, options, surroundings) => {
  const { status, stdout, stderr } = spawnSync(program, options, { ...surroundings, encoding: 'utf8' });
  return { isWell: status === 0, said: `${stdout ?? ''}${stderr ?? ''}`.trim() };
};

/** @throws {Error} with what the program said, if it fails */
export function runWell(...[program, options, surroundings]: Parameters<Run>): string {
  const { isWell, said } = runProgram(program, options, surroundings);
  if (!isWell) throw new Error(`${program} ${options.slice(0, 4).join(' ')} …\n${said}`);
  return said;
}

import { spawnSync } from 'node:child_process';

/** Runs a program, and returns its output or why it failed. */
export type Run = (program: string, options: readonly string[]) => { isWell: boolean; said: string };

export const runProgram: Run = (program, options) => {
  const { status, stdout, stderr } = spawnSync(program, options, { encoding: 'utf8' });
  return { isWell: status === 0, said: `${stdout ?? ''}${stderr ?? ''}`.trim() };
};

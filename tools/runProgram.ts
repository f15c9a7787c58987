import { type SpawnSyncOptions, spawnSync } from 'node:child_process';

type Command = [program: string, options: readonly string[], surroundings?: Pick<SpawnSyncOptions, 'cwd' | 'env'>];

/** Runs a program, and returns its output or why it failed. */
export function runProgram(...[program, options, surroundings]: Command): { isWell: boolean; said: string } {
  const { status, stdout, stderr } = spawnSync(program, options, { ...surroundings, encoding: 'utf8' });
  return { isWell: status === 0, said: `${stdout ?? ''}${stderr ?? ''}`.trim() };
}

/** @throws {Error} with what the program said, if it fails */
export function runWell(...command: Command): string {
  const { isWell, said } = runProgram(...command);
  if (!isWell) throw new Error(`${[command[0], ...command[1].slice(0, 4)].join(' ')} …\n${said}`);
  return said;
}

import { runProgram } from '../../runProgram.ts';

/** @throws {Error} with what the program said, if it fails */
export function run(program: string, ...options: string[]): void {
  const { isWell, said } = runProgram(program, options);
  if (!isWell) throw new Error(`${program} ${options.slice(0, 4).join(' ')} …\n${said}`);
}

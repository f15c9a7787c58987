import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from './run.ts';

/** How much of an output's end is shown: the reason is there. */
const SHOWN = 3_000;

export function expectWell({ isWell, said }: Outcome): string {
  if (!isWell) throw new Error(`It failed:\n${said.slice(-SHOWN)}`);
  return said;
}

export function expectRefusal({ isWell, said }: Outcome, sentence: string): string {
  if (isWell || !said.includes(sentence)) {
    throw new Error(`It ${isWell ? 'went well' : 'failed'} without saying "${sentence}":\n${said.slice(-SHOWN)}`);
  }
  return said;
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}

export function expectSaid(said: string, sentence: string): void {
  if (!said.includes(sentence)) throw new Error(`It did not say "${sentence}":\n${said.slice(-SHOWN)}`);
}

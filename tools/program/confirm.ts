import { createInterface } from 'node:readline/promises';

/** Whether the person at the terminal says yes. Undefined if there is nobody. */
export async function confirm(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} (y/N)? `).finally(() => terminal.close());
  return /^y(?:es)?$/i.test(answer.trim());
}

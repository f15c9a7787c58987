import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The answer of the person at the terminal, which does not show it. Undefined if there is nobody, or no answer. */
export async function askSecretly(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  // A terminal of readline repeats what is typed on its output, and the terminal itself does not.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // Now the terminal repeats nothing: before, it would show an answer that is typed ahead.
  process.stderr.write(`${question}: `);
  const answer = await terminal.question('').finally(() => terminal.close());
  process.stderr.write('\n');
  return answer.trim() || undefined;
}

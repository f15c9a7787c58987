import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The answer of whoever sits at the terminal, which does not show it. Undefined if nobody does, or says nothing. */
export async function askSecretly(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  // A terminal of readline repeats what is typed on its output, and the terminal itself does not.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // Now the terminal repeats nothing: before, whoever types ahead would be seen.
  process.stderr.write(`${question}: `);
  const answer = await terminal.question('').finally(() => terminal.close());
  process.stderr.write('\n');
  return answer.trim() || undefined;
}

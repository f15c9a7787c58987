import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT, read } from '../support/files.ts';
import { startForTest } from '../support/localService.ts';

const execute = promisify(execFile);

const README = read('README.md');

/** The commands of the first screen, in their order, each with what it shows as the answer. */
const [, session = ''] = /```console\n(.*?)```/s.exec(README) ?? [];
const SHOWN = session.split(/^\$ /m).flatMap((part) => {
  const [command = '', ...answer] = part.trimEnd().split('\n');
  return command.startsWith('curl') ? [{ command, answer: answer.join('\n') }] : [];
});

/** Leaves out all that differs from run to run: ids, the names of edits, and a unit. */
const plain = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replaceAll(/\b[\da-f]{16}\b/g, '<edit>')
    .replaceAll(/\b\d{15,16}\b/g, '<id>')
    .replaceAll(/"write":\d+/g, '<write>')
    .trim();

/** Whether a text is what is shown of it, where `…` is anything. */
function isAsShown(text: string, shown: string): boolean {
  let at = 0;
  return plain(shown)
    .split('…')
    .every((piece, index) => {
      const found = text.indexOf(piece, at);
      at = found + piece.length;
      return index === 0 ? found === 0 : found >= 0;
    });
}

test('the first screen of the README runs as it stands, on the users of its seed, and answers what it shows', async () => {
  const [, users = ''] = /^npm run seed -- --users (\d+) +#/m.exec(README) ?? [];
  const service = await startForTest({});
  const options = ['tools/local/seed.ts', '--users', users, '--port', String(service.port)];
  await execute(process.execPath, options, { cwd: ROOT });
  expect(SHOWN).toHaveLength(3);
  for (const { command, answer } of SHOWN) {
    const asked = command.replace('localhost:3000', `localhost:${service.port}`);
    const said = (await execute('bash', ['-euc', asked])).stdout;
    expect(isAsShown(plain(said), answer), `${command}\n${plain(said)}\n${plain(answer)}`).toBe(true);
  }
});

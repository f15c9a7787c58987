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

/** Leaves out what differs from run to run: ids, moments, tokens, the names of edits, a unit, and whose change was the last of many. */
const plain = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replaceAll(/\b[\da-f]{16}\b/g, '<edit>')
    .replaceAll(/\b\d{15,16}\b/g, '<id>')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '<moment>')
    .replaceAll(/"next":"[\w-]+"/g, '<next>')
    .replaceAll(/"write":\d+/g, '<write>')
    .replaceAll(/("user":\{"id":<id>,"name":)"[^"]*"/g, '$1<name>')
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
  expect(SHOWN).toHaveLength(5);
  let edit = '';
  for (const { command, answer } of SHOWN) {
    const asked = command
      .replace('localhost:3000', `localhost:${service.port}`)
      .replace(/edits\/\w{16}\//, `edits/${edit}/`);
    const send = async () => (await execute('bash', ['-euc', asked])).stdout;
    // A change appears some fifteen seconds after the write. All other answers are right at once, and sent once.
    if (command.includes('/changes?')) {
      await expect.poll(send).toContain('-undo"');
      await expect.poll(async () => isAsShown(plain(await send()), answer), { message: answer }).toBe(true);
      continue;
    }
    const said = await send();
    edit = /"edit":"(\w{16})"/.exec(said)?.[1] ?? edit;
    expect(isAsShown(plain(said), answer), `${command}\n${plain(said)}\n${plain(answer)}`).toBe(true);
  }
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT, read } from '../support/files.ts';
import { caller } from '../support/httpService.ts';
import { startForTest } from '../support/localService.ts';
import { REQUESTS, sendAll } from '../support/requests.ts';

const execute = promisify(execFile);

const README = read('README.md');

/** The commands of the first screen, in their order, each with what it shows as the answer. */
const [, session = ''] = /```console\n(.*?)```/s.exec(README) ?? [];
const SHOWN = session.split(/^\$ /m).flatMap((part) => {
  const [command = '', ...answer] = part.trimEnd().split('\n');
  return command.startsWith('curl') ? [{ command, answer: answer.join('\n') }] : [];
});

/** Leaves out the ids, which differ from run to run. */
const plain = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replaceAll(/\b\d{15,16}\b/g, '<id>')
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

/** Each request of docs/requests.http succeeds beside these users, also when an editor sends them once more, and changes none of them. */
async function expectRequests(url: string): Promise<void> {
  const call = caller(url);
  const everybody = async () => (await call('GET', '/api/users/all')).body;
  const before = await everybody();
  expect(REQUESTS.length).toBeGreaterThan(25);
  for (let times = 0; times < 2; times++) {
    const failed = (await sendAll(url)).filter(([, status]) => status >= 300);
    expect(failed).toEqual([]);
    expect(await everybody()).toEqual(before);
  }
}

test('the first screen of the README, and then docs/requests.http, run as they stand, on the users of its seed, and the README answers what it shows', async () => {
  const [, users = ''] = /^npm run seed -- --users (\d+) +#/m.exec(README) ?? [];
  const service = await startForTest({});
  const options = ['tools/local/seed.ts', '--users', users, '--port', String(service.port)];
  await execute(process.execPath, options, { cwd: ROOT });
  expect(SHOWN).toHaveLength(2);
  for (const { command, answer } of SHOWN) {
    const asked = command.replace('localhost:3000', `localhost:${service.port}`);
    const said = (await execute('bash', ['-euc', asked])).stdout;
    expect(isAsShown(plain(said), answer), `${command}\n${plain(said)}\n${plain(answer)}`).toBe(true);
  }
  await expectRequests(service.url);
});

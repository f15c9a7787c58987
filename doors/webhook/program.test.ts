import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { read } from '../../tests/support/files.ts';
import { caller, createOver } from '../../tests/support/httpService.ts';
import { serviceForFile } from '../../tests/support/localService.ts';
import { folderForTest, runProgram, startProgram } from '../../tests/support/programs.ts';
import { type Got, SECRET, startReceiver, verify } from '../../tests/support/webhooks.ts';
import { findPython, MissingPrerequisite, requireProgram } from '../../tools/check/prerequisites.ts';
import { freePort } from '../../tools/local/port.ts';

/** The door as `npm run door -- webhook` starts it, before the local service. Changes are in the feed a second after the write. */
const service = await serviceForFile({ env: { JOURNAL_REST_MS: '0' } });
const call = caller(service.url);
const create = createOver(call);

/** Starts a program, which ends with the test. */
function start(options: string[], env: Record<string, string> = {}) {
  const { child, ended } = startProgram(process.execPath, options, { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, said: () => said };
}

async function startDoor(...options: string[]) {
  const door = start(['tools/doors/door.ts', 'webhook', '--url', service.url, ...options]);
  await expect.poll(door.said).toContain('from now on');
  return door;
}

test('each change is sent, with a line for each', async () => {
  const { url, got } = await startReceiver();
  const { child, ended, said } = await startDoor('--to', url, '--secret', SECRET);
  const { id } = await create({ name: 'Ann' });
  await call('PATCH', `/api/users/${id}`, { json: { status: 'left' } });
  await call('DELETE', `/api/users/${id}`);
  await expect.poll(() => got.length).toBe(3);
  const user = { id, name: 'Ann', createdAt: expect.any(String), updatedAt: expect.any(String) };
  const left = { ...user, status: 'left' };
  const at = expect.any(String);
  expect(got.map(({ body }) => JSON.parse(body))).toEqual([
    { type: 'user.created', timestamp: at, data: { id, version: 1, type: 'created', at, user } },
    { type: 'user.updated', timestamp: at, data: { id, version: 2, type: 'updated', at, user: left } },
    { type: 'user.deleted', timestamp: at, data: { id, version: 3, type: 'deleted', at, user: left } },
  ]);
  expect(got.map(({ headers }) => headers['content-type'])).toEqual(got.map(() => 'application/json'));
  await expect.poll(said).toContain(`User ${id} version 3 deleted: 204`);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});

test('without a secret it makes one, and says it', async () => {
  const { url, got } = await startReceiver();
  const { said } = await startDoor('--to', url);
  const [, secret = ''] = /^The signing secret: (whsec_\S{44})$/m.exec(said()) ?? [];
  await create({ name: 'Ann' });
  await expect.poll(() => got.length).toBe(1);
  verify(got[0] as Got, secret);
  expect(() => verify(got[0] as Got)).toThrow('No matching signature found');
});

test('a failure that lasts is said once', async () => {
  const { url } = await startReceiver();
  const { said } = start([
    'tools/doors/door.ts',
    'webhook',
    '--url',
    `http://127.0.0.1:${await freePort()}`,
    '--to',
    url,
  ]);
  await expect.poll(said).toContain('ECONNREFUSED');
  const before = said();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(said()).toBe(before);
});

test('the receiver of the README takes what the door sends, and refuses the rest', async () => {
  const [, source = '', secret = ''] =
    /```js\n(.*?)```.*?SECRET=(\S+) node receiver\.mjs/s.exec(read('doors/webhook/README.md')) ?? [];
  const file = join(folderForTest(), 'receiver.mjs');
  writeFileSync(file, source);
  const port = String(await freePort('localhost'));
  const url = `http://localhost:${port}`;
  const receiver = start([file], { SECRET: secret, PORT: port });
  await expect.poll(() => fetch(url).then(({ status }) => status, String)).toBe(401);
  const { said } = await startDoor('--to', url, '--secret', secret);
  const { id } = await create({ name: 'Ann Lee' });
  await call('PATCH', `/api/users/${id}`, { json: { status: 'left' } });
  await expect.poll(receiver.said).toBe(`user.created ${id} Ann Lee\nuser.updated ${id} Ann Lee\n`);
  await expect.poll(said).toContain(`User ${id} version 2 updated: 204`);
  const { said: refused } = await startDoor('--to', url, '--secret', SECRET);
  await call('DELETE', `/api/users/${id}`);
  await expect.poll(receiver.said).toContain(`user.deleted ${id} Ann Lee\n`);
  await expect.poll(refused).toContain(`User ${id} version 3 deleted: 401`);
});

test('the request of the README has a right signature, and the id that the door would give', () => {
  const page = read('doors/webhook/README.md');
  const [, head = '', body = ''] = /```http\n(.*?)\n\n(.*?)\n```/s.exec(page) ?? [];
  const [, secret = ''] = /SECRET=(\S+)/.exec(page) ?? [];
  const headers = Object.fromEntries(
    [...head.matchAll(/^(webhook-\w+): (.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  verify({ headers, body } as unknown as Got, secret);
  const { timestamp, data } = JSON.parse(body);
  expect(headers['webhook-id']).toBe(`${data.id}-1-${Date.parse(timestamp).toString(36)}`);
});

const JUDGES = 'doors/webhook/judges';

const FORMER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const STRANGE = `whsec_${Buffer.alloc(64, 5).toString('base64')}`;

/** Programs with the official library of a language: they print a line for each webhook, which is empty if it is right. */
const LIBRARIES: Record<string, () => [program: string, ...options: string[]]> = {
  Python: () => [
    findPython('The test of webhooks by Python', 'it is skipped', `${JUDGES}/requirements.txt`, '.local/webhook'),
    `${JUDGES}/judge.py`,
  ],
  Go() {
    requireProgram(['go', 'version'], 'The test of webhooks by Go needs Go as "go": it is skipped.');
    const program = join(process.cwd(), '.local/webhook/judge');
    execFileSync('go', ['build', '-o', program, '.'], { cwd: JUDGES });
    return [program];
  },
  JavaScript: () => [process.execPath, `${JUDGES}/judge.mjs`],
};

test.for(Object.entries(LIBRARIES))(
  'the official library in %s takes a webhook by each of two secrets, and no other',
  async ([, find], context) => {
    let judge: [string, ...string[]];
    try {
      judge = find();
    } catch (error) {
      if (!(error instanceof MissingPrerequisite)) throw error;
      return context.skip(error.message);
    }
    const [program, ...options] = judge;
    const { url, got } = await startReceiver();
    await startDoor('--to', url, '--secret', `${SECRET} ${FORMER}`);
    await create({ name: 'Änn \u2028 "Lee"', attributes: { tags: ['日本', '🙂'] } });
    await expect.poll(() => got.length).toBe(1);
    const [{ headers, body } = {} as Got] = got;
    const sent = (secret: string, changed = {}) => ({ secret, headers, body, ...changed });
    const all = [
      ...[SECRET, FORMER, STRANGE].map((secret) => sent(secret)),
      sent(SECRET, { body: body.replace('Lee', 'Kim') }),
      sent(SECRET, { headers: { ...headers, 'webhook-id': 'other' } }),
      sent(SECRET, { headers: { ...headers, 'webhook-timestamp': '1' } }),
    ];
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout, stderr } = await runProgram(program, options, { env, input: JSON.stringify(all) });
    const refused = expect.stringMatching(/./);
    expect([stderr, ...stdout.split('\n')]).toEqual(['', '', '', refused, refused, refused, refused, '']);
  },
);

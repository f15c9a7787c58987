import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { readTemplate } from '../../tests/support/cloudFormation.ts';
import { caller } from '../../tests/support/httpService.ts';
import { loadInline } from '../../tests/support/inlineFunction.ts';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { startGate } from '../../tests/support/servers.ts';

/** The function of doors/retention/template.yml, with the local service and a real issuer. */
const { Retention } = readTemplate('doors/retention/template.yml').Resources;

const issuer = await issuerForFile();
const service = await serviceForFile({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });

let mails: { Subject?: string; Message?: string }[] = [];
beforeEach(() => {
  mails = [];
});

type Handler = (event: { time: string }, context: { getRemainingTimeInMillis: () => number }) => Promise<unknown>;

function load(settings: Record<string, string>): (time?: string, remaining?: number) => Promise<unknown> {
  const calls = {
    GetSecretValue: () => ({ SecretString: 'secret' }),
    Publish: ({ TopicArn, ...mail }: Record<string, string>) => mails.push(mail),
  };
  const env = {
    ...{ SERVICE: service.url, ISSUER: `${issuer.url}/`, CLIENT: 'smoke', SECRET: 'arn:secret', TOPIC: 'arn:topic' },
    ...{ SCOPE: 'users:read users:write', AUDIENCE: '', CHANGE: '{"delete":true}', AT_MOST: '3', ACT: 'yes' },
    ...settings,
  };
  const handler = loadInline<Handler>(Retention.Properties.Code.ZipFile, env, calls, {});
  return async (time = randomUUID() as string, remaining = 900_000) =>
    handler({ time }, { getRemainingTimeInMillis: () => remaining });
}

const call: ReturnType<typeof caller> = async (method, path, options = {}) => {
  const authorization = `Bearer ${await issuer.sign({ scope: 'users:read users:write users:audit' })}`;
  return caller(service.url)(method, path, { ...options, headers: { ...options.headers, authorization } });
};

/** The users of one test, by the days since they were last seen. */
async function people(status: string, ...days: number[]): Promise<void> {
  for (const each of days) {
    const lastSeen = new Date(Date.now() - each * 86_400_000).toISOString();
    await call('POST', '/api/users', { json: { name: `Seen ${each}`, status, attributes: { lastSeen } } });
  }
}

async function namesOf(status: string): Promise<string[]> {
  const { body } = await call('GET', `/api/users/all?status=${status}&sort=name`);
  return (body as { name: string }[]).map(({ name }) => name);
}

/** The edit that a mail names. */
const editIn = (text = ''): string => /edits\/(\w{16})\/undo/.exec(text)?.[1] ?? '';

test('the dormant users go, a mail says so, and all can be undone', async () => {
  await people('dormant', 10, 200, 300);
  const run = load({ FILTER: 'status=dormant&attributes.lastSeen.lt=-P180D' });
  await run();
  expect(await namesOf('dormant')).toEqual(['Seen 10']);
  const [{ Subject, Message } = {}, ...others] = mails;
  const edit = editIn(Message);
  expect([Subject, Message, others]).toEqual([
    'Retention has changed 2 users',
    `The edit ${edit} has changed 2 users, and failed with 0.
To undo it: POST ${service.url}/api/users/edits/${edit}/undo, or on the admin page, as long as changes are kept.

Filter: status=dormant&attributes.lastSeen.lt=-P180D
Change: {"delete":true}`,
    [],
  ]);
  await call('POST', `/api/users/edits/${edit}/undo`);
  expect(await namesOf('dormant')).toEqual(['Seen 10', 'Seen 200', 'Seen 300']);
});

test('without leave to act the mail says what would happen, and nobody is changed', async () => {
  await people('reported', 200);
  await load({ FILTER: 'status=reported', ACT: 'no' })();
  const { body } = await call('GET', '/api/users?status=reported');
  const [{ id }] = (body as { content: [{ id: number }] }).content;
  expect(mails).toEqual([
    {
      Subject: 'Retention would change 1 users',
      Message: expect.stringMatching(
        new RegExp(`^1 users match, for [\\d.]+ dollars\\.\nSuch as: ${id}\nTo allow this: --set Act=yes\n`),
      ),
    },
  ]);
  expect(await namesOf('reported')).toEqual(['Seen 200']);
});

test('more users than may be changed are none that are', async () => {
  await people('many', 1, 2, 3, 4);
  await load({ FILTER: 'status=many' })();
  expect(mails.map(({ Subject }) => Subject)).toEqual(['Retention: 4 users match, nobody was changed']);
  expect(await namesOf('many')).toHaveLength(4);
});

test('a quiet day sends no mail', async () => {
  for (const ACT of ['yes', 'no']) await load({ FILTER: 'status=nobody', ACT })();
  expect(mails).toEqual([]);
});

test('an attempt after one whose answer was lost is the same edit, and its mail says what both have done', async () => {
  await people('lost', 1, 2);
  // The second request of an edit is the one that writes.
  const gate = await startGate(service.url, {
    fateOf: (count) => (count === 2 ? 'lost' : undefined),
  });
  const run = load({ FILTER: 'status=lost', SERVICE: gate.url, CHANGE: '{"patch":{"country":"KE"}}' });
  await expect(run('2026-11-29T03:00:00Z')).rejects.toThrow('fetch failed');
  expect(mails).toEqual([]);
  await run('2026-11-29T03:00:00Z');
  expect(mails.map(({ Subject }) => Subject)).toEqual(['Retention has changed 2 users']);
  await gate.close();
});

test('a user who cannot be changed is in the mail, with the reason', async () => {
  await people('failing', 1);
  await load({ FILTER: 'status=failing', CHANGE: '{"add":{"attributes":{"lastSeen":["x"]}}}' })();
  expect(mails[0]?.Message).toMatch(
    /has changed 0 users, and failed with 1\.\nNot changed: \d+: .*not an array of texts/,
  );
});

test('what is left when the time ends is an error, after which Lambda goes on', async () => {
  await people('late', 1, 2);
  const left = { edit: '0123456789abcdef', changed: 1, unchanged: 0, failed: [], left: 1 };
  const gate = await startGate(service.url, {
    fateOf: (count) => (count > 1 ? { status: 200, json: left } : undefined),
  });
  const run = load({ FILTER: 'status=late', SERVICE: gate.url });
  await expect(run(undefined, 50_000)).rejects.toThrow('1 users are left of edit 0123456789abcdef');
  await gate.close();
});

test.each([
  ['a client that the issuer refuses', { CLIENT: 'nobody' }, /^Error: 500 .*\/token/],
  ['a scope that the client lacks', { SCOPE: 'users:read' }, /^Error: 403 .*\/api\/users\/edits/],
  ['a stage that is away', { SERVICE: 'http://127.0.0.1:1' }, /fetch failed/],
  ['a filter that is none', { FILTER: 'search=x' }, /Unknown parameter search: is q meant\?/],
  ['no filter', { FILTER: 'status=' }, /Without a filter this is an edit of all users/],
])('%s ends in an error, which the topic gets after three attempts', async (_, settings, message) => {
  const run = load({ FILTER: 'status=x', ...settings });
  await expect(run().catch((error) => String(error))).resolves.toMatch(message);
  expect(mails).toEqual([]);
});

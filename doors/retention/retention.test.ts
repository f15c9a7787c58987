import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readTemplate } from '../../tests/support/cloudFormation.ts';
import { read } from '../../tests/support/files.ts';
import { caller } from '../../tests/support/httpService.ts';
import { loadInline } from '../../tests/support/inlineFunction.ts';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { serveForTest } from '../../tests/support/programs.ts';
import { startGate } from '../../tests/support/servers.ts';

/** The function of doors/retention/template.yml, with the local service and a real issuer. */
const { Retention } = readTemplate('doors/retention/template.yml').Resources;

const issuer = await issuerForFile();
const service = await serviceForFile({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });

const REFUSED = 'Retention: the filter or the change is refused, nobody was changed';

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
        new RegExp(
          `^1 users match, for [\\d.]+ dollars \\(\\d+ read and \\d+ write units\\)\\.\nSuch as: ${id}\nTo allow this: --set Act=yes\n`,
        ),
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
])('%s ends in an error, which the topic gets after three attempts', async (_, settings, message) => {
  const run = load({ FILTER: 'status=x', ...settings });
  await expect(run().catch((error) => String(error))).resolves.toMatch(message);
  expect(mails).toEqual([]);
});

describe('a run that nobody can have meant', () => {
  const BOUND = 'which is no duration before now (-P180D), date (2026-11-28), month or number';
  test.each([
    ['attributes.lastSeen.lt=P180D', `attributes.lastSeen.lt is P180D, ${BOUND}`],
    ['status=kept&attributes.lastSeen.lt=now-180d', `attributes.lastSeen.lt is now-180d, ${BOUND}`],
    ['attributes.lastSeen.lt=−P180D', `attributes.lastSeen.lt is −P180D, ${BOUND}`],
    ['attributes.lastSeen.lte=-180D', `attributes.lastSeen.lte is -180D, ${BOUND}`],
    ['attributes.lastSeen.lt=-P180', `attributes.lastSeen.lt is -P180, ${BOUND}`],
    ['attributes.lastSeen.lt=-P', `attributes.lastSeen.lt is -P, ${BOUND}`],
    ['attributes.lastSeen.lt=01.11.2026', `attributes.lastSeen.lt is 01.11.2026, ${BOUND}`],
    ['attributes.lastSeen.lt=2026-11-01T00:00:00+01:00', /^attributes\.lastSeen\.lt is .* 01:00, which is no duration/],
    ['status=kept&email=', 'email has no value, and would filter nothing'],
    ['status=kept&q=%20', 'q has no value, and would filter nothing'],
    ['status', 'status has no value, and would filter nothing'],
    ['_status=kept', '_status is no filter: the service ignores it'],
    ['status=kept#&attributes.lastSeen.lt=-P180D', 'A # ends an address: in a filter it is %23'],
    ['stauts=kept', /^Unknown parameter stauts: is status meant\?/],
    ['search=x', /^Unknown parameter search: is q meant\?/],
    ['status=kept&createdAt.lt=P180D', /^createdAt\.lt must be a date-time/],
    ['attributes.lastSeen.lt=2026-13-01', `attributes.lastSeen.lt is 2026-13-01, ${BOUND}`],
  ])('%s is in a mail that says why, and deletes nobody', async (FILTER, reason) => {
    await people('kept', 1);
    await load({ FILTER, AT_MOST: '100' })();
    expect(mails).toEqual([
      { Subject: REFUSED, Message: expect.stringContaining(`\n\nFilter: ${FILTER}\nChange: {"delete":true}`) },
    ]);
    const [said = ''] = mails[0]?.Message?.split('\n') ?? [];
    expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    expect((await namesOf('kept')).length).toBeGreaterThan(0);
  });

  test.each([
    ['{"delete":true,"dryRun":false}', 'The change has dryRun: it may have delete, patch, add, remove'],
    ['{"delete":true,"everybody":true}', 'The change has everybody: it may have delete, patch, add, remove'],
    ['{delete:true}', 'The change is not JSON'],
    ['{}', /^Request body must have patch, remove or add/],
    ['{"patch":{"stauts":"x"}}', /stauts/],
  ])('%s is a change that is refused', async (CHANGE, reason) => {
    await load({ FILTER: 'status=kept', CHANGE })();
    expect(mails).toEqual([{ Subject: REFUSED, Message: expect.stringMatching(/./) }]);
    const [said = ''] = mails[0]?.Message?.split('\n') ?? [];
    expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
  });
});

test.each([
  ['-P180D', 1],
  ['-P6M', 1],
  ['-PT4000H', 1],
  ['-P1Y2M3DT4H', 0],
  ['2199-01-01', 2],
  ['2199-01-01T00:00:00.000Z', 2],
  ['2199-01', 2],
  ['7', 0],
])('a bound that is %s is asked', async (bound, wanted) => {
  const status = `bound ${bound}`;
  await people(status, 10, 200);
  await load({ FILTER: `status=${encodeURIComponent(status)}&attributes.lastSeen.lt=${bound}`, ACT: 'no' })();
  expect(mails.map(({ Subject }) => Subject)).toEqual(wanted > 0 ? [`Retention would change ${wanted} users`] : []);
});

test('values that are no dates are in the report, also if nobody matches', async () => {
  for (const lastSeen of ['01.11.2026', '15 Nov 2026', '1793491200000', '2199-01-01'])
    await call('POST', '/api/users', { json: { name: 'Ann', status: 'undated', attributes: { lastSeen } } });
  const FILTER = 'status=undated&attributes.lastSeen.lt=-P180D';
  await load({ FILTER, ACT: 'no' })();
  const [{ Subject, Message = '' } = {}] = mails;
  expect(Subject).toBe('Retention would change 0 users');
  expect(Message).toContain('\n3 users have a value that is no date, so they match no bound that is one.\n');
  await load({ FILTER })();
  expect(mails).toHaveLength(1);
  await people('undated', 200);
  await load({ FILTER })();
  expect(mails[1]?.Message).toContain('has changed 1 users');
  expect(mails[1]?.Message).toContain('3 users have a value that is no date');
});

test.each([
  [
    'a redirect',
    307,
    { location: 'https://elsewhere.example/' },
    /^Error: 307 \S+ redirects to \S+, which is not followed$/,
  ],
  ['a page', 200, {}, /is not valid JSON$/],
])('%s in the place of the service is followed nowhere', async (_, status, headers, message) => {
  const SERVICE = await serveForTest((_request, response) =>
    response.writeHead(status, headers).end('<html>Ann</html>'),
  );
  await expect(load({ FILTER: 'status=x', SERVICE })().catch(String)).resolves.toMatch(message);
});

test('a page with a 400 in the place of the service is not quoted', async () => {
  const SERVICE = await serveForTest((_, response) => response.writeHead(400).end('<html>Ann</html>'));
  await load({ FILTER: 'status=x', SERVICE })();
  expect(mails).toEqual([{ Subject: REFUSED, Message: expect.stringMatching(/^400: not an answer of the service\n/) }]);
});

test('the units in the README are those of the mails', async () => {
  const user = { name: 'Ann Lee', email: 'ann@example.com', status: 'priced', country: 'DE' };
  const operations = Array.from({ length: 50 }, () => ({ op: 'create', user }));
  await call('POST', '/api/users/batch', { json: { operations } });
  const page = read('doors/retention/README.md');
  for (const [CHANGE, figure] of [
    ['{"delete":true}', /([\d.]+) write units for each deleted user/],
    ['{"patch":{"status":"archived"}}', /([\d.]+) for each who gets another status/],
  ] as const) {
    await load({ FILTER: 'status=priced', CHANGE, ACT: 'no', AT_MOST: '100' })();
    const [, units] = /and (\d+) write units/.exec(mails.at(-1)?.Message ?? '') ?? [];
    expect(figure.exec(page)?.[1]).toBe((Number(units) / 50).toFixed(1));
  }
});

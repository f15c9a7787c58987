import { beforeEach, describe, expect, test } from 'vitest';
import { readTemplate } from '../../tests/support/cloudFormation.ts';
import { caller } from '../../tests/support/httpService.ts';
import { type AwsCalls, loadInline } from '../../tests/support/inlineFunction.ts';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { serveForTest } from '../../tests/support/programs.ts';

/** The function of doors/follow/template.yml, beside a pool in memory, with the local service and a real issuer. */
const { Follower } = readTemplate('doors/follow/template.yml').Resources;

interface Person {
  Username: string;
  Enabled: boolean;
  UserStatus: string;
  Attributes: { Name: string; Value: string }[];
}

type Sub = `${string}-${string}`;

const issuer = await issuerForFile();
const service = await serviceForFile({
  env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE },
  options: ['--param', 'uniqueEmails=true'],
});
/** By sub. */
const pool = new Map<string, Person>();
let queue: string[] = [];
let log: string[] = [];
/** Called with the number of the look at the pool, after it and before the function gets its answer. */
let looked: (look: number) => unknown = () => {};
let looks = 0;
/** Called before each request to the service, with its method. */
let sending: (method: string) => unknown = () => {};
/** A call of AWS runs it before its answer, and fails if it throws. */
let refuse = () => {};
type Handler = (event: object) => Promise<{ batchItemFailures: object[] }>;

const person = (sub: Sub, attributes: Record<string, string>, changes: Partial<Person> = {}): Person => ({
  Username: `google_${sub}`,
  Enabled: true,
  UserStatus: 'CONFIRMED',
  Attributes: Object.entries({ sub, ...attributes }).map(([Name, Value]) => ({ Name, Value })),
  ...changes,
});

/** Calls of AWS, by the names of their commands. */
const AWS: AwsCalls = {
  async ListUsers({ UserPoolId, Filter }) {
    const [, sub = ''] = /^sub = "(.*)"$/.exec(Filter ?? '') ?? [];
    refuse();
    const answer = { Users: UserPoolId === 'eu-central-1_a' ? [pool.get(sub)].filter(Boolean) : [] };
    await looked(++looks);
    return answer;
  },
  GetSecretValue({ SecretId }) {
    refuse();
    return { SecretString: SecretId === 'arn:secret' ? 'secret' : 'wrong' };
  },
  SendMessage({ QueueUrl, MessageBody }) {
    refuse();
    return queue.push(`${QueueUrl} ${MessageBody}`);
  },
};

const say = (...words: unknown[]) => log.push(words.join(' '));
const watched: typeof fetch = async (url, init) => {
  await sending(init?.method ?? 'GET');
  return fetch(url, init);
};

const env = {
  ...{ POOL: 'eu-central-1_a', SERVICE: service.url, ISSUER: `${issuer.url}/` },
  ...{ CLIENT: 'smoke', SECRET: 'arn:secret' },
  ...{ SCOPE: 'users:read users:write', AUDIENCE: '', ATTRIBUTES: 'team,desk', QUEUE: 'https://queue' },
};
const globals = { console: { warn: say, error: say }, fetch: watched };
const handler = loadInline<Handler>(Follower.Properties.Code.ZipFile, env, AWS, globals);

beforeEach(() => {
  [queue, log, looks] = [[], [], 0];
  looked = () => {};
  sending = () => {};
  refuse = () => {};
});

const call: ReturnType<typeof caller> = async (method, path, options = {}) => {
  const authorization = `Bearer ${await issuer.sign({ scope: 'users:read users:write users:audit' })}`;
  return caller(service.url)(method, path, { ...options, headers: { ...options.headers, authorization } });
};

async function idsOf(sub: Sub): Promise<number[]> {
  const { body } = await call('GET', `/api/users?externalId=${sub}`);
  return (body as { content: { id: number }[] }).content.map(({ id }) => id);
}

/** Everybody with this external id, without what the service gives. */
async function found(sub: Sub): Promise<unknown[]> {
  const users = await Promise.all((await idsOf(sub)).map((id) => call('GET', `/api/users/${id}`)));
  return users.map(({ body }) => ({ ...(body as object), id: undefined, createdAt: undefined, updatedAt: undefined }));
}

const put = (sub: Sub, json: object) => call('PUT', `/api/users?externalId=${sub}`, { json });

/** A message of the queue, as CloudTrail and EventBridge make it. */
const message = (eventName: string, sub?: Sub) => ({
  messageId: `${eventName} ${sub}`,
  body: JSON.stringify({
    'detail-type': 'AWS API Call via CloudTrail',
    detail: {
      eventName,
      requestParameters: { username: 'HIDDEN_DUE_TO_SECURITY_REASONS', userPoolId: 'eu-central-1_a' },
      ...(sub && { additionalEventData: { sub } }),
    },
  }),
});

const receive = async (...messages: ReturnType<typeof message>[]) =>
  (await handler({ Records: messages })).batchItemFailures.map((failure) => Object.values(failure)[0]);

test('a user of the pool is created, and changed, and keeps what only the directory has', async () => {
  pool.set('ann-1', person('ann-1', { email: 'ann@example.com', given_name: 'Ann', family_name: 'Lee' }));
  expect(await receive(message('AdminCreateUser', 'ann-1'))).toEqual([]);
  const ann = { externalId: 'ann-1', name: 'Ann Lee', firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' };
  expect(await found('ann-1')).toEqual([{ ...ann, status: 'CONFIRMED' }]);

  await put('ann-1', { ...ann, country: 'Kenya', age: 30 });
  pool.set('ann-1', person('ann-1', { name: 'Ann', family_name: '' }, { UserStatus: 'RESET_REQUIRED' }));
  await receive(message('UpdateUserAttributes', 'ann-1'));
  const rest = { country: 'Kenya', age: 30 };
  expect(await found('ann-1')).toEqual([{ externalId: 'ann-1', name: 'Ann', status: 'RESET_REQUIRED', ...rest }]);
});

test('custom attributes that are named are attributes, beside those of the directory', async () => {
  pool.set('amy-1', person('amy-1', { name: 'Amy', 'custom:team': 'sales', 'custom:other': 'x' }));
  await receive(message('SignUp', 'amy-1'));
  const amy = { externalId: 'amy-1', name: 'Amy', status: 'CONFIRMED' };
  expect(await found('amy-1')).toEqual([{ ...amy, attributes: { team: 'sales' } }]);

  await put('amy-1', { ...amy, attributes: { team: 'sales', floor: 3 } });
  pool.set('amy-1', person('amy-1', { name: 'Amy', 'custom:desk': '7' }));
  await receive(message('UpdateUserAttributes', 'amy-1'));
  expect(await found('amy-1')).toEqual([{ ...amy, attributes: { desk: '7', floor: 3 } }]);
});

test.each([
  ['cid-1', { email: 'cid@example.com', name: '' }, 'cid@example.com'],
  ['cid-2', {}, 'google_cid-2'],
] as const)(
  '%s, who has no name, is called by the address, or as the pool calls her',
  async (sub, attributes, name) => {
    pool.set(sub, person(sub, attributes));
    await receive(message('SignUp', sub));
    expect(await found(sub)).toMatchObject([{ name }]);
  },
);

test('a message that comes again looks once, and writes nothing', async () => {
  pool.set('dan-1', person('dan-1', { name: 'Dan' }));
  for (const wanted of [2, 3, 4]) {
    await receive(message('ConfirmSignUp', 'dan-1'));
    expect(looks).toBe(wanted);
  }
  const [dan] = await idsOf('dan-1');
  expect((await call('GET', `/api/users/${dan}`)).headers.get('etag')).toBe('"1"');
});

test('a user who is disabled has that status, until she is enabled', async () => {
  for (const [Enabled, status] of [
    [false, 'DISABLED'],
    [true, 'CONFIRMED'],
  ] as const) {
    pool.set('eve-1', person('eve-1', { name: 'Eve' }, { Enabled }));
    await receive(message(Enabled ? 'AdminEnableUser' : 'AdminDisableUser', 'eve-1'));
    expect(await found('eve-1')).toEqual([{ externalId: 'eve-1', name: 'Eve', status }]);
  }
});

test.each([
  ['before', ['DeleteUser', 'AdminCreateUser', 'UpdateUserAttributes']],
  ['behind', ['AdminCreateUser', 'UpdateUserAttributes', 'AdminDeleteUser', 'AdminDeleteUser']],
])('a user who was deleted goes, whose deletion comes %s what was done before', async (_, events) => {
  await put('fay-1', { name: 'Fay' });
  for (const event of events) expect(await receive(message(event, 'fay-1'))).toEqual([]);
  expect(await found('fay-1')).toEqual([]);
});

test('whom the pool does not know stays, whatever was done to her in another pool', async () => {
  await put('gus-1', { name: 'Gus' });
  await receive(message('AdminUpdateUserAttributes', 'gus-1'));
  expect(await found('gus-1')).toEqual([{ externalId: 'gus-1', name: 'Gus' }]);
});

test.each([
  ['AdminUpdateUserAttributes', person('hal-1', { name: 'New' }), [{ name: 'New' }]],
  ['AdminDeleteUser', undefined, []],
] as const)(
  'a call that was slower than that of a later %s leaves what the pool has now',
  async (event, later, wanted) => {
    pool.set('hal-1', person('hal-1', { name: 'Old' }));
    looked = async (look) => {
      if (look > 1) return;
      if (later) pool.set('hal-1', later);
      else pool.delete('hal-1');
      await receive(message(event, 'hal-1'));
    };
    expect(await receive(message('AdminCreateUser', 'hal-1'))).toEqual([]);
    expect(await found('hal-1')).toMatchObject(wanted);
  },
);

test('two first messages at once, or a deletion in the directory, are no failure', async () => {
  const hew = { externalId: 'hew-1', name: 'Hew', status: 'CONFIRMED' };
  pool.set('hew-1', person('hew-1', hew));
  const meanwhile = (method: string, act: () => Promise<unknown>) => {
    sending = async (sent) => {
      if (sent !== method) return;
      sending = () => {};
      await act();
    };
  };
  meanwhile('PUT', () => put('hew-1', { name: 'Hew', country: 'Kenya' }));
  expect(await receive(message('SignUp', 'hew-1'))).toEqual([]);
  expect(await found('hew-1')).toEqual([{ ...hew, country: 'Kenya' }]);

  pool.set('hew-1', person('hew-1', { name: 'Hew Lee' }));
  meanwhile('PATCH', async () => call('DELETE', `/api/users/${(await idsOf('hew-1'))[0]}`));
  expect(await receive(message('ConfirmSignUp', 'hew-1'))).toEqual([]);
  expect(await found('hew-1')).toEqual([{ ...hew, name: 'Hew Lee' }]);
});

test('a user who changes at each look is left to a later try', async () => {
  pool.set('jan-1', person('jan-1', { name: 'Jan' }));
  looked = (look) => pool.set('jan-1', person('jan-1', { name: `Jan ${look}` }));
  expect(await receive(message('SignUp', 'jan-1'))).toEqual(['SignUp jan-1']);
  expect(log).toEqual(['Error: jan-1 changes too fast']);
});

test('only what fails is tried again', async () => {
  pool.set('kim-1', person('kim-1', { name: 'Kim', email: 'none' }));
  pool.set('kim-2', person('kim-2', { name: 'Kim' }));
  const failed = await receive(message('SignUp', 'kim-1'), message('SignUp'), message('SignUp', 'kim-2'));
  expect(failed).toEqual(['SignUp kim-1']);
  expect(await found('kim-2')).toHaveLength(1);
  const refusal = `{"status":400,"message":"Email must be valid"}`;
  expect(log).toEqual([`Error: 400 ${service.url}/api/users?externalId=kim-1 ${refusal}`, 'SignUp names nobody']);
});

const LONG = 'x'.repeat(201);

describe('a value that the service refuses', () => {
  test.each([
    ['a name that is too long', { name: LONG }, /name must be at most 200/],
    ['a name of control characters', { name: 'Ned\u0007' }, /name must be well-formed/],
    ['a blank name', { name: ' ' }, /Name is required/],
    ['a first name that is too long', { given_name: LONG }, /firstName must/],
    ['a last name that is too long', { family_name: LONG }, /lastName must/],
    ['no address', { email: 'none' }, /Email must be valid/],
    ['an address that is too long', { email: `${LONG}${LONG}@example.com` }, /Email must be valid/],
    ['the address of somebody else', { email: 'taken@example.com' }, /There is a user with this email/],
    ['an attribute that is too long', { 'custom:team': 'x'.repeat(501) }, /attributes/i],
    ['an attribute of control characters', { 'custom:desk': '\u0007' }, /attributes/i],
    ['more attributes than fit', { 'custom:team': 'x'.repeat(400) }, /attributes/i],
    ['more than fits into a body', { 'custom:team': 'x'.repeat(70_000) }, /413|too large/i],
  ])('keeps nobody enabled whom the pool has disabled: %s', async (kind, values, reason) => {
    const sub: Sub = `ned-${kind.replaceAll(' ', '')}`;
    await put('mel-1', { name: 'Mel', email: 'taken@example.com' });
    const notes = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`note${i}`, 'x'.repeat(480)]));
    const ned = { externalId: sub, name: 'Ned', status: 'CONFIRMED', attributes: notes };
    await put(sub, ned);
    pool.set(sub, person(sub, { name: 'Ned', ...values }));
    expect(await receive(message('UpdateUserAttributes', sub))).toHaveLength(1);
    expect(await found(sub)).toEqual([ned]);
    for (const [Enabled, status] of [
      [false, 'DISABLED'],
      [true, 'CONFIRMED'],
    ] as const) {
      pool.set(sub, person(sub, { name: 'Ned', ...values }, { Enabled }));
      const event = Enabled ? 'AdminEnableUser' : 'AdminDisableUser';
      log = [];
      expect(await receive(message(event, sub))).toEqual([`${event} ${sub}`]);
      expect(log).toEqual([expect.stringMatching(reason)]);
      expect(await found(sub)).toEqual([{ ...ned, status }]);
    }
  });

  test('takes nobody for dormant who signs in, and leaves the others to a later message', async () => {
    const nan = { externalId: 'nan-1', name: 'Nan', status: 'CONFIRMED' };
    await put('nan-1', { ...nan, attributes: { lastSeen: '2026-01-01' } });
    pool.set('nan-1', person('nan-1', { name: LONG, 'custom:team': 'sales' }));
    const detail = { eventName: 'SignIn', additionalEventData: { sub: 'nan-1' }, seen: '2026-11-28' };
    const signIn = { Records: [{ messageId: '1', body: JSON.stringify({ detail }) }] };
    expect((await handler(signIn)).batchItemFailures).toHaveLength(1);
    expect(await found('nan-1')).toEqual([{ ...nan, attributes: { lastSeen: '2026-11-28' } }]);
    pool.set('nan-1', person('nan-1', { name: 'Nan Lee', 'custom:team': 'sales' }));
    expect((await handler(signIn)).batchItemFailures).toEqual([]);
    const attributes = { lastSeen: '2026-11-28', team: 'sales' };
    expect(await found('nan-1')).toEqual([{ ...nan, name: 'Nan Lee', attributes }]);
  });

  test('leaves the status that the pool has now, whatever it had when the call began', async () => {
    await put('ole-1', { name: 'Ole', status: 'CONFIRMED' });
    const ole = (Enabled: boolean) => person('ole-1', { name: LONG }, { Enabled });
    pool.set('ole-1', ole(false));
    looked = (look) => look === 1 && pool.set('ole-1', ole(true));
    expect(await receive(message('AdminDisableUser', 'ole-1'))).toHaveLength(1);
    expect(await found('ole-1')).toEqual([{ externalId: 'ole-1', name: 'Ole', status: 'CONFIRMED' }]);
  });
});

test('a redirect is followed nowhere, and is named', async () => {
  const asked: string[] = [];
  const SERVICE = await serveForTest((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(307, { location: `${service.url}${request.url}` }).end();
  });
  const moved = loadInline<Handler>(Follower.Properties.Code.ZipFile, { ...env, SERVICE }, AWS, globals);
  pool.set('pam-1', person('pam-1', { name: 'Pam' }));
  expect((await moved({ Records: [message('SignUp', 'pam-1')] })).batchItemFailures).toHaveLength(1);
  const path = '/api/users?externalId=pam-1';
  expect(log).toEqual([`Error: 307 ${SERVICE}${path} redirects to ${service.url}${path}, which is not followed`]);
  expect([asked, await found('pam-1')]).toEqual([[path], []]);
});

test('a trigger tells the queue who it was, and keeps nobody out', async () => {
  pool.set('lou-1', person('lou-1', { name: 'Lou' }));
  const event = { triggerSource: 'PostConfirmation_ConfirmSignUp', request: { userAttributes: { sub: 'lou-1' } } };
  expect(await handler(event)).toBe(event);
  const [queued = ''] = queue;
  expect(queued).toMatch(/^https:\/\/queue \{/);
  await handler({ Records: [{ messageId: '1', body: queued.slice('https://queue '.length) }] });
  expect(await found('lou-1')).toMatchObject([{ name: 'Lou' }]);

  refuse = () => {
    throw new Error('The queue is gone');
  };
  expect(await handler(event)).toBe(event);
  expect(log).toEqual(['Error: The queue is gone']);
});

test('a sign-in is kept as its day, once a day, and a late message takes no later one back', async () => {
  pool.set('mia-1', person('mia-1', { name: 'Mia', 'custom:team': 'sales' }));
  const signIn = { triggerSource: 'PostAuthentication_Authentication', request: { userAttributes: { sub: 'mia-1' } } };
  await handler(signIn);
  await handler(signIn);
  const [body = ''] = queue.map((queued) => queued.slice('https://queue '.length));
  const today = new Date().toISOString().slice(0, 10);
  expect(JSON.parse(body).detail.seen).toBe(today);
  const deliver = (day: string) => handler({ Records: [{ messageId: '1', body: body.replace(today, day) }] });
  const states = [];
  for (const day of [today, today, '2026-01-01', '2199-12-31']) {
    expect((await deliver(day)).batchItemFailures).toEqual([]);
    const [id] = await idsOf('mia-1');
    const { body: user, headers } = await call('GET', `/api/users/${id}`);
    states.push([(user as { attributes: object }).attributes, headers.get('etag')]);
  }
  const first = [{ lastSeen: today, team: 'sales' }, '"1"'];
  expect(states).toEqual([first, first, first, [{ lastSeen: '2199-12-31', team: 'sales' }, '"2"']]);
  // A later change of the pool leaves it.
  pool.set('mia-1', person('mia-1', { name: 'Mia Lee', 'custom:team': 'sales' }));
  await receive(message('UpdateUserAttributes', 'mia-1'));
  expect(await found('mia-1')).toMatchObject([
    { name: 'Mia Lee', attributes: { lastSeen: '2199-12-31', team: 'sales' } },
  ]);
});

test('all calls of a function have one token', () => {
  // Two functions were loaded here.
  expect(issuer.requests.filter((path) => path === '/token')).toEqual(['/token', '/token']);
});

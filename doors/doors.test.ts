import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { issuerForFile } from '../tests/support/localService.ts';
import { runProgram, temporaryFolder } from '../tests/support/programs.ts';
import type { Door, Settings } from './door.ts';
import { serve } from './serve.ts';
import { serviceTokens } from './serviceToken.ts';

/** Tells what a door gets. */
const echo: Door = async (request, { url, token, serviceToken }) =>
  Response.json(
    {
      method: request.method,
      url: request.url,
      type: request.headers.get('content-type'),
      body: await request.text(),
      settings: { url, token, serviceToken },
    },
    { status: 201, headers: { 'x-door': 'echo' } },
  );

const SETTINGS: Settings = { url: 'http://service', token: 'own' };

const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => vi.restoreAllMocks());

describe('a door on this machine', () => {
  test('gets requests as they are, with its settings', async () => {
    const { url, stop } = await serve(echo, async () => SETTINGS, 0);
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'ä' };
    const response = await fetch(`${url}/scim/v2/Users?filter=a%20b`, init);
    expect([response.status, response.headers.get('x-door'), await response.json()]).toEqual([
      201,
      'echo',
      { method: 'POST', url: `${url}/scim/v2/Users?filter=a%20b`, type: 'text/plain', body: 'ä', settings: SETTINGS },
    ]);
    await stop();
  });

  test('that fails is a constant message, and its cause is in the log', async () => {
    const log = quiet();
    const { url, stop } = await serve(
      async () => {
        throw new Error('Ann Lee');
      },
      async () => SETTINGS,
      0,
    );
    const response = await fetch(url);
    expect([response.status, await response.json()]).toEqual([500, { status: 500, message: 'The door has failed' }]);
    expect(String(log.mock.calls[0]?.[0])).toBe('Error: Ann Lee');
    await stop();
  });

  test('takes no body above six megabytes', async () => {
    const { url, stop } = await serve(echo, async () => SETTINGS, 0);
    const { status } = await fetch(url, { method: 'POST', body: new Uint8Array(6_000_001) });
    expect(status).toBe(413);
    // A body in chunks does not say its length. `fetch` would go on to take one without an end when the connection is over.
    const outcome = await new Promise((resolve) => {
      const sent = request(url, { method: 'POST' }, (response) => resolve(response.statusCode));
      sent.on('error', () => resolve('cut off'));
      for (let i = 0; i < 12; i++) sent.write(new Uint8Array(1_000_000));
      sent.end();
    });
    expect([413, 'cut off']).toContain(outcome);
    await stop();
  });
});

/** An event as AWS documents it for an HTTP API, payload 2.0: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
const event = (method: string, more: object = {}) => ({
  version: '2.0',
  routeKey: '$default',
  rawPath: '/scim/v2/Users',
  rawQueryString: 'startIndex=1&filter=userName%20eq%20%22a%22',
  headers: { 'content-type': 'application/scim+json', host: 'id.execute-api.eu-central-1.amazonaws.com' },
  requestContext: { domainName: 'id.execute-api.eu-central-1.amazonaws.com', http: { method, path: '/scim/v2/Users' } },
  isBase64Encoded: false,
  ...more,
});

interface Result {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

/** The function of Lambda, loaded anew with these variables. */
async function lambda(env: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.spyOn(process, 'cwd').mockReturnValue(runtime);
  const { onLambda } = await import('./lambda.ts');
  vi.unstubAllEnvs();
  return async (door: Door, sent: ReturnType<typeof event>) => {
    const { body, ...result }: Result = await onLambda(door)(sent);
    return { ...result, body: JSON.parse(Buffer.from(body, 'base64').toString()) };
  };
}

const issuer = await issuerForFile();

/** The SDK of Lambda, which has one secret. */
const runtime = temporaryFolder();
mkdirSync(join(runtime, 'node_modules/@aws-sdk/client-secrets-manager'), { recursive: true });
writeFileSync(
  join(runtime, 'node_modules/@aws-sdk/client-secrets-manager/index.js'),
  `exports.SecretsManager = class {
    async getSecretValue({ SecretId }) {
      if (SecretId !== 'arn:secret') throw new Error('ResourceNotFoundException');
      return { SecretString: '{"token":"own","clientSecret":"secret"}' };
    }
  };`,
);

describe('a door at AWS', () => {
  test('gets an event of an HTTP API as the request that it was, with the token of its secret and one of the issuer', async () => {
    const client = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'smoke', OIDC_CLIENT_SCOPE: 'users:read' };
    const call = await lambda({ SERVICE_URL: 'https://users.example.com', SECRET: 'arn:secret', ...client });
    const sent = event('POST', { body: Buffer.from('{"a":"ä"}').toString('base64'), isBase64Encoded: true });
    const { body, ...result } = await call(echo, sent);
    const headers = { 'content-type': 'application/json', 'x-door': 'echo' };
    expect(result).toEqual({ statusCode: 201, headers, isBase64Encoded: true });
    const { settings, ...request } = body;
    expect(request).toEqual({
      method: 'POST',
      url: 'https://id.execute-api.eu-central-1.amazonaws.com/scim/v2/Users?startIndex=1&filter=userName%20eq%20%22a%22',
      type: 'application/scim+json',
      body: '{"a":"ä"}',
    });
    const { serviceToken, ...rest } = settings;
    expect(rest).toEqual({ url: 'https://users.example.com', token: 'own' });
    const claims = JSON.parse(Buffer.from(serviceToken.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ iss: issuer.url, scope: 'users:read' });
    // Another event needs neither secret nor token anew.
    const asked = issuer.requests.length;
    await call(echo, event('GET'));
    expect(issuer.requests.length).toBe(asked);
  });

  test('without a secret has no token, and none for the service', async () => {
    const call = await lambda({ SERVICE_URL: 'https://users.example.com' });
    const { body } = await call(echo, event('GET'));
    expect(body.settings).toEqual({ url: 'https://users.example.com', token: '' });
  });

  test.each([
    ['secret', { SECRET: 'arn:gone' }],
    ['issuer', { SECRET: 'arn:secret', OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'smoke' }],
  ])('whose %s is away answers 503, and says when to try again', async (_, env) => {
    quiet();
    const { statusCode, headers, body } = await (await lambda(env))(echo, event('GET'));
    expect([statusCode, headers['retry-after'], body]).toEqual([
      503,
      '5',
      { status: 503, message: 'The door has no token for the service at the moment' },
    ]);
  });
});

test('a token is asked for once by all who wait, kept for half of its life, and asked for again after a failure', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokens = serviceTokens({ issuer: issuer.url, id: 'smoke', secret: 'secret', scope: '', audience: '' });
  const count = () => issuer.requests.filter((path) => path === '/token').length;
  const before = count();
  issuer.fail(true);
  await expect(tokens()).rejects.toThrow('responded with 500');
  issuer.fail(false);
  const [first, second] = await Promise.all([tokens(), tokens()]);
  expect([first === second, count() - before]).toEqual([true, 1]);
  vi.advanceTimersByTime(149_000);
  await tokens();
  expect(count() - before).toBe(1);
  vi.advanceTimersByTime(2_000);
  await tokens();
  expect(count() - before).toBe(2);
  vi.useRealTimers();
});

const door = async (...options: string[]) => {
  const env = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
  const { code, stdout, stderr } = await runProgram(process.execPath, ['tools/doors/door.ts', ...options], { env });
  return [code, (stdout + stderr).trim()];
};

test.each([
  [['nobody'], /^There is no door nobody\. There are: .*queue, /],
  [[], 'The name of the door is missing. See npm run door -- --help'],
  [
    ['queue', '--url', 'http://localhost:3000'],
    'Door queue is a template, and nothing to start: doors/queue/README.md',
  ],
  [
    ['scim', '--url', 'http://localhost:3000'],
    '--token is missing: callers of door scim present it, and without one it would refuse all',
  ],
  [['queue', '--package'], 'Door queue is a template, and nothing to build: doors/queue/template.yml'],
  [['queue', '--deploy'], '--stage is missing. See npm run door -- --help'],
  [['queue', '--deploy', '--stage', 'dev', '--set', 'Bus'], '--set takes Name=value, not Bus'],
  [
    ['queue', '--deploy', '--stage', 'dev', '--token', 'x'],
    '--token is refused here: AWS makes the token of a door, and Secrets Manager keeps it',
  ],
  [['webhook', '--url', 'http://localhost:3000'], '--to is missing. See npm run door -- --help'],
  [
    ['webhook', '--url', 'http://localhost:3000', '--to', 'http://example.com'],
    '--to must be https, or http on this machine, not http://example.com',
  ],
  [['webhook', '--to', 'https://a:b@example.com'], '--to has a name or password, which the signature makes needless'],
  [
    ['webhook', '--url', 'http://localhost:3000', '--to', 'https://example.com', '--secret', 'abc'],
    'A signing secret is whsec_ and 24 to 64 bytes in base64',
  ],
  [['webhook', '--to', 'https://example.com', '--port', '3001'], 'Door webhook takes no --port'],
  [['scim', '--token', 'x', '--to', 'https://example.com'], 'Door scim takes no --to'],
  [['scim', '--package', '--as', '../scim'], '--as takes small letters, digits and hyphens, 31 at most'],
  [['webhook', '--deploy', '--stage', 'dev'], '--to is missing. See npm run door -- --help'],
  [['webhook', '--deploy', '--set', 'to=http://example.com'], '--set has to: give it as --to'],
  [
    ['webhook', '--deploy', '--to', 'https://example.com', '--secret', 'x'],
    '--secret is refused here: a command line is not secret. It is asked for, or is in DOOR_KEY',
  ],
] as const)('npm run door -- %j is refused in a sentence', async (options, sentence) => {
  const [code, said] = await door(...options);
  expect([code, said]).toEqual([2, typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)]);
});

/** Types a secret at a terminal after the question, and prints what the terminal shows. */
const TERMINAL = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b""
while True:
    try:
        some = os.read(terminal, 1000)
    except OSError:
        break
    if not some:
        break
    shown += some
    if shown.endswith(b": "):
        os.write(terminal, b"top-secret\\r")
sys.stdout.write(shown.decode())
`;

const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0;

test.runIf(hasTerminal)('a secret is asked for at a terminal, which does not show it', async () => {
  const program = `import { askSecretly } from './tools/program/askSecretly.ts';
    console.log((await askSecretly('Key'))?.length);`;
  const { stdout } = await runProgram('python3', [
    '-c',
    TERMINAL,
    process.execPath,
    '--input-type=module',
    '-e',
    program,
  ]);
  expect(stdout).toBe('Key: \r\n10\r\n');
});

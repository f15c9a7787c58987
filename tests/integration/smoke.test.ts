import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { caller, type LocalService, startService } from '../support/service.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** As `npm run smoke` does. */
const smoke = (url: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const program = ['node_modules/tsx/dist/cli.mjs', 'lib/operations/smoke.ts', ...url];
    const child = spawn(process.execPath, program, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('exit', (code) => resolve({ code, stdout, stderr }));
  });

let issuer: TestIssuer;
let open: LocalService;
let guarded: LocalService;

beforeAll(async () => {
  issuer = await startIssuer();
  [open, guarded] = await Promise.all([
    startService(),
    startService({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE }),
  ]);
});

afterAll(async () => {
  await Promise.all([open.stop(), guarded.stop()]);
  await issuer.stop();
});

const ticks = (output: string) => output.split('\n').filter((line) => line.startsWith('✓')).length;

describe('npm run smoke', () => {
  test('passes against a service that works, and leaves no user behind', async () => {
    const { code, stdout, stderr } = await smoke([`${open.url}/`]);
    expect({ code, stderr, ticks: ticks(stdout) }).toEqual({ code: 0, stderr: '', ticks: 11 });
    expect((await caller(open.url)('GET', '/api/users')).body).toMatchObject({ totalElements: 0 });
  });

  test('passes with a token that it is given, or that the issuer gives for client credentials', async () => {
    const token = await issuer.sign({ scope: 'users:read users:write' });
    expect(await smoke([guarded.url], { TOKEN: token })).toMatchObject({ code: 0 });
    const client = { OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: 'smoke', OIDC_CLIENT_SECRET: 'secret' };
    expect(await smoke([guarded.url], client)).toMatchObject({ code: 0 });
    expect(await smoke([guarded.url], { ...client, OIDC_CLIENT_SECRET: 'wrong' })).toMatchObject({
      code: 2,
      stderr: `${issuer.url}/token answered 500\n`,
    });
  });

  test('fails without a token against a service that asks for one', async () => {
    const { code, stdout } = await smoke([guarded.url]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ creates a user: status is 401 instead of 201');
  });

  test('fails against what is no such service, and where there is none', async () => {
    const other: Server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, stdout } = await smoke([`http://127.0.0.1:${port}`]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '✗ describes itself in OpenAPI: the version is undefined instead of "3.1.1"\n',
    });
    await new Promise((resolve) => other.close(resolve));
    const none = await smoke(['http://127.0.0.1:1']);
    expect(none.code).toBe(1);
    expect(none.stdout).toMatch(/✗ describes itself in OpenAPI: fetch failed: .*(ECONNREFUSED|bad port)/);
  });

  test.each([[[]], [['nonsense']], [['ftp://x']]])('with %j says how to use it', async (url) => {
    expect(await smoke(url)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: npm run smoke -- /) });
  });
});

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PageSettings } from '../../admin/settings.ts';
import { loadHandlers } from '../support/calls.ts';
import { caller, exchange } from '../support/httpService.ts';
import { startIssuer } from '../support/issuer.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serveForTest } from '../support/programs.ts';
import { sharedService } from '../support/shared.ts';

const PAGES = [
  {
    path: '/api/admin',
    files: ['main-[A-Z0-9]{8}\\.css', 'licences-[A-Z0-9]{8}\\.txt', 'main-[A-Z0-9]{8}\\.js'].map((name) =>
      expect.stringMatching(`^/api/admin/${name}$`),
    ),
    kept: 'public, max-age=31536000, immutable',
    rules: [...["style-src 'self'", 'img-src data:', "require-trusted-types-for 'script'", "trusted-types 'none'"]],
  },
  {
    path: '/api/docs',
    files: ['swagger-ui.css', 'LICENSE', 'swagger-ui-bundle.js', 'start.js'].map((name) => `/api/docs/${name}`),
    kept: 'public, max-age=86400',
    rules: ["style-src 'self' 'unsafe-inline'", "img-src 'self' data:"],
  },
];

const { url } = await sharedService();

describe.each(PAGES)('GET $path', ({ path, files, kept, rules }) => {
  test('is a page that loads only its own files, which may be cached, and may call only its own host', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await exchange(url, 'GET', path, { headers: { accept } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('content-security-policy')?.split('; ').toSorted()).toEqual(
      [
        ...["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
        ...["script-src 'self'", "connect-src 'self'", ...rules],
      ].toSorted(),
    );
    const references = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, reference]) => reference ?? '');
    expect(references).toEqual(['data:,', ...files]);
    for (const reference of references.slice(1)) {
      const file = await exchange(url, 'GET', reference);
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, kept]);
      expect(file.headers.get('content-type')).toMatch(/^text\/(css|javascript|plain); charset=utf-8$/);
      expect(file.text.length).toBeGreaterThan(100);
    }
  });

  test.each(['main.js', 'package.json', '..%2f..%2fpackage.json', '__proto__', 'toString'])(
    'has no file %s',
    async (name) => {
      expect(await caller(url)('GET', `${path}/${name}`)).toMatchObject({ status: 404, body: { status: 404 } });
    },
  );
});

test.each(['swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])('the viewer comes with its %s', async (name) => {
  const { status, text } = await exchange(url, 'GET', `/api/docs/${name}`);
  expect([status, text]).toEqual([200, expect.stringMatching(/swagger-ui|License/)]);
});

/** Reads the settings out of the text of the page. */
const settingsIn = (page: string): PageSettings =>
  JSON.parse(/<script type="application\/json" id="settings">(.*)<\/script>/.exec(page)?.[1] ?? '');

describe('the settings of the administration page', async () => {
  logOfEachTest();
  const invoke = await loadHandlers({ users: 'none', directory: 'none' }, 'http://127.0.0.1:1');

  const ask = (path = '/prod/api/admin') => invoke('getAdmin', { more: { requestContext: { path } } as object });

  /** A stage where people sign in at this issuer. */
  function signInAt(url: string, client = 'admin'): void {
    vi.stubEnv('OIDC_ISSUER', url);
    vi.stubEnv('OIDC_AUDIENCE', 'users, others');
    vi.stubEnv('OIDC_SCOPE_PREFIX', 'api/');
    vi.stubEnv('ADMIN_CLIENT_ID', client);
  }

  test('have the name and the path of a stage, and no sign-in where nobody needs a token', async () => {
    vi.stubEnv('OIDC_ISSUER', 'none');
    vi.stubEnv('ADMIN_CLIENT_ID', 'admin');
    vi.stubEnv('STAGE', 'staging');
    for (const stage of ['', '/prod', '/dev-1', '/api', '/api/v1', '/api/api']) {
      for (const end of ['', '/']) {
        const { body } = await ask(`${stage}/api/admin${end}`);
        expect(settingsIn(body)).toEqual({
          api: `${stage}/api`,
          stage: 'staging',
          isLocal: false,
          historyDays: 30,
          isProtected: false,
        });
      }
    }
  });

  test('have no sign-in where tokens are needed and the page has no client', async () => {
    signInAt('https://id.example', '');
    expect(settingsIn((await ask()).body)).toEqual({
      api: '/prod/api',
      stage: '',
      isLocal: false,
      historyDays: 30,
      isProtected: true,
    });
  });

  test('have what a sign-in needs: the page may call the host that gives tokens, and the metadata is read once', async () => {
    const endpoints = {
      authorization_endpoint: 'https://login.example/authorize?</script>',
      token_endpoint: 'https://tokens.example/token',
      id_token_signing_alg_values_supported: ['ES256'],
    };
    // An address that no page can have is left out.
    const issuer = await startIssuer({ metadata: { ...endpoints, end_session_endpoint: 'javascript:alert(1)' } });
    onTestFinished(() => issuer.stop());
    signInAt(issuer.url);
    issuer.fail(true);
    expect(await ask()).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } });
    issuer.fail(false);
    issuer.requests.length = 0;
    const { body, headers } = await ask();
    expect(settingsIn(body)).toEqual({
      api: '/prod/api',
      stage: '',
      isLocal: false,
      historyDays: 30,
      isProtected: true,
      signIn: {
        clientId: 'admin',
        scopes: ['api/users:read', 'api/users:write', 'api/users:audit'],
        scopePrefix: 'api/',
        audience: 'users',
        metadata: { issuer: issuer.url, ...endpoints },
      },
    });
    expect(body.match(/<\/script>/g)).toHaveLength(2);
    expect(headers?.['content-security-policy']).toContain("connect-src 'self' https://tokens.example;");
    await ask();
    expect(issuer.requests).toHaveLength(1);
  });

  test.each(['<html>', 'null', '5', '{}'])('are a 503 while the issuer answers with %j', async (text) => {
    signInAt(await serveForTest((_, response) => response.end(text)));
    expect((await ask()).statusCode).toBe(503);
  });
});

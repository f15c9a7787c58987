import { afterEach, expect, test, vi } from 'vitest';
import { AUDIENCE } from '../../tests/support/issuer.ts';
import { issuerForFile, serviceForFile } from '../../tests/support/localService.ts';
import { serveForTest } from '../../tests/support/programs.ts';
import { doorFor, tablesForFile } from '../../tests/support/scim.ts';
import { serviceTokens } from '../serviceToken.ts';

const issuer = await issuerForFile();
const service = await serviceForFile({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });

const tables = await tablesForFile();

/** A door whose token for the service has a scope, for some seconds. */
async function doorWith(scope: string, seconds = 3_600) {
  const serviceToken = await issuer.sign({ scope, exp: Math.floor(Date.now() / 1_000) + seconds });
  return (await doorFor(service.url, { ...tables, serviceToken, SCIM_GROUPS: 'groups' })).scim;
}

afterEach(() => void vi.restoreAllMocks());

test('the scopes users:read and users:write are enough for all that the door does', async () => {
  const scim = await doorWith('users:read users:write');
  const { status, body } = await scim('POST', '/Users', { userName: 'ann' });
  const path = `/Users/${body.id}`;
  const answers = [
    await scim('GET', '/Users?filter=userName eq "ann"'),
    await scim('GET', path),
    await scim('PUT', path, { userName: 'ann', active: true }),
    await scim('PATCH', path, { Operations: [{ op: 'replace', path: 'userName', value: 'bea' }] }),
    await scim('GET', '/Groups'),
    await scim('POST', '/Groups', { displayName: 'team', members: [{ value: body.id }] }),
    await scim('DELETE', path),
  ];
  expect([status, ...answers.map((answer) => answer.status)]).toEqual([201, 200, 200, 200, 200, 200, 201, 204]);
});

test.each([
  ['that has expired', 'users:read users:write', -60, [502, 502]],
  ['that may read only', 'users:read', 3_600, [200, 502]],
])(
  'a token for the service %s is no fault of the caller, and the log has the reason',
  async (_, scope, seconds, statuses) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const scim = await doorWith(scope, seconds);
    const answers = [await scim('GET', '/Users'), await scim('POST', '/Users', { userName: 'cy' })];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers.at(-1)).toMatchObject({ body: { status: '502' } });
    expect(answers.at(-1)?.headers.get('retry-after')).toBe('10');
    expect(String(log.mock.lastCall?.[0])).toMatch(/^The service answered with 40[13]: ./);
  },
);

test.each(['discovery', 'token'])(
  'an issuer whose %s redirects is not followed: the credentials go nowhere else',
  async (which) => {
    const heard: string[] = [];
    const elsewhere = await serveForTest(({ url = '' }, response) => {
      heard.push(url);
      response.end(JSON.stringify({ token_endpoint: `${elsewhere}/token`, access_token: 'x', expires_in: 60 }));
    });
    const home = await serveForTest(({ url = '' }, response) => {
      if (which === 'token' && url !== '/token') response.end(JSON.stringify({ token_endpoint: `${home}/token` }));
      else response.writeHead(307, { location: `${elsewhere}${url}` }).end();
    });
    const client = { issuer: home, id: 'id', secret: 'secret', scope: 'users:read', audience: '' };
    await expect(serviceTokens(client)()).rejects.toThrow('fetch failed');
    expect(heard).toEqual([]);
  },
);

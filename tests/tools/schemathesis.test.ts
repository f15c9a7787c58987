import { afterAll, beforeAll, expect, test } from 'vitest';
import { lackOfPython } from '../../lib/tooling/python.ts';
import { caller, type LocalService } from '../support/httpService.ts';
import { AUDIENCE, startIssuer, type TestIssuer } from '../support/issuer.ts';
import { SCHEMATHESIS, schemathesis } from '../support/schemathesis.ts';
import { serviceOn } from '../support/service.ts';

const lack = lackOfPython(SCHEMATHESIS);

let issuer: TestIssuer;
let service: LocalService;
let token: string;

beforeAll(async () => {
  if (lack !== undefined) return;
  issuer = await startIssuer();
  service = await serviceOn.http({ env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE } });
  token = await issuer.sign({
    scope: 'users:read users:write users:audit',
    exp: Math.floor(Date.now() / 1_000) + 3_600,
  });
  const call = caller(service.url);
  const headers = { authorization: `Bearer ${token}` };
  for (let age = 0; age < 45; age++) {
    const json = {
      name: `Ann ${age}`,
      lastName: `Lee ${age % 7}`,
      status: 'active',
      country: ['DE', 'É'][age % 2],
      age,
    };
    await call('POST', '/api/users', { json, headers });
  }
});

afterAll(async () => {
  await service?.stop();
  await issuer?.stop();
});

test('the service does what its OpenAPI document says, for valid requests and for others', async (context) => {
  if (lack !== undefined) {
    process.stderr.write(`${lack}\n`);
    context.skip(lack);
  }
  const { code, output } = await schemathesis(service.url, token);
  expect(code, output).toBe(0);
  expect(output).toContain('No issues found');
});

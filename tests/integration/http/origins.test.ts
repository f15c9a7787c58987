import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../support/httpService.ts';
import { ASKS, seenFrom } from '../../support/origins.ts';
import { serviceOn } from '../../support/service.ts';

let service: LocalService;

beforeAll(async () => {
  service = await serviceOn.http({ env: { OIDC_ISSUER: 'none', CORS_ORIGINS: '' }, options: ['--stage', 'staging'] });
});

afterAll(() => service.stop());

describe('a browser, at a stage without origins,', () => {
  test.each([
    ['OPTIONS', '/api/users/5', 204],
    ['GET', '/api/users', 200],
    ['GET', '/api/users/5', 404],
    ['GET', '/nowhere', 404],
  ])('does not let scripts from other origins read %s %s', async (method, path, status) => {
    expect(await seenFrom('https://a.example', service, method, path, ASKS)).toEqual({ status });
  });
});

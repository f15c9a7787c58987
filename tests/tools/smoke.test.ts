import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { close, listen } from '../support/loopback.ts';
import { smoke } from '../support/smoke.ts';

// openapi.test.ts and http/authentication.test.ts run it against healthy services.
describe('npm run smoke', () => {
  test('fails against another service, and without a service', async () => {
    const other = createServer((_, response) => response.end('hello'));
    const { code, stdout } = await smoke([await listen(other)]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '✗ describes itself in OpenAPI: the version is undefined instead of "3.1.1"\n',
    });
    await close(other);
    const none = await smoke(['http://127.0.0.1:1']);
    expect(none.code).toBe(1);
    expect(none.stdout).toMatch(/✗ describes itself in OpenAPI: fetch failed: .*(ECONNREFUSED|bad port)/);
  });

  test.each([[[]], [['nonsense']], [['ftp://x']]])('with %j prints its usage', async (url) => {
    expect(await smoke(url)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: npm run smoke -- /) });
  });
});

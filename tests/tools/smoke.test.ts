import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { smoke } from '../support/programs.ts';
import { close, type Fate, listen, startGate } from '../support/servers.ts';
import { sharedService } from '../support/shared.ts';

// http/authentication.test.ts runs it against a healthy service.
describe('npm run smoke', () => {
  test('fails against another service, and without a service', async () => {
    const other = createServer((_, response) => response.end('hello'));
    const stdout = '✗ describes itself in OpenAPI: the version is undefined instead of "3.1.1"\n';
    expect(await smoke([await listen(other)])).toMatchObject({ code: 1, stdout });
    await close(other);
    expect(await smoke(['http://127.0.0.1:1'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ describes itself in OpenAPI: fetch failed: .*(ECONNREFUSED|bad port)/),
    });
  });

  /** Lets the requests fail that begin like this. */
  async function smokeWith(fates: Record<string, Fate>) {
    const { url } = await sharedService();
    const gate: Awaited<ReturnType<typeof startGate>> = await startGate(url, {
      fateOf: (count) => {
        const request = gate.passed[count - 1]?.request ?? '';
        return Object.entries(fates).find(([start]) => request.startsWith(start))?.[1];
      },
    });
    return smoke([gate.url]).finally(gate.close);
  }

  test('fails, and does not say that it could not be run, if its user can be neither changed nor deleted', async () => {
    expect(await smokeWith({ PATCH: { status: 500 }, DELETE: { status: 500 } })).toMatchObject({ code: 1 });
  });

  test('removes its user if the answer to the creation is lost', async () => {
    const { url } = await sharedService();
    const users = async () => {
      const response = await fetch(`${url}/api/users?lastName.startsWith=smoke`);
      return ((await response.json()) as { content: { createdAt: string }[] }).content;
    };
    const before = await users();
    expect(await smokeWith({ POST: 'lost' })).toMatchObject({ code: 1 });
    expect(await users()).toEqual(before);
  });
});

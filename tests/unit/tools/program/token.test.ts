import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { findToken } from '../../../../tools/program/token.ts';
import { tokenIn } from '../../../../tools/program/tokenFile.ts';
import { folderForTest, moving, serveForTest } from '../../../support/programs.ts';

describe('a token', () => {
  const read = async (content: string) => {
    const file = join(folderForTest(), 'token');
    writeFileSync(file, content);
    return tokenIn({ 'token-file': file }).catch(({ message }: Error) => message);
  };

  test('is all that its file has, but for white space around it, and nothing else of a file is shown', async () => {
    expect(await read('\n a.b-c_d~e+f/g==\r\n')).toBe('a.b-c_d~e+f/g==');
    for (const content of ['', '\n', 'a b', 'a\nb', 'ä', 'a\u0007'])
      expect(await read(content)).toMatch(/^\S+ has no token, or more than a token$/);
  });

  test('may come from standard input, and never from an option', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serveForTest(({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(403).end('{}');
    });
    const exporting = (...token: string[]) => moving('export', ['--url', url, ...token], { input: 'secret\n' });
    expect(await exporting('--token-file', '-')).toMatchObject({ code: 1 });
    expect(seen).toEqual(['Bearer secret']);
    const { code, stdout, stderr } = await exporting('--token', 'secret');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^--token is refused: (?!.*secret).*\n$/)]);
    const both = await moving('import', ['--url', url, '--file', '-', '--token-file', '-']);
    expect(both).toMatchObject({ code: 2, stderr: 'Standard input has the users or the token, not both\n' });
  });
});

const SECRET = 'Basic bWU6c2VjcmV0';

/** An issuer with changed metadata, whose token endpoint answers so. @returns the token or the failure, and where the secret went */
async function ask(metadata: object, answer: object | 'elsewhere' = { access_token: 'a.b.c' }) {
  const secrets: string[] = [];
  const other = await serveForTest(({ headers }) => secrets.push(`elsewhere: ${headers.authorization}`));
  const issuer: string = await serveForTest(({ url, headers }, response) => {
    if (headers.authorization) secrets.push(headers.authorization);
    const usual = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
    if (url !== '/token') response.end(JSON.stringify({ ...usual, ...metadata }));
    else if (answer === 'elsewhere') response.writeHead(307, { location: other }).end();
    else response.end(JSON.stringify(answer));
  });
  vi.stubEnv('OIDC_ISSUER', issuer);
  vi.stubEnv('OIDC_CLIENT_ID', 'me');
  vi.stubEnv('OIDC_CLIENT_SECRET', 'secret');
  return [await findToken().catch(({ message }: Error) => message), secrets];
}

describe('the secret of a client', () => {
  test.each<[string, object, RegExp]>([
    ['metadata of another issuer', { issuer: 'https://other.example' }, /is not the metadata of http/],
    ['an endpoint over http', { token_endpoint: 'http://127.0.0.1.example/\u001b\n' }, /an https URL, not \S+\}\S+$/],
    ['no endpoint', { token_endpoint: 5 }, /must be an https URL, not undefined$/],
  ])('goes to no issuer with %s', async (_, metadata, message) => {
    expect(await ask(metadata)).toEqual([expect.stringMatching(message), []]);
    vi.stubEnv('OIDC_ISSUER', 'http://id.example');
    await expect(findToken()).rejects.toThrow('OIDC_ISSUER must be an https URL, not http://id.example');
  });

  test.each<[string, object | 'elsewhere', RegExp]>([
    ['a token', { access_token: 'a.b.c' }, /^a\.b\.c$/],
    ['a redirect', 'elsewhere', /token responded with 307$/],
    ['more than a token', { access_token: 'a\r\nb' }, /has no token, or more than a token$/],
  ])('goes to the issuer alone when that answers with %s', async (_, answer, result) => {
    expect(await ask({}, answer)).toEqual([expect.stringMatching(result), [SECRET]]);
  });
});

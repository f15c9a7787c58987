import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read } from '../support/files.ts';
import { serveForTest, smoke } from '../support/programs.ts';
import { FOLDER, respondAs } from '../support/recorded.ts';
import { type Fate, sendWithoutEnd, startGate } from '../support/servers.ts';
import { sharedService } from '../support/shared.ts';

// http/authentication.test.ts runs it against a healthy service.
describe('npm run smoke', () => {
  test('fails against another service, and without a service', async () => {
    const other = await serveForTest((_, response) => response.end('hello'));
    const stdout = '✗ describes itself in OpenAPI: the title is undefined instead of "User management"\n';
    expect(await smoke([other])).toMatchObject({ code: 1, stdout });
    expect(await smoke(['http://127.0.0.1:1'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/✗ describes itself in OpenAPI: fetch failed: .*(ECONNREFUSED|bad port)/),
    });
  });

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['without an end', (response) => sendWithoutEnd(response, ' '.repeat(65_536)), 'is longer than 16000000 bytes'],
    [
      'that commands a terminal',
      (response) => response.writeHead(404, { 'content-type': 'a/json' }).end('"\\u001b\u009b\\n"'),
      'status is 404 instead of 200: "\\u001b\\u{9b}\\n"',
    ],
  ])('fails at a response %s', async (_, respond, sentence) => {
    const url = await serveForTest((__, response) => respond(response));
    const { code, stdout } = await smoke([url], { NODE_OPTIONS: '--max-old-space-size=200' });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^✗ describes itself in OpenAPI: [ -~]+\n$/)]);
    expect(stdout).toContain(sentence);
  });

  test('deletes nobody whom it has not made, whoever is listed', async () => {
    const deleted: string[] = [];
    const others = JSON.stringify({ content: [{ id: 1, lastName: 'Lee' }, { id: 2 }] });
    const url = await serveForTest(({ method, url: path = '' }, response) => {
      if (method === 'DELETE') deleted.push(path);
      response.setHeader('content-type', 'application/json').end(others);
    });
    expect(await smoke([url])).toMatchObject({ code: 1 });
    expect(deleted).toEqual([]);
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

/** Released versions, whose responses are kept. */
const RECORDED = readdirSync(FOLDER).map((file) => basename(file, '.json'));

/** The steps that are left out of the test of a version, with the reason. */
const leftOut = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('–'));

describe('npm run smoke, after a rollback', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\S+) /gm)];

  test('is tried against the version before', () => expect(RECORDED).toContain(released[1]?.[1]));

  test.each([
    ['2.6.0', ['– says when it has changed the user: version 2.6.0 does not promise it']],
    ['3.0.0', []],
    ['3.1.0', []],
  ])('passes against a healthy %s, and says what that version does not promise', async (version, expected) => {
    const { code, stdout } = await smoke([await serveForTest(respondAs(version))]);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('✗')]);
    expect(leftOut(stdout)).toEqual(expected);
  });

  const withoutUpdatedAt = (body: string) => body.replace(/,"updatedAt":"[^"]*"/, '');
  test.each<[string, string, (body: string) => string, RegExp]>([
    [
      '2.6.0',
      'changes another age',
      (body) => body.replace('"age":30', '"age":31'),
      /^✗ patches the user: the user is \{.*"age":31.*\} instead of \{.*"age":30.*\}$/m,
    ],
    [
      '2.6.0',
      'has no page',
      (body) => body.replace('start.js', 'start.txt').replace('bundle.js', 'bundle.txt'),
      /^✗ serves the documentation page: the kinds of its files is "\.css" instead of "\.css,\.js"$/m,
    ],
    [
      '3.0.0',
      'does not keep its promise',
      withoutUpdatedAt,
      /^✗ says when it has changed the user: updatedAt is undefined, which is no moment$/m,
    ],
  ])('fails against a %s that %s', async (version, _, changed, sentence) => {
    const { code, stdout } = await smoke([await serveForTest(respondAs(version, changed))]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(sentence)]);
  });
});

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { platform } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { systemRuntime } from '../../../../lib/ground/index.ts';
import { openBatches } from '../../../../tools/import/batches.ts';
import { type ImportOptions, importUsers, newTally } from '../../../../tools/import/importUsers.ts';
import { watchJournal } from '../../../../tools/import/journalWatch.ts';
import { openSource } from '../../../../tools/import/openSource.ts';
import { createRefusedFile } from '../../../../tools/import/refused.ts';
import { createKeys, createSender } from '../../../../tools/import/sendUser.ts';
import { openService, type Service, type ServiceOptions } from '../../../../tools/program/client.ts';
import { findToken } from '../../../../tools/program/token.ts';
import { folderForTest, serveForTest } from '../../../support/programs.ts';

interface Sent {
  op: string;
  id?: number;
  user: { name: string };
}

/** Says the status of a request, and of each of its operations if that is 201. */
type Responder = (request: IncomingMessage, response: ServerResponse, tries: number, names: string[]) => void;

/** A service that responds as a test says, and creates a user for each operation. */
async function serviceFor(respond: Responder, statusOf: (name: string, tries: number) => number = () => 201) {
  const created: string[] = [];
  const tries = new Map<string, number>();
  const url = await serveForTest(async (request, response) => {
    const { operations = [] }: { operations?: Sent[] } = JSON.parse((await text(request)) || '{}');
    const names = operations.map(({ user }) => user.name);
    for (const name of names) tries.set(name, (tries.get(name) ?? 0) + 1);
    response.setHeader('content-type', 'application/json');
    respond(request, response, tries.get(names[0] ?? '') ?? 0, names);
    const { statusCode, destroyed } = response;
    const results = names.map((name) => ({ status: statusOf(name, tries.get(name) ?? 0), message: 'said no' }));
    if (statusCode === 201) created.push(...names.filter((_, index) => results[index]?.status === 201));
    if (statusCode === 201) response.statusCode = 200;
    if (!destroyed) response.end(JSON.stringify(statusCode === 201 ? { results } : { message: `said ${statusCode}` }));
  });
  return { url, created, tries };
}

const serviceThatSays = (status: number) =>
  serviceFor((_, response) => response.writeHead(status, { 'retry-after': '0' }));

/** A clock that passes in pauses, and when a test moves it. */
function clockOf() {
  let now = 1_000;
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
    now += milliseconds;
  };
  const runtime = { ...systemRuntime, monotonic: () => now, random: () => 0, sleep };
  return { runtime, slept, pass: (milliseconds: number) => (now += milliseconds) };
}

/** The import takes tokens for its client from an issuer, which answers so, a request after the other. */
async function takeTokens(answer: (isForToken: boolean) => { status?: number; token?: string }): Promise<void> {
  const issuer: string = await serveForTest(({ url }, response) => {
    const { status = 200, token } = answer(url === '/token');
    const metadata = { issuer, jwks_uri: `${issuer}/keys`, token_endpoint: `${issuer}/token` };
    response.writeHead(status).end(JSON.stringify(url === '/token' ? { access_token: token } : metadata));
  });
  vi.stubEnv('OIDC_ISSUER', issuer);
  vi.stubEnv('OIDC_CLIENT_ID', 'import');
  vi.stubEnv('OIDC_CLIENT_SECRET', 'secret');
}

const sourceOf = (content: AsyncIterable<Buffer>) =>
  openSource(content, { title: 'f', map: [], keepsIds: false, say: () => undefined });

const namesTo = (count: number) => Array.from({ length: count }, (_, n) => `N${n}`);

interface Run extends Partial<ImportOptions>, ServiceOptions {
  /** How many users are in the file. */
  count?: number;
  service?: Service;
}

async function run(url: string, { count = 1, token, patienceMs = 100_000, ...more }: Run = {}) {
  const written: string[] = [];
  const { runtime = clockOf().runtime } = more;
  const service = more.service ?? (await openService(url, { token, patienceMs, runtime }));
  const tally = newTally();
  const ended = importUsers({
    source: await sourceOf(Readable.from([Buffer.from(`name\n${namesTo(count).join('\n')}\n`)])),
    refused: { write: (line) => written.push(line), close: () => undefined },
    parallel: 4,
    keepsIds: false,
    send: createSender(
      openBatches(service, 2, async () => undefined),
      createKeys('f'),
    ),
    tally,
    onProgress: () => undefined,
    say: () => undefined,
    endReading: () => undefined,
    ...more,
  }).then(() => tally);
  return { ended, written, tally };
}

describe('import', () => {
  test('continues after an outage of the service, and creates each user once', async () => {
    let away = 30;
    const { url, created, tries } = await serviceFor((request, response, attempt) => {
      const isAway = away-- > 0;
      // Every fifth response is lost, although its user was created.
      if (isAway) response.writeHead(503, { 'retry-after': '0' });
      else response.statusCode = 201;
      if (!isAway && attempt === 1 && created.length % 5 === 0) {
        setImmediate(() => request.socket.destroy());
        response.end = () => response;
      }
    });
    const { ended } = await run(url, { count: 40 });
    expect(await ended).toEqual({ ...newTally(), created: 40, line: 41 });
    expect([...new Set(created)].sort()).toEqual(namesTo(40).sort());
    expect([...tries.values()].some((count) => count > 1)).toBe(true);
  });

  test.each([400, 413, 422])('refuses a line that gets a %d, with the message of the service', async (status) => {
    const { ended, written } = await run((await serviceThatSays(status)).url);
    expect(await ended).toEqual({ ...newTally(), refused: 1, missing: 1, line: 2 });
    expect(written).toEqual([`2,said ${status},N0\r\n`]);
  });

  test('sends again what a service had no time for, and refuses a line at which it always fails', async () => {
    const statusOf = (name: string, tries: number) => (name === 'N1' ? 500 : name === 'N3' && tries < 3 ? 503 : 201);
    const { url, tries } = await serviceFor((_, response) => (response.statusCode = 201), statusOf);
    const { ended, written } = await run(url, { count: 5, parallel: 5 });
    expect(await ended).toEqual({ ...newTally(), created: 4, refused: 1, missing: 1, line: 6 });
    expect(written).toEqual(['3,The service responded with 500: said no,N1\r\n']);
    expect([...tries]).toEqual([
      ['N0', 1],
      ['N1', 10],
      ['N2', 1],
      ['N3', 3],
      ['N4', 1],
    ]);
  });

  test('sends a hundred users in a request, and no more requests at once than are allowed', async () => {
    let [now, most] = [0, 0];
    const sizes: number[] = [];
    const url = await serveForTest(async (request, response) => {
      most = Math.max(most, ++now);
      const { operations }: { operations: Sent[] } = JSON.parse(await text(request));
      sizes.push(operations.length);
      await setTimeout(20);
      now--;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ results: operations.map(() => ({ status: 201 })) }));
    });
    const { ended } = await run(url, { count: 950, parallel: 950 });
    expect(await ended).toMatchObject({ created: 950 });
    expect([most, Math.max(...sizes)]).toEqual([2, 100]);
  });

  test('sends equal users in requests of their own, with other keys', async () => {
    const requests: string[][] = [];
    const { url } = await serviceFor(({ headers }, response, _, names) => {
      requests.push([`${headers['idempotency-key']}`.slice(-2), ...names]);
      response.statusCode = 201;
    });
    const source = await sourceOf(Readable.from([Buffer.from('name\nA\nB\nA\nC\nD\n')]));
    const { ended } = await run(url, { source, parallel: 5 });
    expect(await ended).toMatchObject({ created: 5, refused: 0 });
    expect(requests.toSorted()).toEqual([
      ['-1', 'A', 'B', 'C', 'D'],
      ['-2', 'A'],
    ]);
  });

  test.each([403, 404])('ends at once after a %d, which concerns all lines', async (status) => {
    const { url, tries } = await serviceThatSays(status);
    const { ended } = await run(url, { count: 100 });
    await expect(ended).rejects.toThrow(`The service responded with ${status}: said ${status}`);
    expect(tries.size).toBeLessThan(10);
  });

  test.each<[string, string | undefined, number[]]>([
    ['longer each time, up to ten seconds', undefined, [200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000]],
    ['as long as Retry-After says', '3', [3_000, 3_000, 3_000]],
    ['longer each time if that is no number', 'soon', [200, 400, 800, 1_600]],
  ])('waits for a busy service %s, and ends if that lasts', async (_, retryAfter, pauses) => {
    const { runtime, slept } = clockOf();
    const { url } = await serviceFor((_, response) =>
      response.writeHead(503, { ...(retryAfter && { 'retry-after': retryAfter }) }),
    );
    const patienceMs = pauses.reduce((sum, pause) => sum + pause) - 1;
    const { ended, tally } = await run(url, { patienceMs, runtime });
    await expect(ended).rejects.toThrow(/^The service has accepted nothing for \d+ seconds: .* 503: said 503$/);
    expect(slept).toEqual(pauses);
    expect(tally).toEqual(newTally());
  });

  test('waits no longer than its patience, whatever Retry-After says', async () => {
    const { runtime, slept } = clockOf();
    const { url } = await serviceFor((_, response) => response.writeHead(503, { 'retry-after': '3600' }));
    await expect((await run(url, { patienceMs: 5_000, runtime })).ended).rejects.toThrow('nothing for 5 seconds');
    expect(slept).toEqual([5_000]);
  });

  test('says that a token is missing or refused', async () => {
    const { url } = await serviceThatSays(401);
    await expect((await run(url)).ended).rejects.toThrow('The service asks for a token: give it one with TOKEN or');
    await expect((await run(url, { token: 'old' })).ended).rejects.toThrow('The service refuses the token');
  });

  test('asks for one new token when that of many requests has expired', async () => {
    const { url } = await serviceFor((request, response) => {
      response.statusCode = request.headers.authorization === 'Bearer token-2' ? 201 : 401;
    });
    let given = 0;
    await takeTokens((isForToken) => (isForToken ? { token: `token-${++given}` } : {}));
    expect(await (await run(url, { count: 40, parallel: 16 })).ended).toMatchObject({ created: 40 });
    expect(given).toBe(2);
    vi.stubEnv('OIDC_ISSUER', 'none');
    expect(await findToken()).toBeUndefined();
  });

  test('continues when a token expires twice for one line, and while the issuer does not respond', async () => {
    const answers = [401, 503, 401, 201];
    const { url } = await serviceFor((_, response) => {
      response.setHeader('retry-after', '0').statusCode = answers.shift() ?? 201;
    });
    let asked = 0;
    await takeTokens(() => ({ status: asked++ === 2 ? 503 : 200, token: `token-${answers.length}` }));
    answers.unshift(401);
    expect(await (await run(url)).ended).toMatchObject({ created: 1 });
    expect(answers).toEqual([]);
  });

  test.each<[string, number | undefined, RegExp]>([
    ['does not respond', undefined, /accepted nothing for 100 seconds: http.* cannot be reached: fetch failed: /],
    ['always fails', 503, /accepted nothing for 100 seconds: .* responded with 503$/],
    ['refuses the client', 401, /^http.* responded with 401$/],
    ['responds without a token', 200, /^http.* responded without an access token$/],
  ])('ends when the issuer %s', async (_, status, sentence) => {
    const { url } = await serviceThatSays(401);
    vi.stubEnv('TOKEN', 'first');
    const service = await openService(url, { patienceMs: 100_000, runtime: clockOf().runtime });
    vi.stubEnv('TOKEN', undefined);
    await takeTokens((isForToken) => (isForToken && status ? { status } : {}));
    if (status === undefined) vi.stubEnv('OIDC_ISSUER', 'http://127.0.0.1:1');
    await expect((await run(url, { service })).ended).rejects.toThrow(sentence);
  });

  test('sends neither users nor a token to where a redirect leads', async () => {
    const asked: string[] = [];
    const other = await serveForTest(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      response.end('{}');
    });
    const { url } = await serviceFor(({ url }, response) => response.writeHead(307, { location: `${other}${url}` }));
    await expect((await run(url, { token: 'secret' })).ended).rejects.toThrow(
      `The service responded with 307: no redirect is followed, here to ${other}/api/users`,
    );
    expect(asked).toEqual([]);
  });

  const PAGE = '<!doctype html><title>Sign in</title>';

  test.each<[string, number, Record<string, string>, string, string]>([
    [
      'a page',
      200,
      { 'content-type': 'text/html; charset=utf-8' },
      PAGE,
      'it responded with 200 and text/html; charset',
    ],
    ['a page that calls itself JSON', 200, { 'content-type': 'application/json' }, PAGE, 'its response is not JSON'],
    ['a page without a type', 200, {}, PAGE, 'its response is not JSON'],
    ['a text', 200, { 'content-type': 'text/plain' }, 'OK', 'it responded with 200 and text/plain'],
    ['nothing', 200, {}, '', 'its response to a batch has not one result for each operation'],
    ['an object of something else', 200, {}, '{"status":"ok"}', 'its response to a batch has not one result'],
    ['null', 200, {}, 'null', 'its response to a batch has not one result'],
    ['a list', 200, {}, '[]', 'its response to a batch has not one result'],
    ['other results', 200, {}, '{"results":[{"id":1}]}', 'its response to a batch has not one result'],
    ['no results', 200, {}, '{"results":[]}', 'its response to a batch has not one result'],
    ['a page of an error', 404, { 'content-type': 'text/html' }, PAGE, 'Is --url the URL of the service?'],
    ['the way to a sign-in', 302, { location: '/login' }, '', 'no redirect is followed, here to /login'],
  ])('ends at once when somebody else responds with %s', async (_, status, headers, body, sentence) => {
    let requests = 0;
    const url = await serveForTest((_, response) => {
      requests++;
      response.writeHead(status, headers).end(body);
    });
    const { ended, written } = await run(url);
    await expect(ended).rejects.toThrow(sentence);
    expect([requests, written]).toEqual([1, []]);
  });

  test('quotes a service as one short line', async () => {
    const message = `\u001b[2J\u009b\n::error::${'x'.repeat(3_000)}`;
    const url = await serveForTest((_, response) => response.writeHead(400).end(JSON.stringify({ message })));
    const { ended, written } = await run(url);
    expect(await ended).toMatchObject({ refused: 1 });
    expect(written.join()).toMatch(/^2,\\u\{1b\}\[2J\\u\{9b\}\\u\{a\}::error::x{1900,2000}…,N0\r\n$/);
  });

  test.each(['http://127.0.0.1:1', 'http://nobody.invalid'])('ends at once if nobody listens at %s', async (url) => {
    const start = performance.now();
    await expect((await run(url, { count: 100 })).ended).rejects.toThrow('The service cannot be reached: ');
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  // Linux has such a disk.
  test.runIf(existsSync('/dev/full'))(
    'ends if the disk is full, so that no refused line is lost silently',
    async () => {
      const refused = createRefusedFile('/dev/full', '', 'users.csv');
      const { ended } = await run((await serviceThatSays(400)).url, { count: 20, refused });
      await expect(ended).rejects.toThrow(
        /^Cannot write refused lines to \/dev\/full: ENOSPC: no space left on device/,
      );
      refused.close();
      expect(() => createRefusedFile('/nowhere/at/all', '', 'users.csv')).toThrow(
        /^Cannot write refused lines to \/nowhere\/at\/all: ENOENT/,
      );
    },
  );

  test('ends the reading of a pipe that stays open when a line cannot be sent', async () => {
    const { url } = await serviceThatSays(403);
    const pipe = new PassThrough();
    pipe.write('name\nAnn\nBob\nCy\n');
    const { ended } = await run(url, { source: await sourceOf(pipe), endReading: () => pipe.destroy() });
    await expect(ended).rejects.toThrow('The service responded with 403');
    expect(pipe.destroyed).toBe(true);
  });
});

describe('a file of refused lines', () => {
  const HEADS = ['line,message,name\r\n', '\uFEFFline|message|name\r\n', '{"line":1,"message":"'];

  test.each(HEADS)('beginning with %j is replaced, and for its owner alone', async (head) => {
    const file = join(folderForTest(), 'a.refused');
    writeFileSync(file, head);
    chmodSync(file, 0o644);
    for (const line of ['new', 'there']) {
      const refused = createRefusedFile(file, head, 'users.csv');
      refused.write(line);
      refused.close();
      expect(readFileSync(file, 'utf8')).toBe(head + line);
      // Windows has no such modes.
      if (platform() !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  test('replaces neither the file that is imported nor one that no import has made', async () => {
    const file = join(folderForTest(), 'users.csv');
    writeFileSync(file, 'name\nAnn\n');
    const sentence = 'is there, and is no file of refused lines: name another one with --refused';
    expect(() => createRefusedFile(file, '', '-')).toThrow(sentence);
    expect(() => createRefusedFile(file, '', file)).toThrow('it is being imported');
    expect(readFileSync(file, 'utf8')).toBe('name\nAnn\n');
  });
});

describe('the journal of a service', () => {
  test('is asked for every two seconds at the lowest cost; a full one is waited for, up to the patience', async () => {
    const lengths = [4_999, 6_000, 5_000, 4_999];
    const asked: unknown[] = [];
    const url = await serveForTest((request, response) => {
      asked.push([request.url, request.headers['if-none-match']]);
      response
        .writeHead(304, {
          'server-timing': `replica;desc="warm", journal;desc="${lengths.shift() ?? 7_000}", dynamodb;dur=2`,
        })
        .end();
    });
    const { runtime, slept, pass } = clockOf();
    const said: string[] = [];
    const service = await openService(url, { runtime, patienceMs: 60_000 });
    const wait = watchJournal(service, runtime, (sentence) => said.push(sentence));
    await wait();
    expect(asked).toEqual([]);
    pass(2_000);
    await Promise.all([wait(), wait()]);
    expect([asked, said]).toEqual([[['/api/users?size=1', '*']], []]);
    pass(2_000);
    await wait();
    expect(slept).toEqual([200, 400]);
    const rest = 'entries in its journal: nothing is sent until it has folded most of them';
    expect(said).toEqual([`The service has 6,000 ${rest}`, `The service has 5,000 ${rest}`]);
    pass(2_000);
    const message = 'The service has accepted nothing for 60 seconds: The service has 7,000 entries in its journal';
    await expect(wait()).rejects.toThrow(message);
  });
});

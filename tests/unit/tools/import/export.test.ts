import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type Export, type ExportOptions, exportUsers } from '../../../../tools/import/exportUsers.ts';
import { openService } from '../../../../tools/program/client.ts';
import { serveForTest } from '../../../support/programs.ts';
import { sendWithoutEnd } from '../../../support/servers.ts';

const HEAD = 'id,name,email,age,firstName,lastName,createdAt,status,country\r\n';
const rowOf = (id: number) => `${id},N${id},,3${id},,,2026-01-01T00:00:00.000Z,,DE\r\n`;
const rows = (...ids: number[]) => HEAD + ids.map(rowOf).join('');

interface Stand {
  all: (response: ServerResponse, request: IncomingMessage) => void;
  /** How many users there are after the stream. */
  after?: number;
}

const standIn = ({ all, after = 3 }: Stand): Promise<string> =>
  serveForTest((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/api/users/all')) all(response, request);
    else response.writeHead(200, { 'x-total-count': after }).end('{}');
  });

const sendCsv =
  (total: number, content: string): Stand['all'] =>
  (response) => {
    response.writeHead(200, { 'x-total-count': total, 'content-type': 'text/csv' }).end(content);
  };

/** The output, the messages, and the failure, if any. Each line is taken for some milliseconds. */
async function run(stand: Stand, given: Partial<ExportOptions> = {}, takesMs = 0, done: Export = { ids: new Set() }) {
  const service = await openService(await standIn(stand));
  const said: string[] = [];
  const lines = exportUsers(
    {
      service,
      format: 'csv',
      sort: [],
      fields: [],
      filters: {},
      onProgress: () => undefined,
      say: (text) => said.push(text),
      ...given,
    },
    done,
  );
  let written = '';
  for await (const line of lines) {
    written += line;
    if (takesMs > 0) await sleep(takesMs);
  }
  const { failure, ids } = done;
  return { written, said, ...(failure ? {} : { users: ids.size }), failure: failure?.message };
}

describe('export', () => {
  test('writes the stream of the service unchanged', async () => {
    expect(await run({ all: sendCsv(3, rows(1, 2, 3)) })).toEqual({ written: rows(1, 2, 3), said: [], users: 3 });
    expect(await run({ all: sendCsv(0, HEAD) })).toEqual({ written: HEAD, said: [], users: 0 });
  });

  const LINES = ['{"id":1,"name":"N1"}\n', '{"id":2,"name":"=N2","age":3}\n'];

  test('writes NDJSON unchanged, as JSON too, and CSV with a byte order mark if that is asked for', async () => {
    const all = sendCsv(2, LINES.join(''));
    expect(await run({ all }, { format: 'ndjson' })).toEqual({ written: LINES.join(''), said: [], users: 2 });
    expect(await run({ all }, { format: 'json' })).toMatchObject({ written: `[${LINES.join(',')}]\n`, users: 2 });
    expect(await run({ all: sendCsv(0, '') }, { format: 'json' })).toMatchObject({ written: '[]\n', users: 0 });
    const marked = await run({ all: sendCsv(1, rows(1)) }, { hasMark: true });
    expect(marked).toMatchObject({ written: `\uFEFF${rows(1)}`, users: 1 });
  });

  test('escapes in JSON what an older service does not, so that a user is one line', async () => {
    const all = sendCsv(1, '{"id":1,"name":"a\u2028\u2029\u0085"}\n');
    const line = '{"id":1,"name":"a\\u2028\\u2029\\u0085"}\n';
    expect(await run({ all }, { format: 'ndjson' })).toMatchObject({ written: line, users: 1 });
    expect(await run({ all }, { format: 'json' })).toMatchObject({ written: `[${line}]\n`, users: 1 });
  });

  test('passes filters, the order and the members on, also to an older service, which refuses what it does not know', async () => {
    const asked: (string | undefined)[] = [];
    const all: Stand['all'] = (response, request) => {
      asked.push(request.url, String(request.headers.prefer));
      sendCsv(2, rows(1, 2))(response, request);
    };
    const filters = { status: ['on', 'a b'], 'age.gte': 18 };
    expect(await run({ all }, { filters, sort: ['lastName,desc', 'age'], fields: ['name', 'age'] })).toMatchObject({
      users: 2,
    });
    expect(asked).toEqual([
      '/api/users/all?status=on&status=a%20b&age.gte=18&sort=lastName%2Cdesc&sort=age&fields=name&fields=age',
      'handling=strict',
    ]);
  });

  /** Ids as the service gives them, two in one millisecond, and the moment of the last two. */
  const [ONE, TWO, THREE] = [890_301_895_272_553, 890_301_899_366_912, 890_301_899_366_913] as const;
  const MOMENT = '2026-11-20T17%3A27%3A42.150Z';

  /** Sends one response after another, the last one again and again. An early end comes without an error. */
  function inTurn(...responses: [total: number, content: string][]) {
    const asked: (string | undefined)[] = [];
    const all: Stand['all'] = (response, request) => {
      const [total, content] = responses[Math.min(asked.push(request.url), responses.length) - 1] ?? [0, ''];
      sendCsv(total, content)(response, request);
    };
    return { asked, all };
  }

  test.each([
    ['in the middle of a user', rowOf(TWO).slice(0, -3), 'The response ends in the middle of a user'],
    ['before the line break', rowOf(TWO).slice(0, -2), 'The response ends in the middle of a user'],
    ['between two users', '', '1 of 3 users came'],
  ])('goes on after a response that ends early, %s, at the moment of the last user', async (_, rest, why) => {
    const { asked, all } = inTurn([3, rows(ONE) + rest], [3, rows(ONE, TWO)], [2, rows(TWO, THREE)]);
    const filters = { 'createdAt.gte': '2020-01-01' };
    expect(await run({ all, after: 3 }, { filters })).toEqual({
      written: rows(ONE, TWO, THREE),
      said: [`${why}. Going on after 1 users`, '2 of 3 users came. Going on after 2 users'],
      users: 3,
    });
    expect(asked.map((url) => url?.split('?')[1])).toEqual([
      'createdAt.gte=2020-01-01',
      'createdAt.gte=2026-11-20T17%3A27%3A41.150Z',
      `createdAt.gte=${MOMENT}`,
    ]);
  });

  test('goes on in another order with all users, of whom none comes twice, wherever they stand now', async () => {
    const { asked, all } = inTurn([4, rows(3, 1)], [5, rows(2, 3, 5, 4, 1)]);
    const { written, said, users } = await run({ all, after: 5 }, { sort: ['name'] });
    expect([written, users]).toEqual([rows(3, 1, 2, 5, 4), 5]);
    expect(said).toEqual(['2 of 4 users came. Going on after 2 users']);
    expect(asked[1]).toBe(asked[0]);
  });

  test('goes on behind the users of an earlier run, and says when the service counts others now', async () => {
    const { all } = inTurn([1, rows(THREE)]);
    const columns = HEAD.trimEnd();
    const done: Export = { ids: new Set([7, ONE, TWO]), columns };
    expect(await run({ all, after: 3 }, {}, 0, done)).toEqual({
      written: rowOf(THREE),
      said: ['4 users came, and the service counts 3 now: some were written since the export began'],
      users: 4,
    });
    const other: Export = { ids: new Set([ONE]), columns: 'id,name' };
    expect(await run({ all }, {}, 0, other)).toMatchObject({
      written: '',
      failure: 'The columns of the service have changed: begin a new export',
    });
  });

  test('ends when nothing comes of three responses one after another', async () => {
    const cut = inTurn([3, rows(1)], [3, rows(1)], [3, rows(1, 2)], [3, HEAD.slice(0, 9)]);
    const { written, said, failure } = await run({ all: cut.all }, { sort: ['name'] });
    expect([written, failure]).toEqual([rows(1, 2), 'The response ends in the middle of a user']);
    expect([said.length, cut.asked.length]).toEqual([5, 6]);
    const all: Stand['all'] = (response) => {
      response.writeHead(200, { 'x-total-count': 3 }).write(rows(1, 2));
      setTimeout(() => response.destroy(), 50);
    };
    expect((await run({ all })).failure).toMatch(/^terminated: /);
  });

  const CSV = { 'x-total-count': 3, 'content-type': 'text/csv' };

  test.each<[string, Stand['all'], string]>([
    [
      'users without an end',
      (response) => {
        response.writeHead(200, CSV).write(HEAD);
        sendWithoutEnd(response, rowOf(1));
      },
      'The service counted 3 users, and more come',
    ],
    [
      'something else',
      (response) => response.writeHead(200, CSV).end(`${HEAD}<html>\u001b[2J\r\n`),
      'This is no user: <html>\\u{1b}[2J',
    ],
    [
      'a byte now and then',
      (response) => {
        let left = 100;
        const drip = setInterval(() => (left-- > 0 ? response.write('a') : response.end()), 20);
        response.on('close', () => clearInterval(drip));
        response.writeHead(200, CSV).write(HEAD);
      },
      'No user has come for 0.2 seconds',
    ],
  ])('ends when the service sends %s', async (_, all, failure) => {
    // The others end by themselves, however slow the machine is.
    const outcome = await run({ all }, failure.startsWith('No user') ? { patienceMs: 200 } : {});
    expect(outcome.failure).toBe(failure);
    expect(outcome.written.length).toBeLessThan(200_000);
  });

  test('waits for whoever takes the users, however long', async () => {
    const all: Stand['all'] = (response) => {
      response.writeHead(200, CSV).write(rows(1, 2));
      setTimeout(() => response.end(rowOf(3)), 200);
    };
    expect(await run({ all }, { patienceMs: 100 }, 150)).toMatchObject({ users: 3 });
  });

  test('writes nothing after a refusal, or from what is no such service', async () => {
    const refused = '{"status":400,"message":"Unknown sort property: x"}';
    const failure = 'The service responded with 400: Unknown sort property: x';
    const all: Stand['all'] = (response) => response.writeHead(400).end(refused);
    expect(await run({ all }, { sort: ['x'] })).toMatchObject({ written: '', failure });
    const hostile = await run({ all: (response) => response.writeHead(400).end('{"message":"\\u001b[2J\\u202eno"}') });
    expect(hostile.failure).toBe('The service responded with 400: \\u{1b}[2J\\u{202e}no');
    for (const total of [undefined, '-3', 'Infinity', '3 users']) {
      const headers = total === undefined ? {} : { 'x-total-count': total };
      const other = await run({ all: (response) => response.writeHead(200, headers).end('hello') });
      expect(other).toMatchObject({ written: '', failure: expect.stringContaining('X-Total-Count') });
    }
  });
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FORMS, written } from '../../../../lib/http/response/forms.ts';
import { KINDS } from '../../../../lib/users/fields.ts';
import { FIELD_NAMES, represent, type UserFields } from '../../../../lib/users/user.ts';
import { openService } from '../../../../tools/import/client.ts';
import { type Export, type ExportOptions, exportUsers } from '../../../../tools/import/exportUsers.ts';
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
async function run(stand: Stand, given: Partial<ExportOptions> = {}, takesMs = 0) {
  const service = await openService(await standIn(stand));
  const said: string[] = [];
  const done: Export = { users: 0 };
  const lines = exportUsers(
    {
      service,
      format: 'csv',
      sort: [],
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
  const { failure, users } = done;
  return { written, said, ...(failure ? {} : { users }), failure: failure?.message };
}

describe('export', () => {
  test('writes the stream of the service unchanged', async () => {
    expect(await run({ all: sendCsv(3, rows(1, 2, 3)) })).toEqual({ written: rows(1, 2, 3), said: [], users: 3 });
    expect(await run({ all: sendCsv(0, HEAD) })).toEqual({ written: HEAD, said: [], users: 0 });
  });

  test('writes NDJSON without the guard against formulas, and without missing values', async () => {
    const row = `7,"'=a, ""b""",,,"",'+x,2026-01-01T00:00:00.000Z,,\r\n`;
    const { written } = await run({ all: sendCsv(1, HEAD + row) }, { format: 'ndjson' });
    expect(written).toBe(
      '{"id":7,"name":"=a, \\"b\\"","firstName":"","lastName":"+x","createdAt":"2026-01-01T00:00:00.000Z"}\n',
    );
  });

  test('writes NDJSON with the values of every field as the service has them', async () => {
    const values = { text: 'x', address: 'x@example.com', exact: '+', number: 7 };
    const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, values[KINDS[name]]])) as unknown as UserFields;
    const csv = written(FORMS['text/csv']({ members: undefined }), [represent({ ...fields, id: 7 })]);
    const outcome = await run({ all: sendCsv(1, csv) }, { format: 'ndjson' });
    expect(JSON.parse(outcome.written)).toEqual({ ...fields, id: 7, createdAt: expect.any(String) });
  });

  test('passes filters and the order on', async () => {
    const asked: (string | undefined)[] = [];
    const all: Stand['all'] = (response, request) => {
      asked.push(request.url);
      sendCsv(2, rows(1, 2))(response, request);
    };
    const filters = { status: ['on', 'a b'], 'age.gte': 18 };
    expect(await run({ all }, { filters, sort: ['lastName,desc', 'age'] })).toMatchObject({ users: 2 });
    expect(asked).toEqual(['/api/users/all?status=on&status=a%20b&age.gte=18&sort=lastName%2Cdesc&sort=age']);
  });

  test.each([
    ['in the last value of the last user', rows(1, 2, 3).slice(0, -3)],
    ['before the line break', rows(1, 2, 3).slice(0, -2)],
    ['in the first row', HEAD.slice(0, 9)],
  ])('of a response that ends regularly but early, %s, fails', async (_, content) => {
    const { written, failure } = await run({ all: sendCsv(3, content) });
    expect(failure).toBe('The response ends in the middle of a user');
    expect(written).toMatch(/The export was cut off after \d of 3 users\r\n$/);
  });

  test('marks what it has written when the service cuts it off', async () => {
    const all: Stand['all'] = (response) => {
      response.writeHead(200, { 'x-total-count': 3 }).write(rows(1, 2));
      setTimeout(() => response.destroy(), 50);
    };
    const { written, failure } = await run({ all });
    expect(written).toBe(`${rows(1, 2)}The export was cut off after 2 of 3 users\r\n`);
    expect(failure).toMatch(/^terminated: /);
  });

  test.each([
    [3, 2],
    [1, 3],
  ])('of 2 users is complete if there were %d before it, and %d after it: others write', async (before, after) => {
    const said = `2 users came, and the service counted ${before} before and ${after} after the export: some were written during the export`;
    const { written, ...outcome } = await run({ all: sendCsv(before, rows(1, 2)), after }, { sort: ['name'] });
    expect([written, outcome]).toEqual([rows(1, 2), { said: [said], users: 2 }]);
  });

  test.each([
    [3, 4, 'are missing'],
    [1, 1, 'came twice'],
  ])('of 2 users fails if there were %d before it, and %d after it: some %s', async (before, after, what) => {
    const { written, failure } = await run({ all: sendCsv(before, rows(1, 2)), after });
    expect(failure?.endsWith(`: some ${what}`)).toBe(true);
    expect(written).toContain('The export was cut off after 2 of');
  });

  const CSV = { 'x-total-count': 3, 'content-type': 'text/csv' };

  test.each<[string, Stand['all'], string]>([
    [
      'users without an end',
      (response) => sendWithoutEnd(response.writeHead(200, CSV), rows(1)),
      'The service counted 3 users, and more come',
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
    const outcome = await run({ all }, { patienceMs: 200 });
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

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { exchange } from '../support/httpService.ts';
import { sharedService } from '../support/shared.ts';

let url: string;

beforeAll(async () => {
  ({ url } = await sharedService());
});

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Fills in the variables of a request, and what refers to earlier answers: `{{name.response.body.$.member}}` or `.headers.Name`. */
const fillIn = (request: string, answers: Record<string, Answer>): string =>
  request.replace(/\{\{([\w.$-]+)\}\}/g, (reference, path: string) => {
    const [name = '', , part, ...members] = path.split('.');
    const answer = answers[name];
    const values: Record<string, string> = { base: '', token: 'none' };
    const value = answer
      ? part === 'headers'
        ? answer.headers.get(members[0] ?? '')
        : JSON.parse(answer.text)[members[1] ?? '']
      : values[name];
    if (value === undefined || value === null) throw new Error(`Nothing to fill in for ${reference}`);
    return String(value);
  });

/** Sends a request as it is written in the file. */
function send(request: string): Promise<Answer> {
  const [head = '', ...rest] = request
    .replace(/^#.*\n/gm, '')
    .trim()
    .split('\n\n');
  const [start = '', ...fields] = head.split('\n');
  const [method = '', path = ''] = start.split(' ');
  const headers: Record<string, string> = Object.fromEntries(fields.map((field) => field.split(/:\s*/, 2)));
  return exchange(url, method, path, { headers, ...(rest.length > 0 && { body: rest.join('\n\n') }) });
}

test('docs/requests.http has one request for each operation, and each succeeds', async () => {
  const file = readFileSync(new URL('../../docs/requests.http', import.meta.url), 'utf8');
  const requests = [...file.matchAll(/^# @name (\w+)\n[^#]*/gm)].map(([text, name = '']) => ({ text, name }));
  // Only the admin page knows the names of its files.
  const requested = ROUTES.filter(({ operation }) => operation !== 'getAdminFile');
  expect(requests.map(({ name }) => name).sort(), 'docs/requests.http needs a request for each route').toEqual(
    requested.map(({ operation }) => operation).sort(),
  );

  const answers: Record<string, Answer> = {};
  for (const { name, text } of requests) answers[name] = await send(fillIn(text, answers));
  const success: Record<string, number> = { POST: 201, DELETE: 204 };
  expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual(
    Object.fromEntries(requested.map(({ operation, method }) => [operation, success[method] ?? 200])),
  );
});

import { expect, test } from 'vitest';
import { ROUTES } from '../../lib/http/routes.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { read } from '../support/files.ts';
import { exchange } from '../support/httpService.ts';
import { sharedService } from '../support/shared.ts';

const { url } = await sharedService();

interface Described {
  requestBody?: { content: Record<string, { example: unknown }> };
}

type Answer = Awaited<ReturnType<typeof exchange>>;

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
  const file = read('docs/requests.http');
  const requests = [...file.matchAll(/^# @name (\w+)\n[^#]*/gm)].map(([text, name = '']) => ({ text, name }));
  // Only the admin page knows the names of its files.
  const requested = ROUTES.filter(({ operation }) => operation !== 'getAdminFile');
  expect(requests.map(({ name }) => name).sort(), 'docs/requests.http needs a request for each route').toEqual(
    requested.map(({ operation }) => operation).sort(),
  );

  const answers: Record<string, Answer> = {};
  for (const { name, text } of requests) answers[name] = await send(fillIn(text, answers));
  const success: Record<string, number> = {
    POST: 201,
    DELETE: 204,
    upsertUser: 201,
    batchUsers: 200,
    editUsers: 200,
    undoEdit: 200,
  };
  expect(Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]))).toEqual(
    Object.fromEntries(
      requested.map(({ operation, method }) => [operation, success[operation] ?? success[method] ?? 200]),
    ),
  );
});

/** An edit, so that there is one to undo. */
const EDIT = '{"patch":{"age":41},"atMost":1}';

test('the example of each body is taken, by users who have changed as well', async () => {
  const { paths } = openApiDocument({ server: '/', isProtected: false });
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Described>).flatMap(([method, { requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).map(([type, { example }]) => ({ method, path, type, example })),
    ),
  );
  const { text } = await exchange(url, 'POST', '/api/users', {
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Bob"}',
  });
  const { id } = JSON.parse(text) as { id: number };
  const json = { 'content-type': 'application/json' };
  const edited = await exchange(url, 'POST', `/api/users/edits?id=${id}`, { headers: json, body: EDIT });
  const { edit } = JSON.parse(edited.text) as { edit: string };
  const sent: string[] = [];
  for (const { method, path, type, example } of [...requests, ...requests.toReversed()]) {
    const address =
      path.replace('{id}', String(id)).replace('{edit}', edit) +
      (method === 'put' && path === '/api/users' ? '?externalId=a' : '');
    const { status } = await exchange(url, method.toUpperCase(), address, {
      headers: { 'content-type': type },
      body: JSON.stringify(example),
    });
    sent.push(`${status} ${method}`);
  }
  const answers = ['200 post', '200 post', '200 post', '200 put', '200 patch', '200 patch', '200 patch'];
  const put = '200 put';
  expect(sent).toEqual(['201 post', '201 put', ...answers, ...answers.toReversed(), put, '201 post']);
});

import { expect, test } from 'vitest';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { exchange } from '../support/httpService.ts';
import { sharedService } from '../support/shared.ts';

const { url } = await sharedService();

interface Described {
  requestBody?: { content: Record<string, { example: unknown }> };
}

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

import { describe, expect, test, vi } from 'vitest';
import { systemRuntime } from '../../lib/ground/index.ts';
import type { Operation } from '../../lib/http/routes.ts';
import { context } from '../../tools/samples/events.ts';
import { loadHandlers } from '../support/calls.ts';
import { PARAMETERS } from '../support/hostile.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn } from '../support/service.ts';
import { storeEndpoint } from '../support/shared.ts';

/** Milliseconds of a processor, which a busy machine does not change. A text of quadratic cost takes many seconds, and the longest of these a small part of this. */
const AT_ONCE_MS = 3_000;

/** API Gateway passes on no more outside of a body. A text of quadratic cost takes some tenths of a second. */
const PASSED = 10_000;

/** Pieces that make a parser, a normalisation or a pattern slow: runs that it sorts, counts or tries from each of their places. */
const PIECES = [
  ...['\u0301\u0316', '\u{1D160}', '\uD800', 'İ', ' ', '\u3000', '\u200b', ',', '",', '"', '; charset=utf-8 '],
  ...['/', '~1', '\\', '%FF', '1', '.0', 'a', '@', '[', '*,', 'W/"'],
];

/** Each piece as often as it fits, also with a beginning, and an end that matches nothing. */
const textsOf = (bytes: number): string[] =>
  PIECES.flatMap((piece) => {
    const run = piece.repeat((bytes - 200) / Buffer.byteLength(piece));
    return [run, `a"${run.slice(8)}\u0001!`];
  });

/** Half of the longest body: escapes may double it. */
const LONG = textsOf(2 ** 15);

logOfEachTest();

const invoke = await loadHandlers((await serviceOn.embedded()).tables, await storeEndpoint());
const ann = await invoke('createUser', { body: { name: 'Ann', email: 'ann@example.com' } });
const { id } = ann.json as { id: number };

const JSON_PATCH = { headers: { 'content-type': 'application/json-patch+json' } };

const post = (body: unknown) => invoke('createUser', { body });
const sendText = (body: string, more: object = {}) => invoke('createUser', { more: { body, ...more } });
const patch = (...operations: object[]) =>
  invoke('patchUser', { id, more: { ...JSON_PATCH, body: JSON.stringify(operations) } });
const read = (more: object, operation: Operation = 'listUsers') => invoke(operation, { id, more });

/** Each sends a text somewhere, and waits for the response. */
const BODIES: Record<string, (text: string) => Promise<{ statusCode: number }>> = {
  ...Object.fromEntries(
    ['name', 'email', 'age', 'status', 'x'].map((field) => [
      field,
      (text: string) => post({ name: 'Ann', [field]: text }),
    ]),
  ),
  'a name of a member': (text) => post({ name: 'Ann', [text]: 1 }),
  'a number': (text) => sendText(`{"name":"Ann","age":1${text.replaceAll('"', '')}}`),
  'a body': (text) => sendText(text),
  'a body in base64': (text) => sendText(Buffer.from(text).toString('base64'), { isBase64Encoded: true }),
  'a body that is no base64': (text) => sendText(text, { isBase64Encoded: true }),
  'a merge patch': (text) => invoke('patchUser', { id, body: { lastName: text } }),
  'a pointer': (text) => patch({ op: 'remove', path: `/${text}` }),
  'a value of an operation': (text) => patch({ op: 'add', path: '/lastName', value: text }),
  'a value that is copied': (text) =>
    patch({ op: 'add', path: '/x', value: text }, ...Array(98).fill({ op: 'copy', from: '', path: '/x/-' })),
};

/** A request that reads the header, or the parameter. */
const HEADERS: Record<string, Operation> = {
  ...{ accept: 'listUsers', 'if-none-match': 'listUsers', prefer: 'listUsers', origin: 'getUser', x: 'getUser' },
  ...{ 'if-match': 'deleteUser', 'idempotency-key': 'createUser', 'content-type': 'createUser' },
};
const QUERY: Record<string, Operation> = {
  ...Object.fromEntries([...PARAMETERS, 'lastName', 'by'].map((name): [string, Operation] => [name, 'listUsers'])),
  ...{ cursor: 'listUsersByCursor', after: 'listChanges', before: 'listUserChanges', at: 'getUser' },
};

const OTHERS: Record<string, (text: string) => Promise<{ statusCode: number }>> = {
  ...Object.fromEntries(
    Object.entries(HEADERS).map(([name, operation]) => [
      `the header ${name}`,
      (text: string) => read({ headers: { [name]: text }, body: '{"name":"Ann"}' }, operation),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(QUERY).map(([name, operation]) => [
      name,
      (text: string) => read({ multiValueQueryStringParameters: { [name]: [text] } }, operation),
    ]),
  ),
  'the name of a header': (text) => read({ headers: { [text]: 'x' } }),
  'the name of a parameter': (text) => read({ multiValueQueryStringParameters: { [text]: ['x'] } }),
  'many parameters': (text) => read({ multiValueQueryStringParameters: { sort: text.split('') } }),
  'an id': (text) => invoke('getUser', { id: text }),
  'a path': (text) =>
    invoke('unknownRoute', {
      more: { path: text, ...{ requestContext: { path: text } }, resource: '/{proxy+}' } as object,
    }),
};

async function expectAnswers(ask: (text: string) => Promise<{ statusCode: number }>, texts: readonly string[]) {
  for (const text of texts) {
    const start = systemRuntime.processor();
    const { statusCode } = await ask(text);
    const took = systemRuntime.processor() - start;
    const about = `${JSON.stringify(text.slice(0, 20))}, ${text.length} characters: ${statusCode} after ${took} ms`;
    expect(statusCode >= 200 && statusCode <= 499, about).toBe(true);
    expect(took, about).toBeLessThan(AT_ONCE_MS);
  }
}

describe('a long hostile text is answered at once', () => {
  test.each(Object.entries(BODIES))('as %s', (_, ask) => expectAnswers(ask, LONG));

  test.each(Object.entries(OTHERS))('as %s', (_, ask) => expectAnswers(ask, textsOf(PASSED)));

  test('as a token', async () => {
    vi.stubEnv('OIDC_ISSUER', 'https://id.example');
    vi.stubEnv('OIDC_AUDIENCE', 'users');
    const { handler } = await import('../../functions/authorizer.ts');
    const authorize = async (text: string) => {
      const event = {
        type: 'TOKEN',
        authorizationToken: `Bearer ${text}`,
        methodArn: 'arn:x/dev/GET/api/users',
      } as const;
      await expect(handler(event, context)).rejects.toThrow('Unauthorized');
      return { statusCode: 401 };
    };
    await expectAnswers(authorize, LONG);
  });
});

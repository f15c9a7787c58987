import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { turnAway } from '../../../../tools/local/visitors.ts';

const WEB = 'https://web.example';
const OWN = 'http://localhost:5173';

/** The status of a refusal. */
const answer = (host: string, headers: object, method = 'GET', origins = '') =>
  Number(turnAway({ host, origins }, { method, headers } as IncomingMessage)?.StatusCode ?? 200);

describe('the local service', () => {
  test.each([
    ['localhost', ['localhost:3000', 'LocalHost', '127.0.0.1:8080', '[::1]:3000'], 200],
    ['localhost', ['web.example:3000', 'localhost.web.example', 'users:3000', '10.0.0.7', '', 'a b'], 421],
    ['10.0.0.7', ['10.0.0.7:3000', 'localhost'], 200],
    ['fe80::7', ['[fe80::7]:3000'], 200],
    ['Dev.example', ['dev.example:3000'], 200],
    ['0.0.0.0', ['localhost:3000', '10.0.0.7:3000', '[fe80::7]', 'users:3000', 'host.docker.internal:3000'], 200],
    ['::', ['web.example:3000', 'web.example.'], 421],
  ])('with --host %s, asked by the names %j, answers %i', (host, names, status) => {
    expect(names.map((name) => answer(host, { host: name }))).toEqual(names.map(() => status));
  });

  test.each([
    ['a program', 200, {}],
    ['its own page, whose origin the browser keeps back', 200, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['its own page in an old browser', 200, { origin: 'http://localhost:3000' }],
    ['another page', 403, { origin: WEB, 'sec-fetch-site': 'cross-site' }],
    ['a page in a sandbox', 403, { origin: 'null' }],
    ['a page of another port', 403, { origin: OWN, 'sec-fetch-site': 'same-site' }],
    ['a frame of another page', 403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
  ])('answers the request of %s with %i', (_, status, headers) => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect(answer('localhost', { host: 'localhost:3000', ...headers }, method)).toBe(status);
  });

  test('lets people follow a link to it, and pages send no form', () => {
    const link = { host: 'localhost:3000', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
    expect(['GET', 'POST'].map((method) => answer('localhost', link, method))).toEqual([200, 403]);
  });

  test('answers pages of the origins in CORS_ORIGINS', () => {
    const ask = (origins: string) => answer('localhost', { host: 'localhost', origin: OWN }, 'PATCH', origins);
    expect([`${WEB}, ${OWN}`, '*', WEB].map(ask)).toEqual([200, 200, 403]);
  });
});

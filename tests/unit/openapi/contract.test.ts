import { describe, expect, test } from 'vitest';
import { checkAgainstDocument, type Exchange } from '../../support/contract.ts';

const json = { 'content-type': 'application/json' };
const user = { id: 1, name: 'Ann', createdAt: '2026-11-20T17:27:41.150Z' };
const error = (status: number) => JSON.stringify({ status, message: 'x' });

const exchange = (more: Partial<Omit<Exchange, 'headers'>> & { headers?: Record<string, string> }): Exchange => ({
  method: 'GET',
  path: '/api/users/1',
  status: 200,
  text: JSON.stringify(user),
  ...more,
  headers: new Headers(more.headers ?? { ...json, etag: '"1"' }),
});

// Most other tests rely on this check, so it must not accept everything.
describe('the check of responses against the document', () => {
  test.each([
    exchange({}),
    exchange({ path: '/api/users/7?x=1', method: 'HEAD', text: '' }),
    exchange({ status: 404, text: error(404), headers: json }),
    exchange({ status: 304, text: '', headers: { etag: '"1"' } }),
    exchange({ path: '/api/users', status: 200, text: '[]' }),
    exchange({ path: '/api/users/search', status: 304, text: '', headers: { etag: 'W/"1"' } }),
    exchange({ path: '/nowhere', status: 404, text: error(404), headers: json }),
    exchange({ method: 'POST', status: 405, text: error(405), headers: json }),
    exchange({
      path: '/api/users/all',
      text: 'id,name',
      headers: { 'content-type': 'text/csv', etag: 'W/"1"', 'x-total-count': '0' },
    }),
  ])('accepts $method $path $status', (exchange) => {
    expect(() => checkAgainstDocument(exchange)).not.toThrow();
  });

  test.each([
    ['an undocumented status', exchange({ status: 202 }), 'no such status'],
    ['a member too many', exchange({ text: JSON.stringify({ ...user, version: 1 }) }), 'additional properties'],
    ['a member too few', exchange({ text: '{"id":1,"name":"Ann"}' }), 'createdAt'],
    ['a wrong type', exchange({ text: JSON.stringify({ ...user, age: '30' }) }), 'must be integer'],
    ['no date', exchange({ text: JSON.stringify({ ...user, createdAt: 'now' }) }), 'date-time'],
    ['a missing header', exchange({ headers: json }), 'ETag is missing'],
    ['a list without a tag', exchange({ path: '/api/users', text: '[]', headers: json }), 'ETag is missing'],
    ['another media type', exchange({ headers: { etag: '"1"', 'content-type': 'text/html' } }), 'has no text/html'],
    ['an undocumented header', exchange({ headers: { ...json, etag: '"1"', link: '<x>' } }), 'has no Link there'],
    ['content in a 204', exchange({ method: 'DELETE', status: 204, headers: json }), 'no content there'],
    ['an error of another shape', exchange({ status: 404, text: '{"message":"x"}', headers: json }), 'status'],
    ['an unknown path with a 200', exchange({ path: '/nowhere' }), 'no such operation'],
    ['an unknown method with a 200', exchange({ method: 'POST' }), 'no such operation'],
    ['a 503 without Retry-After', exchange({ status: 503, text: error(503), headers: json }), 'Retry-After is missing'],
  ])('refuses %s', (_, exchange, reason) => {
    expect(() => checkAgainstDocument(exchange)).toThrow(reason);
  });
});

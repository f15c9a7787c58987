import { describe, expect, test } from 'vitest';
import { checkAgainstDocument, type Exchange } from '../../support/contract.ts';

const json = { 'content-type': 'application/json' };
const tagged = { ...json, etag: '"1"' };
const user = { id: 1, name: 'Ann', createdAt: '2026-11-20T17:27:41.150Z' };
const error = (status: number) => ({ status, text: JSON.stringify({ status, message: 'x' }), headers: json });

type Parts = Partial<Omit<Exchange, 'headers'>> & { headers?: Record<string, string> };

const check = ({ headers = tagged, ...parts }: Parts) =>
  checkAgainstDocument({
    ...{ method: 'GET', path: '/api/users/1', status: 200, text: JSON.stringify(user) },
    ...parts,
    headers: new Headers(headers),
  });

// Most other tests rely on this check, so it must not accept everything.
describe('the check of responses against the document', () => {
  test.each<Parts>([
    { path: '/api/users/7?x=1', method: 'HEAD', text: '' },
    { status: 304, text: '', headers: { etag: '"1"' } },
    { path: '/nowhere', ...error(404) },
    { method: 'POST', ...error(405) },
    {
      path: '/api/users/all',
      text: 'id',
      headers: { 'content-type': 'text/csv', etag: 'W/"1"', 'x-total-count': '0' },
    },
  ])('accepts %j', (parts) => {
    expect(() => check(parts)).not.toThrow();
  });

  test.each<[fault: string, parts: Parts, reason: string]>([
    ['an undocumented status', { status: 202 }, 'no such status'],
    ['a member too many', { text: JSON.stringify({ ...user, version: 1 }) }, 'additional properties'],
    ['a member too few', { text: '{"id":1,"name":"Ann"}' }, 'createdAt'],
    ['a wrong type', { text: JSON.stringify({ ...user, age: '30' }) }, 'must be integer'],
    ['no date', { text: JSON.stringify({ ...user, createdAt: 'now' }) }, 'date-time'],
    ['a missing header', { headers: json }, 'ETag is missing'],
    ['another media type', { headers: { etag: '"1"', 'content-type': 'text/html' } }, 'has no text/html'],
    ['an undocumented header', { headers: { ...tagged, link: '<x>' } }, 'has no Link there'],
    ['content in a 204', { method: 'DELETE', status: 204, headers: json }, 'no content there'],
    ['an error of another shape', { ...error(404), text: '{"message":"x"}' }, 'status'],
    ['an unknown path with a 200', { path: '/nowhere' }, 'no such operation'],
    ['a 503 without Retry-After', error(503), 'Retry-After is missing'],
  ])('refuses %s', (_, parts, reason) => {
    expect(() => check(parts)).toThrow(reason);
  });
});

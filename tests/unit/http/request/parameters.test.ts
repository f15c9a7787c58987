import { describe, expect, test } from 'vitest';
import { ANY_FIELD, LISTINGS, SEARCH_FIELDS } from '../../../../lib/http/listingRules.ts';
import { readId } from '../../../../lib/http/request/id.ts';
import { readIdempotencyKey } from '../../../../lib/http/request/idempotencyKey.ts';
import { readPaging } from '../../../../lib/http/request/parameters.ts';
import { readCursorQuery, readFilters, readPageQuery } from '../../../../lib/http/request/queries.ts';
import { readOrder } from '../../../../lib/http/request/sorting.ts';
import { event } from '../../../support/events.ts';

const withId = (id: string) => event('', { pathParameters: { id } });

describe('an id', () => {
  test.each([
    ['1', 1],
    ['007', 7],
    ['9007199254740991', 9007199254740991],
  ])('written as %s is %d', (text, id) => {
    expect(readId(withId(text))).toBe(id);
  });

  test.each(['0', '-1', '9007199254740992', '9223372036854775807', '-9223372036854775808'])(
    'of %s belongs to no user (404)',
    (text) => {
      expect(() => readId(withId(text))).toThrow(
        expect.objectContaining({ status: 404, message: `User not found with id: ${text}` }),
      );
    },
  );

  test.each(['abc', '1.0', '1e3', '+1', ' 1', '', '9223372036854775808', '-9223372036854775809', '٣', '0x1f', '{id}'])(
    'of %j is refused, because it is not a 64-bit integer',
    (text) => {
      expect(() => readId(withId(text))).toThrow(
        expect.objectContaining({ status: 400, message: 'id must be a 64-bit integer' }),
      );
    },
  );
});

describe('paging', () => {
  test.each([
    ['', { number: 0, size: 20 }],
    ['page=&size=', { number: 0, size: 20 }],
    ['page=%20', { number: 0, size: 20 }],
    ['page=3&size=7', { number: 3, size: 7 }],
    ['page=2147483647&size=100', { number: 2147483647, size: 100 }],
    ['size=101', { number: 0, size: 100 }],
    [`size=${'9'.repeat(400)}`, { number: 0, size: 100 }],
  ])('of %j is %j', (query, paging) => {
    expect(readPaging(event(query))).toEqual(paging);
  });

  test.each([
    ['page=-1', 'page must be an integer from 0 to 2147483647'],
    ['page=2147483648', 'page must be an integer from 0 to 2147483647'],
    ['page=1.5', 'page must be an integer from 0 to 2147483647'],
    ['page=1e3', 'page must be an integer from 0 to 2147483647'],
    ['page=x', 'page must be an integer from 0 to 2147483647'],
    ['size=0', 'size must be an integer from 1 to 100'],
    ['size=-20', 'size must be an integer from 1 to 100'],
    ['size=ten', 'size must be an integer from 1 to 100'],
    ['page=1&page=2', 'page must be given only once'],
  ])('with %j is refused: %s', (query, message) => {
    expect(() => readPaging(event(query))).toThrow(expect.objectContaining({ status: 400, message }));
  });
});

describe('a cursor', () => {
  test.each([
    ['', 0],
    ['cursor=', 0],
    ['cursor=-5', 0],
    ['cursor=17', 17],
    ['cursor=9223372036854775807', 9007199254740990],
    ['cursor=3&page=&sort=', 3],
  ])('in %j begins after %d', (query, after) => {
    expect(readCursorQuery(event(query), LISTINGS.listUsersByCursor)).toMatchObject({ after, size: 20 });
  });

  test.each([
    ['cursor=x', 'cursor must be a 64-bit integer'],
    ['cursor=9223372036854775808', 'cursor must be a 64-bit integer'],
    ['cursor=1&page=0', 'cursor cannot be combined with page'],
    ['cursor=1&size=5', 'cursor cannot be combined with size'],
    ['cursor=1&sort=name', 'cursor cannot be combined with sort'],
    ['cursor=1&cursor=2', 'cursor must be given only once'],
  ])('with %j is refused: %s', (query, message) => {
    expect(() => readCursorQuery(event(query), LISTINGS.listUsersByCursor)).toThrow(
      expect.objectContaining({ status: 400, message }),
    );
  });
});

describe('filters', () => {
  test('are the parameters that are given and not empty, unchanged', () => {
    const given = readFilters(event('status=&country=%20DE&keyword=%25_&other=1'), ['status', 'country', 'keyword']);
    expect(given).toEqual({ country: ' DE', keyword: '%_' });
  });

  test('for equality may have several values', () => {
    const given = readFilters(event('status=a&status=&status=b&status=a&country=DE'), LISTINGS.listUsers.filters);
    expect(given).toEqual({ status: ['a', 'b', 'a'], country: 'DE' });
  });

  test('for bounds are numbers: a moment is given in milliseconds', () => {
    const query =
      'age.gte=-5&age.lt=007&createdAt.gte=2026-11-01&createdAt.lt=2026-11-02T00:00:00%2B01:00&name.startsWith=12';
    expect(readFilters(event(query), LISTINGS.listUsers.filters)).toEqual({
      'age.gte': -5,
      'age.lt': 7,
      'createdAt.gte': Date.UTC(2026, 10, 1),
      'createdAt.lt': Date.UTC(2026, 10, 1, 23),
      'name.startsWith': '12',
    });
  });

  test('of other endpoints are ignored', () => {
    expect(readPageQuery(event('country=DE&country=FR'), { filters: ['status'], sort: SEARCH_FIELDS }).filters).toEqual(
      {},
    );
  });

  test.each([
    ['keyword=a&keyword=b', 'keyword must be given only once'],
    ['keyword=&keyword=b', 'keyword must be given only once'],
    [Array(11).fill('status=a').join('&'), 'status must be given at most 10 times'],
    [`status=a&status=${'x'.repeat(65)}`, 'status must be at most 64 characters long'],
    ['age.gte=1.5', 'age.gte must be an integer'],
    ['age.lt=ten', 'age.lt must be an integer'],
    ['age.gte=1&age.gte=2', 'age.gte must be given only once'],
    [
      'createdAt.gte=2026-11-01T00:00:00+01:00',
      'createdAt.gte must be a date-time of RFC 3339 or a date, such as 2026-11-01T09:30:00Z or 2026-11-01; a + is sent as %2B in a URL',
    ],
    [`name.startsWith=${'x'.repeat(201)}`, 'name.startsWith must be at most 200 characters long'],
    [`status=${'x'.repeat(65)}`, 'status must be at most 64 characters long'],
    [`keyword=${'x'.repeat(201)}`, 'keyword must be at most 200 characters long'],
    [
      'keyword=%00',
      'keyword must be well-formed text of at most 200 characters (in Unicode NFC), without control characters',
    ],
    [
      'country=%00',
      'country must be well-formed text of at most 64 characters (in Unicode NFC), without control characters',
    ],
  ])('with %j are refused: %s', (query, message) => {
    expect(() => readFilters(event(query), LISTINGS.listUsers.filters)).toThrow(
      expect.objectContaining({ status: 400, message }),
    );
  });
});

describe('sort', () => {
  test.each([
    ['', 'id,asc'],
    ['sort=', 'id,asc'],
    ['sort=%20&sort=,', 'id,asc'],
    ['sort=name', 'name,asc id,asc'],
    ['sort=name,DESC', 'name,desc id,desc'],
    ['sort=name,desc,IgnoreCase', 'name,desc id,desc'],
    ['sort=name,ignorecase', 'name,asc id,asc'],
    ['sort=country,age,desc', 'country,desc age,desc id,desc'],
    ['sort=name,desc&sort=age&sort=name,asc', 'name,desc age,asc id,asc'],
    ['sort=id,desc&sort=name', 'id,desc'],
    ['sort=%20name%20,%20desc', 'name,desc id,desc'],
  ])('with %j orders by %s', (query, order) => {
    const keys = readOrder(event(query), ANY_FIELD).map(({ property, direction }) => `${property},${direction}`);
    expect(keys.join(' ')).toBe(order);
  });

  test.each([
    ['sort=nope', 'Unknown sort property: nope'],
    ['sort=name,up', 'Unknown sort property: up'],
    ['sort=Name', 'Unknown sort property: Name'],
    ['sort=__proto__', 'Unknown sort property: __proto__'],
    ['sort=constructor,desc', 'Unknown sort property: constructor'],
    ['sort=version', 'Unknown sort property: version'],
    ['sort=desc', 'Unknown sort property: desc'],
  ])('with %j is refused: %s', (query, message) => {
    expect(() => readOrder(event(query), ANY_FIELD)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  test.each(['name', 'email', 'age', 'status', 'country', 'nope'])('by %s is refused for a search', (property) => {
    const read = () => readOrder(event(`sort=lastName&sort=${property},desc`), SEARCH_FIELDS);
    expect(read).toThrow(expect.objectContaining({ status: 400, message: `Cannot sort by: ${property}` }));
  });
});

describe('an Idempotency-Key', () => {
  const keyOf = (principalId?: string) =>
    readIdempotencyKey(
      event('', {
        headers: { 'idempotency-key': 'k' },
        requestContext: { path: '/', authorizer: principalId === undefined ? null : { principalId } },
      } as unknown as Parameters<typeof event>[1]),
    );

  test('is unchanged without authentication', () => {
    expect(keyOf()).toBe('k');
  });

  test('differs between callers', () => {
    expect(keyOf('ann')).toBe('676y5teW7oh3-ZN2lmcmsIByrk4KCoSfJ8nTbhnGUAA');
    expect(keyOf('bea')).not.toBe(keyOf('ann'));
  });
});

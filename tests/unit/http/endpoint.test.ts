import { beforeEach, describe, expect, test } from 'vitest';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { endpointWithBody } from '../../../lib/http/endpointWithBody.ts';
import { LISTINGS } from '../../../lib/http/listingRules.ts';
import { readId } from '../../../lib/http/request/id.ts';
import { patchBody } from '../../../lib/http/request/patch.ts';
import { readQuery } from '../../../lib/http/request/queries.ts';
import { userBody } from '../../../lib/http/request/userBody.ts';
import { noContent } from '../../../lib/http/response/responses.ts';
import { context, event } from '../../support/events.ts';

/** What handlers have received. */
let received: unknown[] = [];
beforeEach(() => {
  received = [];
});

const keep = async (input: unknown) => {
  received.push(input);
  return noContent();
};

const list = endpoint((request) => readQuery(request, LISTINGS.listUsers), keep);
const replace = endpointWithBody(userBody, readId, keep);
const patch = endpointWithBody(patchBody, readId, keep);

const withBody = (id: string, body: string, headers = {}) => event('', { pathParameters: { id }, body, headers });

describe('a handler receives', () => {
  test('the parameters as values', async () => {
    await list(event('page=2&size=500&status=active&sort=name,desc'), context);
    await list(event('cursor=17&keyword=ski'), context);
    expect(received).toEqual([
      {
        number: 2,
        size: 100,
        order: [
          { property: 'name', direction: 'desc' },
          { property: 'id', direction: 'desc' },
        ],
        filters: { status: 'active' },
        keyword: undefined,
      },
      { after: 17, size: 20, filters: {}, keyword: 'ski' },
    ]);
  });

  test('the body and the parameters', async () => {
    await replace(withBody('7', '{"name":"Ann","age":null}'), context);
    expect(received).toEqual([{ body: { name: 'Ann', age: null }, parameters: 7 }]);
  });
});

describe('a handler is not called', () => {
  test.each([
    ['a parameter is wrong', list, event('page=x'), 400, 'page must be an integer from 0 to 2147483647'],
    ['a filter is too long', list, event(`status=${'x'.repeat(65)}`), 400, 'status must be at most 64 characters long'],
    ['the id belongs to no user', replace, withBody('0', '{"name":"Ann"}'), 404, 'User not found with id: 0'],
    ['the body is no JSON', replace, withBody('x', '{'), 400, 'Request body is not valid JSON'],
    ['body and id are wrong: the body is reported', replace, withBody('x', '{}'), 400, 'Name is required'],
    ['the patch is no patch', patch, withBody('7', '[]'), 400, 'Request body must be a JSON object'],
    [
      'the client cannot read the response, whatever else is wrong',
      replace,
      withBody('x', '{', { accept: 'text/plain' }),
      406,
      expect.any(String),
    ],
  ])('when %s', async (_, handler, request, status, message) => {
    const response = await handler(request, context);
    expect(JSON.parse(response.body)).toEqual({ status, message });
    expect(received).toEqual([]);
  });
});

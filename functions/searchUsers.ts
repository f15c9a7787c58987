import { endpoint } from '../lib/http/endpoint.ts';
import { readPageQuery, toPage } from '../lib/http/pages.ts';
import { ok } from '../lib/http/responses.ts';
import { SEARCH_FIELDS } from '../lib/http/sorting.ts';
import { listing } from '../lib/users/index.ts';

export const handler = endpoint(async (event) => {
  const query = readPageQuery(event, { filters: ['status', 'keyword'], sort: SEARCH_FIELDS });
  return ok(toPage(await listing.page(query), query));
});

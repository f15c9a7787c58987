import { endpoint } from '../lib/http/endpoint.ts';
import { ALL_FILTERS, readCursorQuery, readPageQuery, toPage } from '../lib/http/pages.ts';
import { asksForCursor } from '../lib/http/parameters.ts';
import { ok } from '../lib/http/responses.ts';
import { ANY_FIELD } from '../lib/http/sorting.ts';
import { listing } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpoint(async (event) => {
  if (asksForCursor(event)) return ok((await listing.after(readCursorQuery(event))).map(represent));
  const query = readPageQuery(event, { filters: ALL_FILTERS, sort: ANY_FIELD });
  return ok(toPage(await listing.page(query), query));
});

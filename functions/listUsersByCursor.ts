import { endpoint } from '../lib/http/endpoint.ts';
import { readCursorQuery } from '../lib/http/pages.ts';
import { ok } from '../lib/http/responses.ts';
import { listing } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpoint(async (event) => ok((await listing.after(readCursorQuery(event))).map(represent)));

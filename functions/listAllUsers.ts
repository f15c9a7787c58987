import { endpoint } from '../lib/http/endpoint.ts';
import { ok } from '../lib/http/responses.ts';
import { ANY_FIELD, readOrder } from '../lib/http/sorting.ts';
import { listing } from '../lib/users/index.ts';
import { represent } from '../lib/users/user.ts';

export const handler = endpoint(async (event) => ok((await listing.all(readOrder(event, ANY_FIELD))).map(represent)));

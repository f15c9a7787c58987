import type { Request } from 'autocannon';
import { people } from '../../../bench/people.ts';
import { journalLength } from '../../../tools/import/journalWatch.ts';

const SEED = 7;
/** The first country has the most users. */
const COUNTRIES = ['US', 'DE', 'FR', 'GB', 'IN', 'BR', 'ES', 'IT'];
const KEYWORDS = ['son', 'ski', 'ma', 'ez', 'ler', 'an'];

const users = people(SEED);

export interface Kind {
  name: string;
  requests: Request[];
}

const get = (path: string): Request => ({ method: 'GET', path });

const create = (): Request => ({
  method: 'POST',
  path: '/api/users',
  headers: { 'content-type': 'application/json' },
  setupRequest: (request) => ({ ...request, body: JSON.stringify(users.next().value) }),
});

const FIRST_PAGE = get('/api/users');
const BY_COUNTRY = COUNTRIES.map((country) => get(`/api/users?country=${country}&sort=lastName,desc`));
const BY_KEYWORD = KEYWORDS.map((keyword) => get(`/api/users/search?keyword=${keyword}`));

/** The kinds of requests, each measured separately. */
export const kinds = (ids: readonly number[]): Kind[] => [
  { name: 'create', requests: [create()] },
  { name: 'get', requests: ids.map((id) => get(`/api/users/${id}`)) },
  { name: 'first page', requests: [FIRST_PAGE] },
  { name: 'page of a country, sorted', requests: BY_COUNTRY },
  { name: 'page of a keyword', requests: BY_KEYWORD },
];

/** The path of the user that the connection created in this round. */
const pathIn = (context: object): string =>
  'path' in context && typeof context.path === 'string' ? context.path : '/api/users/none-was-created';

const ofOwn = (request: Request): Request => ({
  ...request,
  setupRequest: (built, context) => ({ ...built, path: pathIn(context) }),
});

const rename = (): Request => ({
  ...ofOwn({ method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } }),
  body: JSON.stringify({ lastName: 'Soaked', status: 'active' }),
});

const createOwn = (): Request => ({
  ...create(),
  onResponse: (status, body, context) => {
    if (status === 201) Object.assign(context, { path: `/api/users/${JSON.parse(body).id}` });
  },
});

const list = (request: Request, noteJournal: (entries: number) => void): Request => ({
  ...request,
  onResponse: (_status, _body, _context, headers) => {
    const entries = journalLength(new Headers({ 'server-timing': String(headers?.['server-timing']) }));
    if (entries !== undefined) noteJournal(entries);
  },
});

/** Rounds that do not change the number of users. What grows nevertheless grows with time. */
export const rounds = (noteJournal: (entries: number) => void): Request[] =>
  BY_COUNTRY.flatMap((byCountry, i) => [
    createOwn(),
    ofOwn({ method: 'GET' }),
    list(FIRST_PAGE, noteJournal),
    rename(),
    list(byCountry, noteJournal),
    list(BY_KEYWORD[i % BY_KEYWORD.length] ?? FIRST_PAGE, noteJournal),
    list(get('/api/users?cursor=0'), noteJournal),
    ofOwn({ method: 'DELETE' }),
  ]);

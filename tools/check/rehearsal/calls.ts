import { PAGE_NAMES } from '../../../admin/files.ts';
import { type Operation, ROUTES, type Route } from '../../../lib/http/routes.ts';
import type { Rehearsal } from './rehearsal.ts';

interface Request {
  query?: string;
  json?: object;
  file?: string;
  edit?: string;
}

/** The statuses for a token with all scopes, for one with none, and without a token. */
const PROTECTED = '200 403 401';
const OPEN = '200 200 200';

const USER = { name: 'Ann', lastName: 'Lee', status: 'active' };

/** A call of each route, in this order. Those that name a user name the one that was created last. */
export const CALLS: Record<Operation, [statuses: string, request?: Request]> = {
  upsertUser: ['201 403 401', { query: '?externalId=a%7C1', json: USER }],
  createUser: ['201 403 401', { json: { ...USER, email: 'ann@example.com' } }],
  batchUsers: [PROTECTED, { json: { operations: [{ op: 'create', user: USER }] } }],
  editUsers: [PROTECTED, { query: '?q=ann', json: { patch: { status: 'new' }, atMost: 100 } }],
  getEdit: ['404 403 401', { edit: '0123456789abcdef' }],
  undoEdit: ['404 403 401', { edit: '0123456789abcdef' }],
  replaceUser: [PROTECTED, { json: { ...USER, email: 'lee@example.com' } }],
  patchUser: [PROTECTED, { json: { age: 30, email: null } }],
  getUser: [PROTECTED, { query: '?at=2999-01-01' }],
  listUsers: [PROTECTED, { query: '?keyword=ee&sort=lastName' }],
  listUsersByCursor: [PROTECTED, { query: '?status=active' }],
  listAllUsers: [PROTECTED],
  searchUsers: [PROTECTED, { query: '?keyword=ee' }],
  countUsers: [PROTECTED, { query: '?by=status' }],
  listChanges: [PROTECTED],
  listUserChanges: [PROTECTED],
  deleteUser: ['204 403 401'],
  eraseUserChanges: ['204 403 401'],
  getOpenApi: [OPEN],
  getDocs: [OPEN],
  getDocsFile: [OPEN, { file: 'start.js' }],
  getAdmin: [OPEN],
  getAdminFile: [OPEN, { file: PAGE_NAMES.style }],
};

/** Calls every route of a stage. @returns where it responds with other statuses than it should */
export async function callEveryRoute({ account, token }: Rehearsal, stage: string): Promise<string[]> {
  const address = await account.addressOf(stage);
  const tokens = [await token('users:read', 'users:write', 'users:audit'), await token(), undefined];
  const wrong: string[] = [];
  let id = '0';
  for (const [operation, [statuses, { query = '', json, file = '', edit = '' } = {}]] of Object.entries(CALLS)) {
    const { method, path } = ROUTES.find((route) => route.operation === operation) as Route;
    const actual: number[] = [];
    for (const bearer of tokens) {
      const headers = { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }) };
      const url = `${address}${path.replace('{id}', id).replace('{file}', file).replace('{edit}', edit)}${query}`;
      const response = await fetch(url, { method, headers, body: json ? JSON.stringify(json) : null });
      if (response.status === 201) id = String(((await response.json()) as { id: number }).id);
      actual.push(response.status);
    }
    if (actual.join(' ') !== statuses) wrong.push(`${operation} responds with ${actual.join(' ')}, not ${statuses}`);
  }
  return wrong;
}

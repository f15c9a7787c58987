import { PAGE_NAMES } from '../../../admin/files.ts';
import { OPERATIONS } from '../../../lib/openapi/operations.ts';
import { type Endpoint, IN_TURN, type Made, requestOf } from '../../samples/endpoints.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Whether the document has a status of success of an endpoint. */
const isExpected = ({ name }: Endpoint, status: number): boolean =>
  status < 300 && Object.hasOwn(OPERATIONS[name as keyof typeof OPERATIONS].responses, status);

/** The fault of the statuses for a token with all scopes, for one with none, and without a token. */
function faultOf(endpoint: Endpoint, statuses: readonly number[]): string[] {
  const refused = endpoint.scopes.length > 0;
  const [whole = 0, ...others] = statuses;
  const wanted = refused ? '403 401' : `${whole} ${whole}`;
  if (isExpected(endpoint, whole) && others.join(' ') === wanted) return [];
  return [`${endpoint.name} responds with ${statuses.join(' ')}, not with a success and ${wanted}`];
}

/** The parts of a rehearsal that calls need. */
interface Callable {
  account: Pick<Rehearsal['account'], 'addressOf'>;
  token: Rehearsal['token'];
}

/** Calls every route of a stage, as its examples do. @returns where it responds with other statuses than it should */
export async function callEveryRoute({ account, token }: Callable, stage: string): Promise<string[]> {
  const address = await account.addressOf(stage);
  const tokens = [await token('users:read', 'users:write', 'users:audit'), await token(), undefined];
  const ids: Record<string, string> = {};
  const made: Made = { idOf: (name) => ids[name] ?? '0', etag: '*', edit: '', style: PAGE_NAMES.style };
  const wrong: string[] = [];
  const note = async (name: string, response: Response) => {
    const text = await response.text();
    if (!response.ok || !text.startsWith('{')) return;
    const { id, edit } = JSON.parse(text) as { id?: number; edit?: string };
    if (id !== undefined) ids[name] = String(id);
    if (name === 'createUser') made.etag = response.headers.get('etag') ?? '';
    if (name === 'editUsers') made.edit = edit ?? '';
  };
  for (const endpoint of IN_TURN) {
    for (const example of endpoint.examples) {
      const { path, headers, body = null } = requestOf(endpoint, example, made);
      const statuses: number[] = [];
      for (const bearer of tokens) {
        const all = { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) };
        const response = await fetch(address + path, { method: endpoint.method, headers: all, body });
        await note(endpoint.name, response);
        statuses.push(response.status);
      }
      wrong.push(...faultOf(endpoint, statuses));
    }
  }
  return wrong;
}

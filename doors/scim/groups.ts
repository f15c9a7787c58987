/** Groups, to be read: each is a value that an attribute of some user has. Its members are the users with `groups eq "…"`. */
import type { Settings } from '../door.ts';
import { answer, listed, ScimError } from './answers.ts';
import { invalidFilter, parseFilter } from './filter.ts';
import type { Service } from './service.ts';
import { countOf, integer, projected, type Query } from './users.ts';

export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export function groupsOf(service: Service, { SCIM_GROUPS }: Settings, base: string) {
  const property = `attributes.${SCIM_GROUPS}`;

  const resourceOf = (id: string, query: Query) => {
    const meta = { resourceType: 'Group', location: `${base}/Groups/${encodeURIComponent(id)}` };
    return projected({ schemas: [GROUP], id, displayName: id, meta }, query);
  };

  async function ids(): Promise<string[]> {
    const { body } = await service<{ counts: Record<string, unknown>[] }>({
      path: '/counts',
      parameters: [['by', property]],
    });
    return [...new Set(body.counts.flatMap((count) => [count[property] ?? []].flat().map(String)))].sort();
  }

  async function get(id: string, query: Query): Promise<Response> {
    if (!(await ids()).includes(id)) throw new ScimError(404, 'There is no such group');
    return answer(200, resourceOf(id, query));
  }

  async function list(query: Query): Promise<Response> {
    const filter = query.filter === undefined ? undefined : parseFilter(query.filter);
    if (filter && !(filter.is === 'test' && filter.op === 'eq' && /^(?:id|displayname)$/i.test(filter.path)))
      throw invalidFilter('Groups can be asked displayName eq "…" or id eq "…"');
    const found = (await ids()).filter((id) => filter === undefined || id === filter.value);
    const startIndex = integer('startIndex', query, 1, 1);
    const page = found.slice(startIndex - 1).slice(0, countOf(query));
    return listed({ total: found.length, resources: page.map((id) => resourceOf(id, query)), startIndex });
  }

  return { get, list };
}

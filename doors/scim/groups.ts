/** Groups, to be read: each is a value that an attribute of some user has. Its members are the users with `groups eq "…"`. */
import { answer, listed, ScimError } from './answers.ts';
import type { Asked, Methods } from './asked.ts';
import { invalidFilter, parseFilter } from './filter.ts';
import { windowOf } from './lists.ts';
import { projected } from './resources.ts';

export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export function groupsOf({ service, settings, base, query, id }: Asked): [all: Methods, one: Methods] {
  const property = `attributes.${settings.SCIM_GROUPS}`;

  const resourceOf = (name: string) => {
    const meta = { resourceType: 'Group', location: `${base}/Groups/${encodeURIComponent(name)}` };
    return projected({ schemas: [GROUP], id: name, displayName: name, meta }, query);
  };

  async function names(): Promise<string[]> {
    const { body } = await service<{ counts: Record<string, unknown>[] }>('GET', '/counts', {
      parameters: [['by', property]],
    });
    return [...new Set(body.counts.flatMap((count) => [count[property] ?? []].flat().map(String)))].sort();
  }

  async function get(): Promise<Response> {
    if (!(await names()).includes(id)) throw new ScimError(404, 'There is no such group');
    return answer(200, resourceOf(id));
  }

  async function list(): Promise<Response> {
    const filter = query.filter === undefined ? undefined : parseFilter(query.filter);
    if (filter && !(filter.is === 'test' && filter.op === 'eq' && /^(?:id|displayname)$/i.test(filter.path)))
      throw invalidFilter('Groups can only be filtered by displayName eq "…" or id eq "…"');
    const page = windowOf(
      (await names()).filter((name) => filter === undefined || name === filter.value),
      query,
    );
    return listed({ ...page, resources: page.resources.map(resourceOf) });
  }

  return [{ GET: list }, { GET: get }];
}

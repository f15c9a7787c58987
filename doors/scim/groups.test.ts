import { describe, expect, test } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { doorFor, doorForFile } from '../../tests/support/scim.ts';
import { startGate } from '../../tests/support/servers.ts';

const { service, tables, url, scim } = await doorForFile({ SCIM_GROUPS: 'groups' });
const api = caller(service.url);

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

interface Member {
  value: string;
  display: string;
}

const create = async (displayName: string, ...members: string[]) =>
  (await scim('POST', '/Groups', { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) })).body;
const read = async (id: string) => (await scim('GET', `/Groups/${encodeURIComponent(id)}`)).body;
const membersOf = async (id: string): Promise<string[]> => (await read(id)).members.map(({ value }: Member) => value);
const patch = (id: string, ...Operations: object[]) => scim('PATCH', `/Groups/${id}`, { Operations });
const queryOf = (parameters: Record<string, string>) => `/Groups?${new URLSearchParams(parameters)}`;
const list = async (parameters: Record<string, string>) => (await scim('GET', queryOf(parameters))).body;

let made = 0;
/** Users of this test alone. */
async function people(count: number, more: object = {}): Promise<string[]> {
  const operations = Array.from({ length: count }, () => ({ op: 'create', user: { name: `P${++made}`, ...more } }));
  const ids: string[] = [];
  for (let at = 0; at < count; at += 100) {
    const { body } = await api('POST', '/api/users/batch', { json: { operations: operations.slice(at, at + 100) } });
    ids.push(...(body as { results: { id: number }[] }).results.map(({ id }) => String(id)));
  }
  return ids.sort((a, b) => Number(a) - Number(b));
}

/** A name of this test alone. */
const named = (text: string) => `${text} ${++made}`;
const groupsOf = async (id: string) =>
  ((await api('GET', `/api/users/${id}`)).body as { attributes?: { groups?: string[] } }).attributes?.groups;

describe('a group', () => {
  test('is created with members, read, and deleted with its value', async () => {
    const [ann = '', bob = ''] = await people(2);
    const displayName = named('Admins');
    const created = await scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName,
      externalId: 'e-1',
      members: [{ value: ann }, { value: bob, display: 'Bob' }, { value: ann }],
    });
    const { id } = created.body;
    const location = `${url}/scim/v2/Groups/${id}`;
    const group = {
      ...{ schemas: [GROUP], id, externalId: 'e-1', displayName },
      members: [
        { value: ann, display: `P${made - 2}`, type: 'User' },
        { value: bob, display: `P${made - 1}`, type: 'User' },
      ],
      meta: {
        resourceType: 'Group',
        created: expect.stringMatching(/Z$/),
        lastModified: expect.stringMatching(/Z$/),
        location,
        version: created.headers.get('etag'),
      },
    };
    expect([created.status, created.body]).toEqual([201, group]);
    expect(created.headers.get('location')).toBe(location);
    expect(await read(id)).toEqual(group);
    expect((await scim('GET', `/Users/${ann}`)).body.groups).toEqual([{ value: id, display: displayName }]);
    expect((await scim('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Groups/${id}`)).status).toBe(404);
    expect([await groupsOf(ann), await groupsOf(bob)]).toEqual([undefined, undefined]);
  });

  test('gets and loses members by PATCH', async () => {
    const [ann = '', bob = '', cy = ''] = await people(3);
    const { id } = await create(named('Team'), ann);
    expect((await patch(id, { op: 'add', path: 'members', value: [{ value: bob }, { value: cy }] })).status).toBe(204);
    expect(await membersOf(id)).toEqual([ann, bob, cy]);
    expect((await patch(id, { op: 'remove', path: `members[value eq "${bob}"]` })).status).toBe(204);
    expect(await membersOf(id)).toEqual([ann, cy]);
  });
});

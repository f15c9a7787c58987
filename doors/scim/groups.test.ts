import { describe, expect, test, vi } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { doorFor, doorForFile } from '../../tests/support/scim.ts';
import { startGate } from '../../tests/support/servers.ts';

const { service, tables, url, scim } = await doorForFile({ SCIM_GROUPS: 'groups' });
const SETTINGS = { ...tables, SCIM_GROUPS: 'groups' };
const api = caller(service.url);

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

interface Member {
  value: string;
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

const tagOfUsers = async () => (await api('GET', '/api/users?size=1')).headers.get('etag');

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
        { value: ann, $ref: `${url}/scim/v2/Users/${ann}`, type: 'User' },
        { value: bob, $ref: `${url}/scim/v2/Users/${bob}`, type: 'User' },
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

  test('has a name in any script, and a user shows it', async () => {
    const [ann = ''] = await people(1);
    const displayName = named('100% "Müller" 部門 🙂 \\ / &');
    const { id } = await create(displayName, ann);
    expect((await read(id)).displayName).toBe(displayName);
    expect((await list({ filter: `displayName eq ${JSON.stringify(displayName.toUpperCase())}` })).Resources).toEqual([
      expect.objectContaining({ id, displayName }),
    ]);
    const groups = [{ value: id, display: displayName }];
    expect((await scim('GET', `/Users/${ann}`)).body.groups).toEqual(groups);
    expect((await scim('GET', `/Users?filter=groups eq "${id}"`)).body.Resources[0].groups).toEqual(groups);
    expect((await scim('GET', `/Users/${ann}?excludedAttributes=groups`)).body.groups).toBe(undefined);
  });

  test('may be empty, and is not there under another id', async () => {
    const { id, members } = await create(named('Empty'));
    expect([members, (await read(id)).members]).toEqual([[], []]);
    for (const [method, json] of [
      ['GET', undefined],
      ['PUT', { displayName: 'x' }],
      ['PATCH', { Operations: [{ op: 'remove', path: 'members' }] }],
      ['DELETE', undefined],
    ] as const)
      for (const other of [`${id}0`, 'x'.repeat(65), '%F0', '..%2F'])
        expect((await scim(method, `/Groups/${other}`, json)).status).toBe(404);
  });

  test('that nobody has written is a value which users have, and is written as any other', async () => {
    const value = named('Value');
    const [ann = '', bob = ''] = await people(2, { attributes: { groups: [value, 'other'] } });
    const meta = { resourceType: 'Group', location: `${url}/scim/v2/Groups/${encodeURIComponent(value)}` };
    const group = { schemas: [GROUP], id: value, displayName: value, meta };
    expect((await list({ filter: `id eq "${value}"`, excludedAttributes: 'members' })).Resources).toEqual([group]);
    expect(await read(value)).toMatchObject({ ...group, members: [{ value: ann }, { value: bob }] });
    const path = encodeURIComponent(value);
    expect((await scim('POST', '/Groups', { displayName: value })).status).toBe(409);
    const displayName = named('Renamed');
    const tag = await tagOfUsers();
    expect((await patch(path, { op: 'replace', path: 'displayName', value: displayName })).status).toBe(204);
    expect(await tagOfUsers()).toBe(tag);
    expect(await read(value)).toMatchObject({ id: value, displayName, members: [{ value: ann }, { value: bob }] });
    expect((await patch(path, { op: 'remove', path: `members[value eq "${bob}"]` })).status).toBe(204);
    expect((await scim('DELETE', `/Groups/${path}`)).status).toBe(204);
    expect([await groupsOf(ann), await groupsOf(bob)]).toEqual([['other'], ['other']]);
    expect((await scim('GET', `/Groups/${path}`)).status).toBe(404);
    expect((await scim('DELETE', '/Groups/other')).status).toBe(204);
    expect((await scim('GET', '/Groups/other')).status).toBe(404);
  });
});

const [a = '', b = '', c = '', d = ''] = await people(4);
const { id } = await create(named('Members'));

describe('members', () => {
  const values = (...of: string[]) => of.map((value) => ({ value }));

  test.each<[string, object[], string[]]>([
    ['add', [{ op: 'add', path: 'members', value: values(c) }], [a, b, c]],
    ['add that repeats', [{ op: 'Add', path: 'members', value: values(a, c, c) }], [a, b, c]],
    [
      'add of one, no array',
      [{ op: 'add', path: 'members', value: { value: c, display: 'C', type: 'User' } }],
      [a, b, c],
    ],
    ['add of ids', [{ op: 'add', path: 'members', value: [c, Number(d)] }], [a, b, c, d]],
    ['add of nobody', [{ op: 'add', path: 'members', value: [] }], [a, b]],
    ['add without a path', [{ op: 'add', value: { members: values(c) } }], [a, b, c]],
    ['add with a URN', [{ op: 'add', path: `${GROUP}:members`, value: values(c) }], [a, b, c]],
    ['remove by a path', [{ op: 'remove', path: `members[value eq "${a}"]` }], [b]],
    ['remove by a path of two', [{ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` }], []],
    ['remove of values', [{ op: 'Remove', path: 'members', value: [{ $ref: null, value: b }] }], [a]],
    ['remove of who is none', [{ op: 'remove', path: 'members', value: values(c, 'nobody', '7') }], [a, b]],
    ['remove of an empty list', [{ op: 'remove', path: 'members', value: [] }], [a, b]],
    ['remove of all', [{ op: 'remove', path: 'members' }], []],
    ['replace', [{ op: 'replace', path: 'members', value: values(b, c) }], [b, c]],
    ['replace by nobody', [{ op: 'replace', path: 'members', value: [] }], []],
    ['replace without a path', [{ op: 'replace', value: { id: 'x', members: values(d) } }], [d]],
    [
      'several, in their order',
      [
        { op: 'add', path: 'members', value: values(c, d) },
        { op: 'remove', path: `members[value eq "${c}"]` },
        { op: 'remove', path: 'members', value: values(a) },
        { op: 'add', path: 'members', value: values(a) },
      ],
      [a, b, d],
    ],
    [
      'all removed, and others added',
      [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: values(c) },
      ],
      [c],
    ],
  ])('%s', async (_, operations, expected) => {
    await patch(id, { op: 'replace', path: 'members', value: values(a, b) });
    expect((await patch(id, ...operations)).status).toBe(204);
    expect(await membersOf(id)).toEqual(expected);
  });

  test.each<[operation: object, scimType: string]>([
    [{ op: 'remove', path: 'members', value: [{}] }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [null] }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: '' }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [{ value: '' }] }, 'invalidValue'],
    [{ op: 'remove', path: 'members', value: [[]] }, 'invalidValue'],
    [{ op: 'remove', path: 'members[]' }, 'invalidFilter'],
    [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidFilter'],
    [{ op: 'remove', path: `members[value ne "${a}"]` }, 'invalidFilter'],
    [{ op: 'remove', path: `members[value eq "${a}" and value eq "${b}"]` }, 'invalidFilter'],
    [{ op: 'remove', path: `members[value eq "${a}"].value` }, 'invalidPath'],
    [{ op: 'remove', path: 'member' }, 'invalidPath'],
    [{ op: 'remove', path: 'displayName[value eq "x"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'displayName' }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: `members[value eq "${a}"]`, value: { value: c } }, 'mutability'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'members', value: null }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: '' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(257) }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: 'a\u0000b' }, 'invalidValue'],
    [{ op: 'replace', path: 'displayName', value: ['x'] }, 'invalidValue'],
    [{ op: 'replace', path: 'description', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', value: { displayname: 'x', descripton: 'y' } }, 'invalidPath'],
    [{ op: 'add', path: 'members', value: [{ value: c, type: 'Group' }] }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [{ value: c, tpye: 'User' }] }, 'invalidPath'],
    [{ op: 'add', path: 'members', value: values(c, '7') }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: values('c') }, 'invalidValue'],
    [{ op: 'move', path: 'members', value: values(c) }, 'invalidSyntax'],
  ])('are as they were after %j, and after what came before it', async (operation, scimType) => {
    await patch(id, { op: 'replace', path: 'members', value: values(a, b) });
    const before = await read(id);
    const answer = await patch(id, { op: 'add', path: 'members', value: values(d) }, operation);
    expect([answer.status, answer.body?.scimType]).toEqual([400, scimType]);
    expect(await read(id)).toEqual(before);
  });

  test('may be sent by a thousand operations, and no more', async () => {
    const operations = (count: number) => Array(count).fill({ op: 'add', path: 'members', value: values(c) });
    expect((await patch(id, ...operations(1_000))).status).toBe(204);
    expect((await patch(id, ...operations(1_001))).body).toMatchObject({ scimType: 'invalidSyntax' });
  });

  test('who have all the groups that a user can have are refused, and with them the others', async () => {
    const groups = Array.from({ length: 20 }, (_, n) => `full ${n}`);
    const [full = ''] = await people(1, { attributes: { groups } });
    const answer = await patch(id, { op: 'replace', path: 'members', value: values(d, full) });
    expect([answer.status, answer.body.detail]).toEqual([400, `User ${full} is in 20 groups, and can be in no more`]);
    expect(await membersOf(id)).not.toContain(d);
    const displayName = named('No room');
    expect((await scim('POST', '/Groups', { displayName, members: values(full) })).status).toBe(400);
    expect((await list({ filter: `displayName eq "${displayName}"` })).totalResults).toBe(0);
    await api('DELETE', `/api/users/${full}`);
  });

  test('who have one text instead of an array are refused', async () => {
    const [one = ''] = await people(1, { attributes: { groups: 'single' } });
    expect((await patch(id, { op: 'add', path: 'members', value: values(one) })).body).toMatchObject({
      detail: `User ${one} has one text as attributes.groups, and no array of them`,
    });
    expect((await scim('DELETE', '/Groups/single')).status).toBe(400);
    await api('DELETE', `/api/users/${one}`);
  });

  test('that many requests add at once are all there', async () => {
    const many = await people(12);
    const { id: other } = await create(named('At once'));
    const answers = await Promise.all(
      many.map((value) => patch(other, { op: 'add', path: 'members', value: values(value) })),
    );
    // A request begins again when another one was faster, ten times at most.
    for (const [index, { status }] of answers.entries())
      if (status === 412) await patch(other, { op: 'add', path: 'members', value: values(many[index] ?? '') });
    expect(answers.every(({ status }) => status === 204 || status === 412)).toBe(true);
    expect(await membersOf(other)).toEqual(many);
  });

  test('change in the history of a user by an edit', async () => {
    const { body } = await api('GET', `/api/users/${a}/changes`);
    const [change] = body as { edit?: string; after: object }[];
    expect(change?.edit).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('a whole group', () => {
  test('without changes writes nothing, and without members leaves them', async () => {
    const [ann = '', bob = ''] = await people(2);
    const made = await create(named('Whole'), ann, bob);
    const gate = await startGate(service.url, {});
    const { scim: call } = await doorFor(gate.url, SETTINGS);
    const group = (await call('GET', `/Groups/${made.id}`)).body;
    expect(await call('PUT', `/Groups/${group.id}`, group)).toMatchObject({ status: 200, body: group });
    const { displayName } = group;
    expect((await call('PUT', `/Groups/${group.id}`, { displayName, meta: {}, id: 'x' })).body).toEqual(group);
    const excluded = (await call('GET', `/Groups/${group.id}?excludedAttributes=members`)).body;
    expect((await call('PUT', `/Groups/${group.id}`, excluded)).body).toEqual(group);
    expect(gate.passed.filter(({ request }) => !request.startsWith('GET'))).toEqual([]);
    await gate.close();
  });

  test('has the members and the external id that it names, and then no others', async () => {
    const [ann = '', bob = '', cy = ''] = await people(3);
    const { id } = await create(named('Whole'), ann, bob);
    const displayName = named('Replaced');
    const put = (json: object) => scim('PUT', `/Groups/${id}`, { displayName, ...json });
    const members = [bob, cy].map((value) => ({ value }));
    expect(await put({ members, externalId: 'x' })).toMatchObject({
      status: 200,
      body: { id, displayName, externalId: 'x', members },
    });
    expect(await groupsOf(ann)).toBe(undefined);
    expect((await put({})).body).toMatchObject({ externalId: 'x', members });
    expect((await put({ externalId: null, members: [] })).body).toMatchObject({ id, displayName, members: [] });
    expect((await read(id)).externalId).toBe(undefined);
    expect((await scim('PUT', `/Groups/${id}`, { members })).body.scimType).toBe('invalidValue');
    expect(await membersOf(id)).toEqual([]);
  });
});

describe('a name', () => {
  test('is that of one group, ignoring case, until the group loses it', async () => {
    const name = named('Straße');
    const [ann = ''] = await people(1);
    const { id } = await create(name);
    for (const displayName of [name, name.toUpperCase()])
      expect(await scim('POST', '/Groups', { displayName })).toMatchObject({
        status: 409,
        body: { scimType: 'uniqueness' },
      });
    const other = await create(named('Other'));
    const taken = await patch(
      other.id,
      { op: 'add', path: 'members', value: [{ value: ann }] },
      { op: 'replace', path: 'displayName', value: name },
    );
    expect([taken.status, taken.body.scimType]).toEqual([409, 'uniqueness']);
    expect(await read(other.id)).toEqual(other);
    expect((await patch(id, { op: 'replace', path: 'displayName', value: name.toUpperCase() })).status).toBe(204);
    expect((await patch(id, { op: 'replace', value: { displayName: named('Gone') } })).status).toBe(204);
    expect((await patch(other.id, { op: 'replace', path: 'displayName', value: name })).status).toBe(204);
    await scim('DELETE', `/Groups/${other.id}`);
    expect((await scim('POST', '/Groups', { displayName: name })).status).toBe(201);
  });

  test('is given to one of several creations at once', async () => {
    const displayName = named('Race');
    const answers = await Promise.all(Array.from({ length: 8 }, () => scim('POST', '/Groups', { displayName })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await list({ filter: `displayName eq "${displayName}"` })).totalResults).toBe(1);
  });
});

describe('renames at once', () => {
  test.each([
    ['a group', async () => (await create(named('Before'))).id],
    [
      'a value',
      async () => {
        const value = `v${++made}`;
        await people(1, { attributes: { groups: [value] } });
        return value;
      },
    ],
  ])('of %s leave one name, and the others free', async (_, start) => {
    const group = await start();
    const names = Array.from({ length: 5 }, () => named('Renamed'));
    const answers = await Promise.all(
      names.map((value) => patch(group, { op: 'replace', path: 'displayName', value })),
    );
    expect(answers.every(({ status }) => status === 204 || status === 412)).toBe(true);
    const { displayName } = await read(group);
    const created = await Promise.all(names.map((name) => scim('POST', '/Groups', { displayName: name })));
    expect(created.map(({ status }) => status)).toEqual(names.map((name) => (name === displayName ? 409 : 201)));
  });

  test('with the same tag are one, and a name of a value is refused', async () => {
    const { id: group, meta } = await create(named('Tag'));
    const rename = (value: string, headers = {}) =>
      scim('PATCH', `/Groups/${group}`, { Operations: [{ op: 'replace', path: 'displayName', value }] }, headers);
    const names = Array.from({ length: 5 }, () => named('Tagged'));
    const answers = await Promise.all(names.map((name) => rename(name, { 'if-match': meta.version })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412, 412]);
    const value = `v${++made}`;
    await people(1, { attributes: { groups: [value] } });
    expect((await rename(value)).status).toBe(409);
  });
});

describe('a tag', () => {
  test('changes with the group and with its members, whoever writes them', async () => {
    const [ann = '', bob = ''] = await people(2);
    const { id, meta } = await create(named('Tagged'), ann);
    const get = (tag: string, more = '') => scim('GET', `/Groups/${id}${more}`, undefined, { 'if-none-match': tag });
    expect([(await get(meta.version)).status, (await get('"x", *')).status]).toEqual([304, 304]);
    const brief = (await get('"x"', '?excludedAttributes=members')).body.meta.version;
    await api('PATCH', `/api/users/${bob}`, { json: { attributes: { groups: [id] } } });
    expect((await get(meta.version)).body.members.length).toBe(2);
    expect((await get(brief, '?excludedAttributes=members')).status).toBe(304);
    const rename = (tag: string) => scim('PUT', `/Groups/${id}`, { displayName: named('Tagged') }, { 'if-match': tag });
    expect((await rename(meta.version)).status).toBe(412);
    const { status, body } = await rename(`"x", W/${brief}`);
    expect(status).toBe(200);
    const remove = (tag: string) => scim('DELETE', `/Groups/${id}`, undefined, { 'if-match': tag });
    expect([(await remove(brief)).status, (await membersOf(id)).length]).toEqual([412, 2]);
    const operation = { op: 'remove', path: `members[value eq "${bob}"]` };
    const cut = (tag: string) => scim('PATCH', `/Groups/${id}`, { Operations: [operation] }, { 'if-match': tag });
    expect([(await cut(brief)).status, (await cut(body.meta.version)).status]).toEqual([412, 204]);
    expect([(await remove(body.meta.version)).status, (await remove('*')).status]).toEqual([412, 204]);
  });

  test('comes with the group that a PATCH is asked for', async () => {
    const { id, displayName } = await create(named('Asked'));
    const operation = { op: 'replace', path: 'externalId', value: 'e' };
    const path = `/Groups/${id}?attributes=${GROUP}:externalId,meta.version`;
    const { status, body } = await scim('PATCH', path, { Operations: [operation] });
    expect([status, body]).toEqual([
      200,
      { schemas: [GROUP], id, externalId: 'e', meta: { version: expect.stringMatching(/^"2"$/) } },
    ]);
    expect((await read(id)).displayName).toBe(displayName);
  });
});

describe('a push', () => {
  test('of 500 members takes at most 10 requests to the stage, and the same again only reads', async () => {
    const many = await people(500);
    const gate = await startGate(service.url, {});
    const { scim: call } = await doorFor(gate.url, SETTINGS);
    const { id } = await create(named('Push'));
    /** A stage on a slow machine may need more than the time of a request. */
    const untilDone = async (method: string, json?: object) =>
      expect.poll(async () => (await call(method, `/Groups/${id}`, json)).status).toBe(204);
    const operation = { op: 'add', path: 'members', value: many.map((value) => ({ value })) };
    await untilDone('PATCH', { Operations: [operation] });
    const first = new Set(gate.passed.map(({ request }) => request)).size;
    const before = gate.passed.length;
    await untilDone('PATCH', { Operations: [operation] });
    const again = gate.passed.slice(before).map(({ request }) => request.slice(0, 4));
    expect(await membersOf(id)).toEqual(many);
    expect([first <= 10, again]).toEqual([true, ['GET ', 'GET ']]);
    const begun = gate.passed.length;
    await untilDone('DELETE');
    expect([...new Set(gate.passed.slice(begun).map(({ request }) => request))]).toEqual([
      `POST /api/users/edits?attributes.groups=${id}`,
    ]);
    expect(await groupsOf(many[250] ?? '')).toBe(undefined);
    await gate.close();
  });

  const broken = async () => {
    const state = { isBroken: true };
    const fateOf = (count: number, body: string) =>
      state.isBroken && count > 0 && body !== ''
        ? ({ status: 503, json: { status: 503, type: 'urn:problem:x' } } as const)
        : undefined;
    const gate = await startGate(service.url, { fateOf });
    return { state, gate, call: (await doorFor(gate.url, SETTINGS)).scim };
  };

  test('that ends before its edit goes on when it is sent again, and nobody takes its name meanwhile', async () => {
    const [ann = '', bob = ''] = await people(2);
    const { state, gate, call } = await broken();
    const displayName = named('Half');
    const members = [{ value: bob }, { value: ann }];
    expect((await call('POST', '/Groups', { displayName, members })).status).toBe(503);
    const [begun] = (await list({ filter: `displayName eq "${displayName}"` })).Resources;
    expect(begun.members).toEqual([]);
    expect((await scim('POST', '/Groups', { displayName, members: [{ value: ann }] })).status).toBe(409);
    state.isBroken = false;
    const { status, body } = await call('POST', '/Groups', { displayName, members: members.toReversed() });
    expect([status, body.id, body.members.length]).toEqual([201, begun.id, 2]);
    expect((await call('POST', '/Groups', { displayName, members })).status).toBe(409);

    const operations = [
      { op: 'replace', path: 'displayName', value: named('Whole') },
      { op: 'remove', path: 'members', value: [{ value: ann }] },
    ];
    state.isBroken = true;
    expect((await call('PATCH', `/Groups/${body.id}`, { Operations: operations })).status).toBe(503);
    state.isBroken = false;
    expect((await call('PATCH', `/Groups/${body.id}`, { Operations: operations })).status).toBe(204);
    expect(await read(body.id)).toMatchObject({ displayName: operations[0]?.value, members: [{ value: bob }] });

    state.isBroken = true;
    expect((await call('DELETE', `/Groups/${body.id}`)).status).toBe(503);
    state.isBroken = false;
    expect(await membersOf(body.id)).toEqual([bob]);
    expect((await call('DELETE', `/Groups/${body.id}`)).status).toBe(204);
    expect(await groupsOf(bob)).toBe(undefined);
    await gate.close();
  });
});

test('a member who is added while the group is deleted loses its value again', async () => {
  const [ann = ''] = await people(1);
  const { id: group } = await create(named('Deleted'));
  const before = async (count: number) => {
    if (count === 2) expect((await scim('DELETE', `/Groups/${group}`)).status).toBe(204);
  };
  const gate = await startGate(service.url, { before });
  const { scim: call } = await doorFor(gate.url, SETTINGS);
  const operation = { op: 'add', path: 'members', value: [{ value: ann }] };
  expect((await call('PATCH', `/Groups/${group}`, { Operations: [operation] })).status).toBe(404);
  expect([await groupsOf(ann), (await scim('GET', `/Groups/${group}`)).status]).toEqual([undefined, 404]);
  expect(gate.passed.map(({ request }) => request.slice(0, 20))).toEqual([
    'GET /api/users/all?i',
    'POST /api/users/edit',
    'POST /api/users/edit',
  ]);
  await gate.close();
});

test('a table that does not answer is 503, and says nothing of its cause', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { scim: call } = await doorFor(service.url, { ...SETTINGS, SCIM_GROUPS_TABLE: 'none' });
  for (const [method, path, json] of [
    ['GET', '/Groups', undefined],
    ['GET', '/Groups/x', undefined],
    ['POST', '/Groups', { displayName: 'x' }],
  ] as const) {
    const { status, headers, body } = await call(method, path, json);
    expect([status, headers.get('retry-after'), body.detail]).toEqual([
      503,
      '10',
      'The table of groups does not answer',
    ]);
  }
  expect(log.mock.calls.map(([said]) => said)).toEqual(Array(3).fill('The table of groups: ResourceNotFoundException'));
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { caller } from '../../tests/support/httpService.ts';
import { serveForTest } from '../../tests/support/programs.ts';
import { doorFor, doorForFile, scimCaller, TOKEN } from '../../tests/support/scim.ts';
import { startGate } from '../../tests/support/servers.ts';
import { freePort } from '../../tools/local/port.ts';

const { service, url, scim } = await doorForFile({ SCIM_GROUPS: 'groups', SCIM_INACTIVE: 'inactive,archived' });
const api = caller(service.url);

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

const listPath = (parameters: Record<string, string>) => `/Users?${new URLSearchParams(parameters)}`;
const list = async (parameters: Record<string, string>) => (await scim('GET', listPath(parameters))).body;
const namesOf = (body: { Resources: { userName: string }[] }) => body.Resources.map(({ userName }) => userName);
/** The names of those who match, sorted. */
const found = async (filter: string, call = scim) => namesOf((await call('GET', listPath({ filter }))).body).sort();
const patchOf = (...Operations: object[]) => ({ Operations });
const etagOf = (body: { meta: { version: string } }) => body.meta.version;
const tagOfLists = async () => (await api('GET', '/api/users?size=1')).headers.get('etag');

const create = async (userName: string, more: object = {}) =>
  (await scim('POST', '/Users', { userName, ...more })).body;

const PEOPLE: [string, object][] = [
  [
    'ada',
    {
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      title: 'Countess',
      emails: [{ value: 'ada@example.com' }],
      active: true,
    },
  ],
  ['bob', { name: { givenName: 'Bob' }, active: false, [ENTERPRISE]: { department: 'R&D "x" \\' } }],
  [
    'cy',
    {
      externalId: '00u1',
      displayName: 'Cy',
      phoneNumbers: [{ value: '+49 30' }, { value: '+49 170', type: 'mobile' }],
      emails: [{ value: 'cy@home.example', type: 'home', primary: true }],
    },
  ],
];

beforeAll(async () => {
  for (const [userName, more] of PEOPLE) await create(userName, more);
  // Users whom the door did not make.
  await api('POST', '/api/users', {
    json: { name: 'Dee', email: 'Dee@example.com', status: 'archived', attributes: { groups: ['a', 'b'] } },
  });
  await api('POST', '/api/users', { json: { name: 'Eve', status: 'invited', attributes: { groups: 'b' } } });
});

describe('filters', () => {
  test.each([
    ['userName eq "ADA"', ['ada']],
    ['userName eq "dee@EXAMPLE.com"', ['Dee@example.com']],
    ['userName eq "a"', []],
    ['userName eq "ada" and active eq true', ['ada']],
    ['userName eq "ada" and active eq false', []],
    ['userName eq "ada" or userName eq "bob" or userName eq "none"', ['ada', 'bob']],
    ['userName sw "A" or userName sw "c"', ['ada', 'cy']],
    ['name.givenName eq "ADA"', ['ada']],
    ['urn:ietf:params:scim:schemas:core:2.0:User:NAME.familyname co "LOVE"', ['ada']],
    ['emails eq "ada@example.com"', ['ada']],
    ['emails[type eq "work" and value ew "@EXAMPLE.com"]', ['Dee@example.com', 'ada']],
    ['emails[type eq "work"].value co "dee"', ['Dee@example.com']],
    ['emails[type eq "home"].value co "dee"', []],
    ['emails[primary eq true] and userName pr', ['cy']],
    ['emails[type eq "home" and value eq "cy@home.example"]', ['cy']],
    ['emails[type eq "work" and value eq "cy@home.example"]', []],
    ['emails.value eq "cy@home.example"', ['cy']],
    ['emails.value sw "cy@" and phoneNumbers[type eq "mobile"] and title eq null', ['cy']],
    ['emails co "example" and active eq false', ['Dee@example.com']],
    ['emails ne "ada@example.com" and title pr', []],
    ['userName eq "ada" or title eq "x" or displayName eq "Cy"', ['ada', 'cy']],
    ['userName sw "DEE@"', ['Dee@example.com']],
    ['userName ew "example.com"', ['Dee@example.com']],
    ['userName co "d"', ['Dee@example.com', 'ada']],
    ['active eq false', ['Dee@example.com', 'bob']],
    ['active eq "True" and title pr', ['ada']],
    ['not (active eq false) and not(title pr or addresses pr or groups pr)', ['cy']],
    ['active eq true and externalId pr', []],
    ['active eq false or active eq false', ['Dee@example.com', 'bob']],
    ['groups.value eq "a"', ['Dee@example.com']],
    ['externalId eq "00u1"', ['cy']],
    ['externalId eq "00U1"', []],
    ['title ge "Baron" and title lt "Duke"', ['ada']],
    ['title ge "Baron" and title lt "duke"', ['ada']],
    ['title gt "Duke"', []],
    ['title eq null and externalId ne null', ['cy']],
    ['phoneNumbers.value eq "+49 30"', ['cy']],
    [`${ENTERPRISE}:department eq "R&D \\"x\\" \\\\"`, ['bob']],
    [`${ENTERPRISE}:department eq "\\u0052&D \\"x\\" \\\\" and ((userName pr))`, ['bob']],
    ['id eq "nobody" or userName sw "c"', ['cy']],
    ['not (userName pr)', []],
    ['meta.created gt "2020-01-01T00:00:00Z" and title pr', ['ada']],
    ['meta.created lt "2020-01-01T00:00:00+01:00"', []],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test('a user without a userName and an address is called by the id', async () => {
    const [{ id }] = (await list({ filter: 'displayName eq "Eve"' })).Resources;
    for (const filter of [
      `userName sw "${id.slice(0, 3)}"`,
      `userName co "${id.slice(3, 9)}"`,
      `userName ew "${id.slice(-4)}"`,
    ])
      expect(await found(filter)).toEqual([id]);
    for (const filter of ['userName sw "x1"', `userName sw "${id}0"`, `userName ew "${id.slice(0, 3)}"`])
      expect(await found(filter)).toEqual([]);
    expect(await found(`userName eq "${id}"`)).toEqual([id]);
    expect(await found(`id eq "${id}"`)).toEqual([id]);
  });

  test.each([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq ada',
    'userName eq {}',
    'userName eq "ada',
    'userName eq "ada" and',
    'userName eq "ada" and userName eq "bob"',
    'userName eq "ada" and userName sw "b"',
    'emails co "a" and emails co "b"',
    'userName ne "ada"',
    'userName gt "a"',
    'userName ge "a"',
    'userName lt "z"',
    'userName le "z"',
    'emails.bogus eq "a"',
    'title[type eq "work"]',
    Array.from({ length: 100 }, (_, n) => `userName eq "${n}"`).join(' or '),
    'userName eq ""',
    'title eq ""',
    'title eq 1',
    'title gt "12"',
    'title xx "a"',
    'not (title co "a")',
    'not title pr',
    'active gt true',
    'active ne true',
    'not (active eq true)',
    'active eq "perhaps"',
    'emails[type eq "work"',
    'emails[type ne "work"]',
    'password eq "a"',
    'toString eq "a"',
    '__proto__ eq "a"',
    'constructor.name pr',
    'meta.created gt "-P7D"',
    'meta.created eq "2020-01-01T00:00:00Z"',
    'id co "1"',
    'id ne "x"',
    'userName eq "\\ud800"',
    'userName eq "a" ) or (userName pr',
    '"a" eq "a"',
    `${'('.repeat(21)}userName pr${')'.repeat(21)}`,
    `title eq "${'a'.repeat(5_000)}"`,
    `title eq "${'a'.repeat(501)}" or title eq "b\u0000"`,
  ])('what cannot be asked is refused, and not everybody: %#', async (filter) => {
    expect(await scim('GET', listPath({ filter }))).toMatchObject({
      status: 400,
      body: { schemas: [ERROR], status: '400', scimType: 'invalidFilter' },
    });
    expect(await scim('POST', '/Users/.search', { filter })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
  });

  test('nothing of a filter reaches the service but as the value of a parameter', async () => {
    const gate = await startGate(service.url, {});
    const { scim: call } = await doorFor(gate.url);
    await call('GET', listPath({ filter: 'title eq "a&status=x#?/../%00=&id=1" and name.givenName sw "+%2B"' }));
    const [{ request = '' } = {}] = gate.passed;
    await gate.close();
    expect([...new URL(request.split(' ')[1] ?? '', service.url).searchParams]).toEqual([
      ['attributes.title', 'a&status=x#?/../%00=&id=1'],
      ['firstName.startsWith', '+%2B'],
      ['sort', 'id,desc'],
      ['page', '0'],
      ['size', '100'],
    ]);
  });
});

describe('lists', () => {
  test('come the newest first, or in an order', async () => {
    expect(namesOf(await list({ count: '3' })).slice(1)).toEqual(['Dee@example.com', 'cy']);
    expect(
      namesOf(
        await list({
          sortBy: 'userName',
          sortOrder: 'descending',
          filter: 'name.givenName pr',
        }),
      ),
    ).toEqual(['bob', 'ada']);
    expect(await scim('GET', '/Users?sortBy=userName')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidPath' },
    });
    expect(namesOf(await list({ sortBy: 'meta.created', count: '2' }))).toEqual(['ada', 'bob']);
    for (const wrong of [{ sortBy: 'active' }, { sortBy: 'secret' }, { sortBy: 'title', sortOrder: 'up' }])
      expect(await scim('GET', listPath(wrong as Record<string, string>))).toMatchObject({
        status: 400,
        body: { schemas: [ERROR] },
      });
  });

  test('have windows that begin anywhere, with the total', async () => {
    const all = namesOf(await list({ sortBy: 'id' }));
    for (let startIndex = -1; startIndex <= 7; startIndex++)
      for (let count = -1; count <= 6; count++) {
        const body = await list({ sortBy: 'id', startIndex: String(startIndex), count: String(count) });
        const first = Math.max(1, startIndex);
        const expected = all.slice(first - 1).slice(0, Math.max(0, count));
        expect([namesOf(body), body.totalResults, body.itemsPerPage, body.startIndex]).toEqual([
          expected,
          5,
          expected.length,
          first,
        ]);
      }
    expect(namesOf(await list({ startIndex: '999999999999999', count: '1000' }))).toEqual([]);
    expect(await scim('GET', '/Users?count=many')).toMatchObject({ status: 400, body: { scimType: 'invalidCount' } });
    expect(await scim('GET', '/Users?startIndex=1.5')).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    });
  });

  test('are walked by cursors, in the URL and in a search', async () => {
    const all = namesOf(await list({ sortBy: 'title' }));
    const walked: { Resources: { userName: string }[]; nextCursor?: string }[] = [];
    const walk = async (cursor: string): Promise<void> => {
      const query = { sortBy: 'title', count: '2', cursor };
      const inBody = walked.length % 2 === 1;
      const { body } = inBody ? await scim('POST', '/Users/.search', query) : await scim('GET', listPath(query));
      expect([body.totalResults, body.startIndex]).toEqual([5, undefined]);
      walked.push(body);
      // RFC 9865, section 2: unreserved characters.
      if (body.nextCursor !== undefined) expect(body.nextCursor).toMatch(/^[\w.~-]+$/);
      if (body.nextCursor !== undefined) await walk(body.nextCursor);
    };
    await walk('');
    expect(walked.flatMap(namesOf)).toEqual(all);
    expect(await scim('GET', '/Users?cursor=zzz')).toMatchObject({ status: 400, body: { scimType: 'invalidCursor' } });
    const none = await list({ sortBy: 'title', cursor: '', count: '0' });
    expect([none.Resources, none.totalResults]).toEqual([[], 5]);
    expect(namesOf(await list({ sortBy: 'title', cursor: none.nextCursor }))).toEqual(all);
  });

  test('have the members that are asked for', async () => {
    const [ada] = (await list({ filter: 'userName eq "ada"' })).Resources;
    const { schemas, id, name } = ada;
    expect((await scim('GET', `/Users/${id}?attributes=NAME.givenName,emails.value,title.x`)).body).toEqual({
      schemas,
      id,
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@example.com' }],
    });
    const without = (
      await scim('POST', '/Users/.search', {
        filter: `id eq "${id}"`,
        excludedAttributes: ['id', 'emails.value', 'name', 'meta'],
      })
    ).body;
    expect(without.Resources).toEqual([
      {
        schemas,
        id,
        userName: 'ada',
        displayName: 'Ada Lovelace',
        active: true,
        emails: [{ type: 'work' }],
        title: 'Countess',
      },
    ]);
    expect(name).toEqual({ givenName: 'Ada', familyName: 'Lovelace' });
  });
});

describe('a request asks the stage', () => {
  test.each([
    ['GET', () => '/Users', undefined, 1],
    ['GET', () => '/Users?startIndex=3&count=4', undefined, 2],
    ['GET', () => listPath({ filter: 'userName eq "ada"' }), undefined, 1],
    ['GET', () => listPath({ filter: 'userName eq "nobody"' }), undefined, 2],
    ['GET', () => listPath({ filter: 'userName sw "1"' }), undefined, 3],
    ['GET', () => listPath({ filter: 'emails eq "ada@example.com"' }), undefined, 6],
    ['GET', () => listPath({ filter: names(12) }), undefined, 24],
    ['GET', () => listPath({ filter: names(13) }), undefined, 0],
    ['GET', () => listPath({ filter: names(100) }), undefined, 0],
    ['GET', (id: string) => `/Users/${id}`, undefined, 1],
    ['POST', () => '/Users', { userName: 'counted' }, 4],
    ['PATCH', (id: string) => `/Users/${id}`, patchOf({ op: 'add', path: 'title', value: 'x' }), 2],
    ['PATCH', (id: string) => `/Users/${id}`, patchOf({ op: 'add', path: 'userName', value: 'recounted' }), 5],
    ['DELETE', (id: string) => `/Users/${id}`, undefined, 1],
  ] as const)('the given number of times, and no more: %#, %s', async (method, path, json, times) => {
    const { id } = await create(`count${times}${method}${crypto.randomUUID()}`);
    const gate = await startGate(service.url, {});
    const { scim: call } = await doorFor(gate.url);
    const { body } = await call(method, path(id), json);
    expect(gate.passed.length).toBe(times);
    for (const made of [id, body?.id]) if (made) await scim('DELETE', `/Users/${made}`);
    await gate.close();
  });

  const names = (count: number) => Array.from({ length: count }, (_, n) => `userName eq "${n}"`).join(' or ');
});

describe('several questions', () => {
  const ids: string[] = [];
  const batch = async (operations: object[]) =>
    (await api('POST', '/api/users/batch', { json: { operations } })).body as { results: { user: { id: number } }[] };

  beforeAll(async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({
      op: 'create',
      user: { name: `M ${n}`, lastName: 'many', attributes: { userName: `many${n}` } },
    }));
    const { results } = await batch(many);
    ids.push(...results.map(({ user }) => String(user.id)));
  });

  afterAll(async () => {
    for (const id of ids.slice(100)) await scim('DELETE', `/Users/${id}`);
    await batch(ids.slice(0, 100).map((id) => ({ op: 'delete', id: Number(id) })));
  });

  test('are answered together while each is a page at most, and else one alone, or none', async () => {
    expect((await found('userName sw "many" or userName eq "ada"')).length).toBe(100);
    expect((await list({ filter: 'userName sw "many" or userName eq "ada"' })).totalResults).toBe(101);
    await api('POST', '/api/users', { json: { name: 'M 100', lastName: 'many', attributes: { userName: 'many100' } } });
    const { Resources, totalResults } = await list({ filter: 'userName sw "many"', count: '1' });
    ids.push(Resources[0].id);
    expect([totalResults, namesOf({ Resources })]).toEqual([101, ['many100']]);
    for (const filter of [
      'userName sw "many" or userName eq "ada"',
      'name.familyName eq "many" or title eq "Countess"',
    ])
      expect(await scim('GET', listPath({ filter }))).toMatchObject({ status: 400, body: { scimType: 'tooMany' } });
  });
});

describe('groups', () => {
  test('are the values of an attribute', async () => {
    expect((await found('groups eq "b"')).length).toBe(2);
    expect((await list({ filter: 'groups eq "a"' })).Resources[0].groups).toEqual([
      { value: 'a', display: 'a' },
      { value: 'b', display: 'b' },
    ]);
    expect((await list({ filter: 'groups eq "a"', excludedAttributes: 'groups' })).Resources[0].groups).toBe(undefined);
    expect(await scim('GET', listPath({ filter: 'groups.display eq "a"' }))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
  });

  test('are told among the types of resources', async () => {
    const { Resources } = (await scim('GET', '/ResourceTypes')).body;
    expect(Resources.map(({ id }: { id: string }) => id)).toEqual(['User', 'Group']);
  });
});

describe('writes', () => {
  test('leave alone what SCIM does not know, and write nothing if nothing changes', async () => {
    const { id } = await create('fay', { active: true, title: 'Chief', externalId: 'f1' });
    await api('PATCH', `/api/users/${id}`, { json: { age: 30, attributes: { team: 'x' } } });
    const before = await tagOfLists();
    const same = { userName: 'fay', title: 'Chief' };
    expect((await scim('PUT', `/Users/${id}`, same)).body).toMatchObject({ externalId: 'f1', active: true });
    await scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: same }, { op: 'remove', path: 'nickName' }));
    expect(await tagOfLists()).toBe(before);
    await scim('PUT', `/Users/${id}`, { userName: 'fay' });
    expect((await api('GET', `/api/users/${id}`)).body).toMatchObject({
      name: 'fay',
      age: 30,
      status: 'active',
      externalId: 'f1',
      attributes: { team: 'x', userName: 'fay' },
    });
  });

  test('keep each value of a list at its own place, and take none for another', async () => {
    const { id } = await create('lee', { phoneNumbers: [{ value: '+1 170', type: 'mobile' }] });
    const change = async (...operations: object[]) => {
      const { status, body } = await scim('PATCH', `/Users/${id}`, patchOf(...operations));
      return status === 200 ? [body.emails, body.phoneNumbers] : [status, body.scimType];
    };
    const mobile = [{ value: '+1 170', type: 'mobile' }];
    const work = { value: 'lee@work.example', type: 'work' };
    const [home, second, third] = [1, 2, 3].map((n) => ({ value: `lee${n}@home.example`, type: 'home' }));
    expect(await change({ op: 'add', path: 'emails', value: [work] })).toEqual([[work], mobile]);
    // The first example of RFC 7644, section 3.5.2.1.
    expect(await change({ op: 'add', value: { emails: [home] } })).toEqual([[work, home], mobile]);
    for (const operation of [
      { path: 'emails', value: [{ value: 'x@y.example' }] },
      { path: 'emails[value eq "x@y.example"]' },
    ])
      expect(await change({ op: 'remove', ...operation })).toEqual([400, 'noTarget']);
    expect(await change({ op: 'remove', path: 'emails', value: [work] })).toEqual([[home], mobile]);
    expect(await change({ op: 'add', path: 'emails', value: [second] })).toEqual([[home, second], mobile]);
    for (const value of [[third], [{ value: 'a@b.example', type: 'moon' }]])
      expect(await change({ op: 'add', path: 'emails', value })).toEqual([400, 'invalidValue']);
    expect(await change({ op: 'remove', path: 'phoneNumbers[type eq "mobile"]' })).toEqual([[home, second], undefined]);
  });

  test('name a user by displayName, or by the other names, or by the userName', async () => {
    const nameOf = async (id: string) => ((await api('GET', `/api/users/${id}`)).body as { name: string }).name;
    const { id } = await create('gus', { name: { givenName: 'Gus', familyName: 'Gray' } });
    expect(await nameOf(id)).toBe('Gus Gray');
    const change = (...operations: object[]) => scim('PATCH', `/Users/${id}`, patchOf(...operations));
    await change({ op: 'replace', path: 'name.familyName', value: 'Green' });
    expect(await nameOf(id)).toBe('Gus Green');
    await change({ op: 'add', path: 'displayName', value: 'Gussie' });
    await change({ op: 'remove', path: 'name' });
    expect(await nameOf(id)).toBe('Gussie');
    const { body } = await change({ op: 'remove', path: 'displayName' });
    expect([await nameOf(id), 'displayName' in body, 'name' in body]).toEqual(['gus', false, false]);
    await change({ op: 'replace', path: 'userName', value: 'gustav' });
    expect(await nameOf(id)).toBe('gustav');
    expect((await create('hal', { name: { formatted: 'Hal the First' } })).displayName).toBe('Hal the First');
  });

  test('turn a status into active and back, and leave others', async () => {
    const [{ id }] = (await list({ filter: 'displayName eq "Eve"' })).Resources;
    const status = async (...operations: object[]) => {
      await scim('PATCH', `/Users/${id}`, patchOf(...operations));
      return ((await api('GET', `/api/users/${id}`)).body as { status?: string }).status;
    };
    expect(await status({ op: 'replace', path: 'active', value: true })).toBe('invited');
    expect(await status({ op: 'replace', path: 'active', value: 'False' })).toBe('inactive');
    expect(await status({ op: 'remove', path: 'active' })).toBe('inactive');
    expect(await status({ op: 'replace', path: 'active', value: 'true' })).toBe('active');
    expect(await status({ op: 'remove', path: 'active' })).toBe(undefined);
  });

  test.each([
    [{ op: 'replace', path: 'id', value: '1' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [{ value: 'a' }] }, 'mutability'],
    [{ op: 'replace', path: 'unknown', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'urn:okta:custom:1.0:User:foo', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'name.bogus', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails.value', value: 'a@b.example' }, 'invalidPath'],
    [{ op: 'replace', path: 'photos', value: [{ value: 'x' }] }, 'invalidValue'],
    [{ op: 'replace', pth: 'title', value: 'x' }, 'invalidSyntax'],
    [{ op: 'replace', path: 'emails[type eq "work"', value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type gt "work"]', value: {} }, 'invalidFilter'],
    [{ op: 'replace', path: `emails[${'('.repeat(50)}`, value: '1' }, 'invalidPath'],
    [{ op: 'replace', path: `emails[${'('.repeat(50)}]`, value: '1' }, 'invalidFilter'],
    [{ op: 'replace', path: 'title' }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: {} }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: true }, 'invalidValue'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'name', value: 'Ann' }, 'invalidValue'],
    [{ op: 'replace', path: 'emails', value: [{ value: 'no address' }] }, 'invalidValue'],
    [
      {
        ...{ op: 'replace', path: 'emails' },
        value: ['a', 'b'].map((name) => ({ value: `${name}@example.com`, primary: true })),
      },
      'invalidValue',
    ],
    [{ op: 'replace', path: 'title', value: 'x'.repeat(501) }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    // A value without members is none, and not any.
    [{ op: 'remove', path: 'emails', value: [{}] }, 'noTarget'],
    [{ op: 'replace', path: 'emails[value eq "other@example.com"].value', value: 'x@example.com' }, 'noTarget'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
    [[], 'invalidSyntax'],
  ])('operation %# is refused, and nothing of the request is written', async (operation, scimType) => {
    const [{ id }] = (await list({ filter: 'userName eq "ada"' })).Resources;
    const before = await tagOfLists();
    const answer = await scim(
      'PATCH',
      `/Users/${id}`,
      patchOf({ op: 'replace', path: 'nickName', value: 'x' }, operation),
    );
    expect(answer).toMatchObject({ status: 400, body: { scimType } });
    expect(await tagOfLists()).toBe(before);
  });

  test('move a user to the end of those who were changed', async () => {
    const before = await create('ugo');
    const change = patchOf({ op: 'add', path: 'title', value: 'a' });
    const { meta } = (await scim('PATCH', `/Users/${before.id}`, change)).body;
    expect(meta.created).toBe(before.meta.created);
    expect(meta.lastModified > before.meta.lastModified).toBe(true);
    const since = { filter: `meta.lastModified ge "${meta.lastModified}"`, sortBy: 'meta.lastModified' };
    expect(namesOf(await list(since))).toEqual(['ugo']);
    await scim('PATCH', `/Users/${before.id}`, change);
    expect((await scim('GET', `/Users/${before.id}`)).body.meta).toEqual(meta);
  });

  test('hold a condition, and tell a reader that nothing changed', async () => {
    const body = await create('ian');
    const { id } = body;
    const changed = await scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'title', value: 'a' }), {
      'if-match': `W/${etagOf(body)}`,
    });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, etagOf(changed.body)]);
    const stale = { 'if-match': etagOf(body) };
    for (const [method, json] of [
      ['PUT', { userName: 'ian' }],
      ['PATCH', patchOf({ op: 'add', path: 'title', value: 'b' })],
      ['DELETE', undefined],
    ] as const)
      expect(await scim(method, `/Users/${id}`, json, stale)).toMatchObject({
        status: 412,
        body: { schemas: [ERROR], status: '412' },
      });
    expect((await scim('GET', `/Users/${id}`, undefined, { 'if-none-match': etagOf(changed.body) })).status).toBe(304);
    expect((await scim('DELETE', `/Users/${id}`, undefined, { 'if-match': etagOf(changed.body) })).status).toBe(204);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(404);
  });

  test('of many at once all are kept, each of another attribute', async () => {
    const { id } = await create('jo');
    const attributes = ['title', 'nickName', 'userType', 'locale', 'timezone', 'preferredLanguage'];
    const statuses = await Promise.all(
      attributes.map(
        async (path) => (await scim('PATCH', `/Users/${id}`, patchOf({ op: 'add', path, value: path }))).status,
      ),
    );
    expect(statuses).toEqual(attributes.map(() => 200));
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject(
      Object.fromEntries(attributes.map((path) => [path, path])),
    );
  });

  test('of both names at once make a name of both', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create(`name${round}`, { name: { givenName: 'A', familyName: 'B' } });
      const parts = [
        ['name.givenName', 'New'],
        ['name.familyName', 'Name'],
      ];
      await Promise.all(
        parts.map(([path, value]) => scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path, value }))),
      );
      expect((await scim('GET', `/Users/${id}`)).body.displayName).toBe('New Name');
    }
  });

  test('of one userName at once are exactly one user, and so are those of one externalId', async () => {
    for (let round = 0; round < 20; round++) {
      const same = await Promise.all(
        [`kim${round}`, `KIM${round}`, `Kim${round}`].map((userName) => scim('POST', '/Users', { userName })),
      );
      const made = same.filter(({ status }) => status === 201).length;
      expect(
        same.every(({ status, body }) => status === 201 || (status === 409 && body.scimType === 'uniqueness')),
      ).toBe(true);
      expect((await found(`userName eq "kim${round}"`)).length).toBe(made);
      expect(made).toBe(1);
      const known = await Promise.all(
        [1, 2, 3].map(() => scim('POST', '/Users', { userName: `lu${round}`, externalId: `lu${round}` })),
      );
      expect(known.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    }
  });

  test('that rename two users alike at once rename exactly one', async () => {
    for (let round = 0; round < 20; round++) {
      const users = [await create(`may${round}`), await create(`ned${round}`)];
      const renamed = await Promise.all(
        users.map(({ id }) =>
          scim('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'userName', value: `oz${round}` })),
        ),
      );
      const count = renamed.filter(({ status }) => status === 200).length;
      expect((await found(`userName eq "oz${round}"`)).length).toBe(count);
      expect(count).toBe(1);
      const names = await Promise.all(users.map(async ({ id }) => (await scim('GET', `/Users/${id}`)).body.userName));
      expect(names.filter((name) => name !== `oz${round}`).length).toBe(2 - count);
    }
    const [{ id }] = (await list({ filter: 'userName eq "ada"' })).Resources;
    expect(await scim('PUT', `/Users/${id}`, { userName: 'DEE@example.com' })).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
  });

  test('of a whole directory, sent again, write nothing', async () => {
    const count = Number(process.env.SCIM_USERS ?? 20);
    const person = (n: number) => ({
      userName: `p${n}@example.org`,
      externalId: `p${n}`,
      name: { givenName: 'P', familyName: String(n) },
      displayName: `P ${n}`,
      emails: [{ value: `p${n}@example.org`, type: 'work', primary: true }],
      active: n % 2 === 0,
      [ENTERPRISE]: { department: 'Sales' },
    });
    for (let n = 0; n < count; n++) expect((await scim('POST', '/Users', person(n))).status).toBe(201);
    const before = await tagOfLists();
    for (let n = 0; n < count; n++) {
      const { Resources } = await list({ filter: `userName eq "p${n}@example.org"` });
      const path = `/Users/${Resources[0].id}`;
      expect((await scim('PUT', path, person(n))).status).toBe(200);
      expect(
        (
          await scim(
            'PATCH',
            path,
            patchOf(
              { op: 'Replace', path: 'displayName', value: `P ${n}` },
              { op: 'Replace', path: 'active', value: n % 2 ? 'False' : 'True' },
            ),
          )
        ).status,
      ).toBe(200);
    }
    expect(await tagOfLists()).toBe(before);
  });
});

describe('requests that nobody should send', () => {
  test.each([
    ['GET', '/Users', undefined, { authorization: 'Bearer' }, 401],
    ['GET', '/Users', undefined, { authorization: 'Bearer the-token-of-the-doo' }, 401],
    ['GET', '/Users', undefined, { authorization: 'Basic the-token-of-the-door' }, 401],
    ['GET', '/ServiceProviderConfig', undefined, { authorization: '' }, 401],
    ['GET', '/nothing', undefined, {}, 404],
    ['GET', '/Users/1/2', undefined, {}, 404],
    ['GET', '/Users/%E0%A4%A', undefined, {}, 404],
    ['GET', '/Users/99999999999999999999', undefined, {}, 404],
    ['GET', '/Users/..%2f..%2fapi', undefined, {}, 404],
    ['GET', '/toString', undefined, {}, 404],
    ['GET', '/Schemas/nothing', undefined, {}, 404],
    ['GET', '/Schemas/%E0%A4%A', undefined, {}, 404],
    ['GET', '/Schemas?filter=a', undefined, {}, 403],
    ['PATCH', '/Users', {}, {}, 405],
    ['POST', '/Users/1', {}, {}, 405],
    ['GET', '/Users/.search', undefined, {}, 405],
    ['POST', '/Bulk', {}, {}, 501],
    ['GET', '/Me', undefined, {}, 501],
    ['POST', '/Users', '', {}, 400],
    ['POST', '/Users', '[]', {}, 400],
    ['POST', '/Users', 'null', {}, 400],
    ['POST', '/Users', '{"userName":', {}, 400],
    ['POST', '/Users', { userName: null }, {}, 400],
    ['POST', '/Users', { userName: ['a', 'b'].map((value) => ({ value })) }, {}, 400],
    ['POST', '/Users', { userName: '\ud800' }, {}, 400],
    ['POST', '/Users', { userName: 'a\u0000b' }, {}, 400],
    ['POST', '/Users', { userName: 'a', 'emails[': 'x' }, {}, 400],
    ['POST', '/Users', `{"userName":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, {}, 400],
    ['POST', '/Users', `{"a":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, {}, 400],
    ['POST', '/Users', `{"userName":"${'a'.repeat(70_000)}"}`, {}, 413],
    ['POST', '/Users', { userName: 'a' }, { 'content-type': 'text/plain' }, 415],
    ['POST', '/Users/.search', `{"count":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, {}, 400],
    ['POST', '/Users/.search', { filter: { filter: 'userName pr' } }, {}, 400],
    ['POST', '/Users/.search', { filter: ['userName pr', { a: 1 }] }, {}, 400],
    ['GET', '/Users?filter=%FF', undefined, {}, 400],
  ])('request %# is refused: %s %s', async (method, path, json, headers, status) => {
    const before = await tagOfLists();
    const { body, status: answered, headers: sent } = await scim(method, path, json, headers as Record<string, string>);
    expect([answered, body.schemas, body.status, typeof body.detail]).toEqual([
      status,
      [ERROR],
      String(status),
      'string',
    ]);
    if (status === 401) expect(sent.get('www-authenticate')).toBe('Bearer realm="SCIM"');
    if (status === 405) expect(sent.get('allow')).toMatch(/^[A-Z, ]+$/);
    expect(await tagOfLists()).toBe(before);
  });

  test.each([
    '{"op":"add","path":DEEP,"value":"x"}',
    '{"op":DEEP,"path":"title","value":"x"}',
    '{"op":"add","path":"title","value":DEEP}',
    '{"op":"add","value":{"emails":[{"primary":DEEP,"value":DEEP}]}}',
  ])('with arrays a thousand deep are refused: %s', async (operation) => {
    const [{ id }] = (await list({ filter: 'userName eq "ada"' })).Resources;
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const { status, body } = await scim(
      'PATCH',
      `/Users/${id}`,
      `{"Operations":[${operation.replace('DEEP', deep).replace('DEEP', '[[]]')}]}`,
    );
    expect([status, body.schemas]).toEqual([400, [ERROR]]);
  });

  test('that are not UTF-8 are refused, and nothing is replaced', async () => {
    const body = Buffer.concat([Buffer.from('{"userName":"a'), Buffer.from([0xff]), Buffer.from('"}')]);
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' };
    expect((await fetch(`${url}/scim/v2/Users`, { method: 'POST', headers, body })).status).toBe(400);
  });

  test.each([
    '{"userName":"proto","__proto__":{"active":true,"title":"x"}}',
    '{"userName":"proto","constructor":{"prototype":{"title":"x"}}}',
    '{"userName":"proto","name":{"__proto__":{"givenName":"x"}}}',
    '{"userName":"proto","name":{"bogus":"x"}}',
    '{"userName":"proto","nmae":{"givenName":"x"}}',
    '{"userName":"proto","urn:okta:custom:1.0:User":{"foo":"x"}}',
    '{"userName":"proto","urn:ietf:params:scim:schemas:extension:enterprise:2.0:Users":{"department":"x"}}',
    '{"userName":"proto","emails":[{"value":"a@example.com","tpye":"home"}]}',
    '{"userName":"proto","emails#work.value":"a@example.com"}',
  ])('with members that are in no schema are refused: %s', async (body) => {
    const { status, body: said } = await scim('POST', '/Users', body);
    expect([status, said.scimType]).toEqual([400, 'invalidPath']);
    expect(await found('userName eq "proto"')).toEqual([]);
  });

  test('are let in by none but the token of the door, or by both while one is replaced', async () => {
    const status = async (token: string, given: string) =>
      (await scimCaller((await doorFor(service.url, { token })).url, given)('GET', '/Users')).status;
    expect(await status('', '')).toBe(401);
    expect(await status('', 'undefined')).toBe(401);
    expect(await status('old new', 'new')).toBe(200);
    expect(await status('old new', 'old new')).toBe(401);
  });
});

describe('a stage that', () => {
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
  afterEach(() => void vi.restoreAllMocks());

  const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
    serveForTest((_, response) => response.writeHead(status, headers).end(body));

  test.each([
    ['is away', 503, undefined],
    ['asks for a moment', 503, () => answering(503, '{"status":503,"message":"Try again"}', { 'retry-after': '7' })],
    ['is throttled', 429, () => answering(429, '{"status":429,"message":"Too many"}', { 'retry-after': '7' })],
    ['fails', 502, () => answering(500, '{"type":"urn:problem:internal"}')],
    ['is a page of a proxy', 502, () => answering(502, '<html>')],
    ['is a page of a proxy that finds it good', 502, () => answering(200, '<html>')],
    ['is another service', 502, () => answering(404, 'Not found')],
    ['answers what is no user', 502, () => answering(200, '{"content":[{"id":"7"}],"totalElements":1}')],
    ['is elsewhere', 502, () => answering(302, '', { location: 'http://127.0.0.1:9/' })],
    ['takes the token for expired', 502, () => answering(401, '{"type":"urn:problem:token-expired","status":401}')],
    ['refuses the token at its gateway', 502, () => answering(401, '{"status":401,"message":"Unauthorized"}')],
    ['gives the token too few scopes', 502, () => answering(403, '{"type":"urn:problem:insufficient-scope"}')],
  ])('%s is %i, and says when to try again', async (_, status, start) => {
    const { scim: call } = await doorFor(start ? await start() : `http://127.0.0.1:${await freePort()}`);
    for (const [method, path, json] of [
      ['GET', '/Users', undefined],
      ['POST', '/Users', { userName: 'x' }],
      ['PATCH', '/Users/1', patchOf({ op: 'remove', path: 'title' })],
      ['DELETE', '/Users/1', undefined],
    ] as const) {
      const { status: answered, headers, body } = await call(method, path, json);
      expect([answered, body.schemas, body.status]).toEqual([status, [ERROR], String(status)]);
      expect(headers.get('retry-after')).toMatch(/^(?:1|7|10)$/);
    }
  });

  test('loses the answers of reads and of a creation is asked again, and there is one user', async () => {
    const gate = await startGate(service.url, { fateOf: (count) => (count % 2 ? 'lost' : undefined) });
    const { scim: call } = await doorFor(gate.url);
    const { status, body } = await call('POST', '/Users', { userName: 'pat' });
    expect([status, (await call('GET', `/Users/${body.id}`)).status, await found('userName eq "pat"')]).toEqual([
      201,
      200,
      ['pat'],
    ]);
    await gate.close();
  });

  test('loses the answer of another write does not hear it again: the caller knows that it may have happened', async () => {
    const { id } = await create('quinn');
    const gate = await startGate(service.url, { fateOf: (count) => (count % 2 ? undefined : 'lost') });
    const { scim: call } = await doorFor(gate.url);
    const title = patchOf({ op: 'add', path: 'title', value: 'x' });
    expect((await call('PATCH', `/Users/${id}`, title)).status).toBe(503);
    expect(gate.passed.length).toBe(2);
    expect((await call('PATCH', `/Users/${id}`, title)).body.title).toBe('x');
    await gate.close();
  });

  test('has another user renamed alike in between gets the name taken back, whoever writes meanwhile', async () => {
    // Somebody else gives the same userName between the question and the write, and changes the user before it is taken back.
    const [mine, other] = [await create('ray'), await create('sue')];
    const gate = await startGate(service.url, {
      before: async (count) => {
        if (count === 4) await api('PATCH', `/api/users/${other.id}`, { json: { attributes: { userName: 'tom' } } });
        if (count === 6) await api('PATCH', `/api/users/${mine.id}`, { json: { age: 40 } });
      },
    });
    const { scim: call } = await doorFor(gate.url);
    const rename = patchOf({ op: 'replace', path: 'userName', value: 'tom' });
    expect(await call('PATCH', `/Users/${mine.id}`, rename)).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
    await gate.close();
    expect([await found('userName eq "tom"'), await found('userName eq "ray"')]).toEqual([['tom'], ['ray']]);
    expect((await api('GET', `/api/users/${mine.id}`)).body).toMatchObject({ age: 40 });
  });

  test('is of an older version has users without the moment of their last change', async () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const stage = await serveForTest((request, response) => {
      const isUnknown = request.url?.includes('updatedAt');
      const problem = { type: 'urn:problem:unknown-parameter', status: 400, detail: 'Unknown parameter: updatedAt.gt' };
      const users = { content: [{ id: 7, name: 'Q', createdAt }], totalElements: 1 };
      response.writeHead(isUnknown ? 400 : 200).end(JSON.stringify(isUnknown ? problem : users));
    });
    const { scim: call, url: address } = await doorFor(stage);
    expect((await call('GET', '/Users')).body.Resources).toEqual([
      {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        id: '7',
        userName: '7',
        displayName: 'Q',
        meta: {
          resourceType: 'User',
          created: createdAt,
          lastModified: createdAt,
          location: `${address}/scim/v2/Users/7`,
        },
      },
    ]);
    expect(await call('GET', listPath({ filter: 'meta.lastModified gt "2026-01-01T00:00:00Z"' }))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    });
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { doorFor, doorForFile, scimCaller } from '../../tests/support/scim.ts';

const { service, url, scim } = await doorForFile({ SCIM_GROUPS: 'groups' });

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

const query = (filter: string, path = '/Users') => `${path}?filter=${encodeURIComponent(filter)}`;

/**
 * The requests and assertions of "Okta SCIM 2.0 SPEC Test", which Okta asks integrations to pass:
 * https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json
 */
describe('the test that Okta publishes', () => {
  const okta = (userName: string, email = userName) => ({
    schemas: [CORE],
    userName,
    name: { givenName: 'Jordan', familyName: 'Rivera' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Jordan Rivera',
    active: true,
  });
  let id = '';

  beforeAll(async () => {
    // It asks for a user who is there before.
    await scim('POST', '/Users', okta('before@example.com'));
  });

  test('1, 2: users have an id, names, a userName, an address, and are active', async () => {
    const { status, body } = await scim('GET', '/Users?count=1&startIndex=1');
    expect([status, body.schemas, body.itemsPerPage, body.startIndex, body.totalResults]).toEqual([
      200,
      [LIST],
      1,
      1,
      1,
    ]);
    const seen = {
      id: expect.stringMatching(/^\d+$/),
      name: { familyName: 'Rivera', givenName: 'Jordan' },
      userName: 'before@example.com',
      active: true,
      emails: [{ value: 'before@example.com' }],
    };
    expect(body.Resources[0]).toMatchObject(seen);
    const one = await scim('GET', `/Users/${body.Resources[0].id}`);
    expect([one.status, one.body]).toEqual([
      200,
      expect.objectContaining({ id: body.Resources[0].id, userName: seen.userName }),
    ]);
  });

  test('3, 5: a userName of nobody is an empty list', async () => {
    for (const name of ['abcdefgh@atko.com', 'jordan@example.com'])
      expect(await scim('GET', query(`userName eq "${name}"`))).toMatchObject({
        status: 200,
        body: { schemas: [LIST], totalResults: 0 },
      });
  });

  test('4, 12: an id of nobody is 404', async () => {
    for (const nobody of ['00919288221112222', '010101001010101011001010101011'])
      expect(await scim('GET', `/Users/${nobody}`)).toMatchObject({
        status: 404,
        body: { schemas: [ERROR], status: '404', detail: expect.stringMatching(/./) },
      });
  });

  test('6, 7, 8: a user is created, read, and not created again', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/scim+json; charset=utf-8' };
    const created = await scim('POST', '/Users', okta('jordan@example.com'), headers);
    const seen = {
      schemas: [CORE],
      active: true,
      userName: 'jordan@example.com',
      name: { familyName: 'Rivera', givenName: 'Jordan' },
    };
    expect(created).toMatchObject({ status: 201, body: seen });
    id = created.body.id;
    expect(await scim('GET', `/Users/${id}`)).toMatchObject({ status: 200, body: seen });
    expect(await scim('POST', '/Users', okta('jordan@example.com', 'other@example.com'), headers)).toMatchObject({
      status: 409,
      body: { scimType: 'uniqueness' },
    });
  });

  test('9: a userName is found ignoring case', async () => {
    const { status, body } = await scim('GET', query('userName eq "JORDAN@EXAMPLE.COM"'));
    expect([status, body.Resources.map((user: { id: string }) => user.id)]).toEqual([200, [id]]);
  });

  // Optional in the test. The door has groups where its deployer names their attribute.
  test('10: there are groups', async () => {
    expect(await scim('GET', '/Groups')).toMatchObject({ status: 200, body: { schemas: [LIST], Resources: [] } });
    const { scim: call } = await doorFor(service.url);
    expect([(await call('GET', '/Groups')).status, (await call('POST', '/.search', {})).status]).toEqual([404, 200]);
  });

  test('11: another token is 401', async () => {
    expect(await scimCaller(url, 'non-token')('GET', query('userName eq "JORDAN@EXAMPLE.COM"'))).toMatchObject({
      status: 401,
      body: { schemas: [ERROR], status: '401', detail: expect.stringMatching(/./) },
    });
  });

  // The requests that Okta sends in its second test, of CRUD: https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-CRUD-Test.json
  test('a user is read, changed and put back whole, deactivated, activated and deactivated', async () => {
    const { body } = await scim('GET', `/Users/${id}`);
    const name = { ...body.name, givenName: 'Riley' };
    expect(await scim('PUT', `/Users/${id}`, { ...body, name, password: 'N3verSt0red!' })).toMatchObject({
      status: 200,
      body: { ...body, name, meta: {} },
    });
    for (const active of [false, true, false]) {
      const patch = { schemas: [PATCH], Operations: [{ op: 'replace', value: { active } }] };
      expect((await scim('PATCH', `/Users/${id}`, patch)).body.active).toBe(active);
      expect((await scim('GET', `/Users/${id}`)).body.active).toBe(active);
    }
  });
});

/** The group operations of Okta's document, in its order and with its bodies: https://developer.okta.com/docs/api/openapi/okta-scim/guides/scim-20 */
describe('the groups that Okta pushes', () => {
  let path = '';
  const users: string[] = [];
  const patch = (...Operations: object[]) => scim('PATCH', path, { schemas: [PATCH], Operations });
  const members = async () => (await scim('GET', path)).body.members.map(({ value }: { value: string }) => value);

  beforeAll(async () => {
    for (const userName of ['test.user@okta.local', 'another.user@okta.local'])
      users.push((await scim('POST', '/Users', { schemas: [CORE], userName })).body.id);
  });

  test('Create Groups', async () => {
    const created = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    expect(created).toMatchObject({
      status: 201,
      body: { schemas: [GROUP], displayName: 'Test SCIMv2', members: [], meta: { resourceType: 'Group' } },
    });
    path = `/Groups/${created.body.id}`;
  });

  test('Retrieve Groups, and specific Groups', async () => {
    const { status, body } = await scim('GET', '/Groups?startIndex=1&count=100');
    expect([status, body.totalResults, body.startIndex, body.itemsPerPage]).toEqual([200, 1, 1, 1]);
    const [group] = body.Resources;
    expect(group).toMatchObject({ schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    expect(await scim('GET', path)).toMatchObject({ status: 200, body: group });
  });

  test('Update a specific Group name', async () => {
    const [, , id] = path.split('/');
    expect((await patch({ op: 'replace', value: { id, displayName: 'Test SCIMv20' } })).status).toBe(204);
    expect((await scim('GET', path)).body.displayName).toBe('Test SCIMv20');
  });

  test('Update specific Group membership', async () => {
    const [one = '', other = ''] = users;
    await patch({ op: 'add', path: 'members', value: [{ value: other }] });
    const answer = await patch(
      { op: 'remove', path: `members[value eq "${other}"]` },
      { op: 'add', path: 'members', value: [{ value: one, display: 'test.user@okta.local' }] },
    );
    expect([answer.status, await members()]).toEqual([204, [one]]);
    const value = users.map((each) => ({ value: each, display: 'test.user@okta.local' }));
    expect((await patch({ op: 'replace', path: 'members', value })).status).toBe(204);
    expect(await members()).toEqual(users);
    // Custom integrations get a PUT with the whole group.
    const { body } = await scim('GET', path);
    const put = await scim('PUT', path, { ...body, members: value.slice(1) });
    expect([put.status, await members()]).toEqual([200, [other]]);
  });

  test('Delete a specific Group', async () => {
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
    expect((await scim('GET', `/Users/${users[1]}`)).body.groups).toBe(undefined);
  });
});

/**
 * The user operations of Microsoft's document, in its order and with its bodies:
 * https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups#user-operations
 */
describe('the operations that Entra documents', () => {
  const userName = 'Test_User_00aa00aa-bb11-cc22-dd33-44ee44ee44ee';
  const email = 'Test_User_11bb11bb-cc22-dd33-ee44-55ff55ff55ff@testuser.com';
  const externalId = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef';
  const user = {
    schemas: [CORE],
    id: expect.stringMatching(/^\d+$/),
    externalId,
    userName,
    name: { familyName: 'familyName', givenName: 'givenName' },
    active: true,
    emails: [{ value: email, type: 'work' }],
    meta: { resourceType: 'User', created: expect.any(String), lastModified: expect.any(String) },
  };
  let path = '';
  const patch = (...Operations: object[]) => scim('PATCH', path, { schemas: [PATCH], Operations });

  test('Create User', async () => {
    const created = await scim('POST', '/Users', {
      schemas: [CORE, ENTERPRISE],
      externalId,
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: email }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    });
    expect(created).toMatchObject({ status: 201, body: user });
    path = `/Users/${created.body.id}`;
    expect(created.headers.get('location')).toBe(`${url}/scim/v2${path}`);
  });

  test('Get User, and one who is not there', async () => {
    expect(await scim('GET', path)).toMatchObject({ status: 200, body: user });
    expect(await scim('GET', '/Users/5171a35d82074e068ce2')).toMatchObject({
      status: 404,
      body: { schemas: [ERROR], status: '404' },
    });
  });

  test.each([
    `userName eq "${userName}"`,
    `emails[type eq "work"].value eq "${email}"`,
    `externalId eq "${externalId}"`,
  ])('Get User by query: %s', async (filter) => {
    expect(await scim('GET', query(filter))).toMatchObject({
      status: 200,
      body: { schemas: [LIST], totalResults: 1, startIndex: 1, Resources: [user] },
    });
  });

  test('Get User by query - Zero results', async () => {
    const empty = { schemas: [LIST], totalResults: 0, Resources: [], startIndex: 1, itemsPerPage: 0 };
    expect(await scim('GET', query('userName eq "non-existent user"'))).toMatchObject({ status: 200, body: empty });
  });

  test('Update User [Multi-valued properties]', async () => {
    const answer = await patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    );
    const name = { familyName: 'updatedFamilyName', givenName: 'givenName' };
    expect(answer).toMatchObject({
      status: 200,
      body: { ...user, name, emails: [{ value: 'updatedEmail@microsoft.com', type: 'work' }] },
    });
  });

  test('Update User [Single-valued properties]', async () => {
    const value = '5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com';
    expect(await patch({ op: 'Replace', path: 'userName', value })).toMatchObject({
      status: 200,
      body: { userName: value },
    });
  });

  test('Disable User, also as Entra sends it without a flag in its address', async () => {
    expect((await patch({ op: 'Replace', path: 'active', value: false })).body.active).toBe(false);
    expect((await patch({ op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(true);
    expect((await patch({ op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false);
  });

  // https://learn.microsoft.com/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility
  test('Add with dotted names and no path, and attributes of the extension by their URN', async () => {
    const answer = await patch(
      { op: 'Add', value: { displayName: 'Bjfe', 'name.givenName': 'Kim', [`${ENTERPRISE}:costCenter`]: 'CC-90' } },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Sales' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: [{ $ref: null, value: 'b2bf2e06' }] },
      { op: 'Add', path: 'emails[type eq "home"].value', value: 'home@example.com' },
      { op: 'Replace', path: 'addresses[type eq "work"].streetAddress', value: '1 Road' },
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        schemas: [CORE, ENTERPRISE],
        displayName: 'Bjfe',
        name: { givenName: 'Kim', familyName: 'updatedFamilyName' },
        emails: [
          { value: 'updatedEmail@microsoft.com', type: 'work', primary: true },
          { value: 'home@example.com', type: 'home' },
        ],
        addresses: [{ streetAddress: '1 Road', type: 'work' }],
        [ENTERPRISE]: { costCenter: 'CC-90', department: 'Sales', manager: { value: 'b2bf2e06' } },
      },
    });
    const { body } = await patch({ op: 'Remove', path: `${ENTERPRISE}:manager` });
    expect(body[ENTERPRISE]).toEqual({ costCenter: 'CC-90', department: 'Sales' });
  });

  test('Add to a list that is empty, and Remove of what it chooses', async () => {
    await patch({ op: 'Remove', path: 'emails[type eq "home"]' });
    expect((await patch({ op: 'Remove', path: 'emails[type eq "work"]' })).body.emails).toBe(undefined);
    const added = await patch({ op: 'Add', path: 'emails[type eq "work"].value', value: 'again@example.com' });
    expect(added.body.emails).toEqual([{ value: 'again@example.com', type: 'work' }]);
  });

  test('Delete User', async () => {
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
  });

  test('schemas are discovered', async () => {
    const { body } = await scim('GET', '/Schemas');
    expect(body.Resources.map(({ id }: { id: string }) => id)).toEqual([CORE, ENTERPRISE, GROUP]);
    expect(
      (await scim('GET', `/Schemas/${ENTERPRISE}`)).body.attributes.map(({ name }: { name: string }) => name),
    ).toEqual([...['employeeNumber', 'costCenter', 'organization', 'division', 'department', 'manager']]);
  });
});

/** The group operations of the same document: https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups#group-operations */
describe('the group operations that Entra documents', () => {
  const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159';
  const group = { schemas: [GROUP], externalId, displayName: 'displayName', meta: { resourceType: 'Group' } };
  let path = '';
  let user = '';
  const patch = (operation: object) => scim('PATCH', path, { schemas: [PATCH], Operations: [operation] });
  const members = async () => (await scim('GET', path)).body.members.map(({ value }: { value: string }) => value);

  test('Create Group', async () => {
    user = (await scim('POST', '/Users', { schemas: [CORE], userName: 'member@testuser.com' })).body.id;
    const schemas = [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'];
    const created = await scim('POST', '/Groups', { ...group, schemas });
    expect(created).toMatchObject({ status: 201, body: { ...group, members: [] } });
    path = `/Groups/${created.body.id}`;
  });

  test('Get Group, and by displayName, without members', async () => {
    const one = await scim('GET', `${path}?excludedAttributes=members`);
    expect(one).toMatchObject({ status: 200, body: group });
    expect(one.body.members).toBe(undefined);
    const found = await scim('GET', `/Groups?excludedAttributes=members&filter=displayName eq "displayName"`);
    expect(found).toMatchObject({ status: 200, body: { schemas: [LIST], totalResults: 1, Resources: [group] } });
    expect(found.body.Resources[0].members).toBe(undefined);
    expect((await scim('GET', query(`externalId eq "${externalId}"`, '/Groups'))).body.totalResults).toBe(1);
  });

  test('Update Group [Non-member attributes]', async () => {
    const value = '1879db59-3bdf-4490-ad68-ab880a269474updatedDisplayName';
    expect((await patch({ op: 'Replace', path: 'displayName', value })).status).toBe(204);
    expect((await scim('GET', path)).body.displayName).toBe(value);
  });

  test('Update Group [Add Members], [Remove Members]', async () => {
    const value = [{ $ref: null, value: user }];
    expect((await patch({ op: 'Add', path: 'members', value })).status).toBe(204);
    expect(await members()).toEqual([user]);
    expect((await patch({ op: 'Remove', path: 'members', value })).status).toBe(204);
    expect(await members()).toEqual([]);
    // With the flag aadOptscim062020, as RFC 7644 has it.
    await patch({ op: 'Add', path: 'members', value });
    expect((await patch({ op: 'Remove', path: `members[value eq "${user}"]` })).status).toBe(204);
    expect(await members()).toEqual([]);
  });

  test('Delete Group', async () => {
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
  });
});

/** Requests of the collections that Microsoft publishes beside its sample: https://github.com/AzureAD/SCIMReferenceCode */
describe('the collections that Microsoft publishes', () => {
  const omalley = {
    ...{ userName: 'OMalley', active: 'True', roles: [], displayName: 'Kimberly Baker' },
    addresses: [
      { country: 'Bermuda', formatted: '9132 Way\nSouth, MI', locality: null, type: 'work', primary: false },
      { country: null, formatted: '18522 Unions\nEast, CT', region: null, type: 'other', primary: false },
    ],
    emails: [
      { type: 'work', Primary: true, value: 'anna33@gmail.com' },
      { type: 'work', Primary: false, value: 'anna33@example.com' },
    ],
    meta: { created: '2019-09-18T18:15:26.5788954+00:00', resourceType: 'User' },
    name: { formatted: 'Daniel Mcgee', familyName: 'Employee', honorificPrefix: null },
    [ENTERPRISE]: { Department: 'bob', Manager: { Value: 'SuzzyQ' } },
    schemas: [CORE],
  };
  let path = '';

  test('a user has names in any case, nothing for null, lines in an address and two addresses for work', async () => {
    const created = await scim('POST', '/Users', omalley);
    path = `/Users/${created.body.id}`;
    const seen = {
      active: true,
      emails: [
        { type: 'work', primary: true, value: 'anna33@gmail.com' },
        { type: 'work', primary: false, value: 'anna33@example.com' },
      ],
      addresses: [
        { country: 'Bermuda', formatted: '9132 Way\nSouth, MI', type: 'work', primary: false },
        { formatted: '18522 Unions\nEast, CT', type: 'other', primary: false },
      ],
      [ENTERPRISE]: { department: 'bob', manager: { value: 'SuzzyQ' } },
    };
    expect(created).toMatchObject({ status: 201, body: seen });
    expect((await scim('GET', path)).body).toEqual(created.body);
  });

  test.each([
    ['a misspelt attribute', { ...omalley, adreses: [] }, 'invalidPath'],
    ['no userName', { ...omalley, userName: undefined, userame: 'OMalley' }, 'invalidPath'],
    ['an address that is none', { ...omalley, emails: [{ type: 'work', value: 'emailName357' }] }, 'invalidValue'],
  ])('a PUT with %s is refused', async (_, body, scimType) => {
    expect(await scim('PUT', path, body)).toMatchObject({ status: 400, body: { scimType } });
  });

  test.each(['emails[type eq "work"]', 'emails.value,(userName)'])('attributes=%s is refused', async (attributes) => {
    for (const name of ['attributes', 'excludedAttributes']) {
      const query = new URLSearchParams({ [name]: attributes });
      for (const [method, to] of [
        ['GET', '/Users'],
        ['PUT', path],
      ] as const)
        expect(
          await scim(method, `${to}?${query}`, method === 'PUT' ? { userName: 'other' } : undefined),
        ).toMatchObject({
          status: 400,
          body: { scimType: 'invalidPath' },
        });
    }
    expect((await scim('GET', path)).body.userName).toBe('OMalley');
  });

  test.each([
    ['name.FamilyName eq "Employee" and (emails.Value co "example.com" or emails.Value co "example.org")', 1],
    [
      'active eq true and (meta.lastModified ge "0001-01-03T00:00:00.0000000Z" and meta.lastModified le "9999-01-01T00:00:00Z")',
      2,
    ],
    ['(ActiVe eq true) and meta.lastmodified ge "2021-09-23T19:35:41.8420572Z"', 2],
    ['meta.Created gt "2015-10-10T14:38:21.8617979-07:00" and userName sw "OM"', 1],
  ])('%s', async (filter, totalResults) => {
    expect((await scim('GET', query(filter))).body).toMatchObject({
      totalResults,
      Resources: expect.arrayContaining([expect.objectContaining({ userName: 'OMalley' })]),
    });
  });

  test('a manager is written by its URN with a dot', async () => {
    const Operations = [{ op: 'replace', path: `${ENTERPRISE}.manager`, value: '7' }];
    expect((await scim('PATCH', path, { Operations })).body[ENTERPRISE].manager).toEqual({ value: '7' });
    expect((await scim('GET', '/Schemas')).body.Resources[0].description).toBe('User Account');
  });
});

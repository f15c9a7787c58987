import { expect, test, vi } from 'vitest';
import { FIELD_NAMES } from '../../../lib/users/user.ts';
import { type Attributes, user } from '../../../schemas/user.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

logOfEachTest();

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

/** Each test has its own country. */
const edit = (query: string, json: object, headers: Record<string, string> = {}) =>
  call('POST', `/api/users/edits?${query}`, { json, headers });

const listed = async (query: string) =>
  ((await call('GET', `/api/users?size=100&${query}`)).body as { content: { id: number }[] }).content;

/** Without the moments of their last changes. */
const statesOf = (users: object[]) => users.map((user) => ({ ...user, updatedAt: undefined }));

test('a dry run says who matches, what becomes of some, and what it costs, and writes nothing', async () => {
  await service.users.createMany([
    { name: 'Ann', country: 'AA', status: 'active', age: 30 },
    { name: 'Bea', country: 'AA', status: 'inactive' },
    { name: 'Cem', country: 'AA' },
  ]);
  const answer = await edit('country=AA', { patch: { status: 'inactive', age: null }, dryRun: true });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      total: 3,
      examples: [
        { name: 'Ann', before: { status: 'active', age: 30 }, after: { status: 'inactive' } },
        { before: {}, after: { status: 'inactive' } },
      ],
    },
  });
  expect(await listed('country=AA&status=inactive')).toMatchObject([{ name: 'Bea' }]);
});

test('an edit changes whoever matches, and each change names it', async () => {
  const [ann, bea] = await service.users.createMany([
    { name: 'Ann', country: 'BB', status: 'active' },
    { name: 'Bea', country: 'BB', status: 'inactive' },
    { name: 'Cem', country: 'CC', status: 'active' },
  ]);
  const { status, body } = await edit('country=BB', { patch: { status: 'inactive' }, atMost: 2 });
  expect([status, body]).toEqual([
    200,
    { edit: expect.stringMatching(/^[0-9a-f]{16}$/), changed: 1, unchanged: 1, failed: [], left: 0 },
  ]);
  const { edit: name } = body as { edit: string };
  expect((await call('GET', `/api/users/${ann?.id}/changes`)).body).toMatchObject([
    { edit: name, before: { status: 'active' } },
    {},
  ]);
  expect((await call('GET', `/api/users/${bea?.id}/changes`)).body).toHaveLength(1);
  await service.fold();
  expect((await call('GET', '/api/users/changes?before=now&size=1')).body).toMatchObject({
    changes: [{ id: ann?.id, edit: name }],
  });
  // The same call, with the edit, has nothing left to do.
  await service.users.createMany([{ name: 'Dan', country: 'BB' }]);
  expect((await edit('country=BB', { patch: { status: 'inactive' }, atMost: 2, edit: name })).body).toEqual(body);
});

test('an edit is told of: how many it has changed, when it began, and who failed', async () => {
  const [, bea] = await service.users.createMany([
    { name: 'Ann', country: 'II', attributes: { tags: ['a'] } },
    { name: 'Bea', country: 'II', attributes: { tags: 'a' } },
    { name: 'Cem', country: 'II', attributes: { tags: ['b'] } },
  ]);
  const { body } = await edit('country=II', { add: { attributes: { tags: ['b'] } }, atMost: 3 });
  const path = `/api/users/edits/${(body as { edit: string }).edit}`;
  const failed = [
    { id: bea?.id, status: 400, message: 'attributes.tags is not an array of texts', code: 'validation' },
  ];
  expect(await call('GET', path)).toMatchObject({ status: 200, body: { changed: 1, unchanged: 1, failed, left: 0 } });
  const told = await call('GET', path);
  expect(told.body).toEqual({ ...(body as object), at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) });
  await call('POST', `${path}/undo`);
  expect((await call('GET', `${path}-undo`)).body).toMatchObject({ changed: 1, failed: [], left: 0 });
  expect([
    await call('GET', '/api/users/edits/0123456789abcdef'),
    await call('GET', '/api/users/edits/x'),
  ]).toMatchObject([
    { status: 404, body: { status: 404, message: 'There is no edit 0123456789abcdef, or it is no longer kept' } },
    { status: 404, body: { status: 404, message: 'There is no edit x, or it is no longer kept' } },
  ]);
});

test('telling of an edit costs two read units, however many users it has changed', async () => {
  await service.users.createMany(Array.from({ length: 450 }, (_, n) => ({ name: `n${n}`, country: 'JJ' })));
  const json = { patch: { age: 7 }, atMost: 450 };
  let name: string | undefined;
  // A call works for twenty seconds, in which a busy machine may not come to all.
  for (let left = 1; left > 0; ) {
    const { body } = await edit('country=JJ', { ...json, ...(name !== undefined && { edit: name }) });
    ({ edit: name, left } = body as { edit: string; left: number });
  }
  const { headers, body } = await call('GET', `/api/users/edits/${name}`);
  expect(body).toMatchObject({ changed: 450, left: 0 });
  expect(headers.get('server-timing')).toMatch(/^dynamodb;desc="2 RRU";/);
});

test('where no changes are kept, no edit is told of', async () => {
  vi.stubEnv('HISTORY_DAYS', '0');
  const forgetful = await handlerCalls(await serviceOn.embedded({ historyDays: 0 }));
  vi.unstubAllEnvs();
  const { body } = await forgetful('POST', '/api/users/edits?country=II', { json: { delete: true, atMost: 1 } });
  const { status } = await forgetful('GET', `/api/users/edits/${(body as { edit: string }).edit}`);
  expect(status).toBe(404);
});

test('an undo gives back what users had, brings the deleted back with their ids, and names the others', async () => {
  const created = await service.users.createMany([
    { name: 'Ann', country: 'DD', age: 30, attributes: { team: 'red' }, externalId: 'x|1' },
    { name: 'Bea', country: 'DD' },
    { name: 'Cem', country: 'DD' },
    { name: 'Dan', country: 'DD' },
  ]);
  const before = await listed('country=DD');
  const [, bea, cem, dan] = created.map(({ id }) => id);
  const { body } = await edit('country=DD', { delete: true, atMost: 4 });
  expect(body).toMatchObject({ changed: 4, left: 0 });
  const path = `/api/users/edits/${(body as { edit: string }).edit}`;
  await service.users.createWithId(bea ?? 0, { name: 'Another' });
  await call('DELETE', `/api/users/${cem}/changes`);
  const undone = await call('POST', `${path}/undo`);
  const failed = [
    { id: bea, status: 412, message: 'The user has changed since the edit', code: 'precondition-failed' },
    { id: cem, status: 410, message: 'The values of the user before the edit were erased', code: 'past-gone' },
  ];
  expect([undone.status, undone.body]).toEqual([
    200,
    { edit: `${(body as { edit: string }).edit}-undo`, changed: 2, unchanged: 0, failed, left: 0 },
  ]);
  const back = before.filter(({ id }) => id !== bea && id !== cem);
  expect(statesOf(await listed('country=DD'))).toEqual(statesOf(back));
  expect((await call('POST', `${path}/undo`)).body).toEqual(undone.body);
  expect((await call('GET', `/api/users/${dan}/changes`)).body).toMatchObject([
    { type: 'created', edit: (undone.body as { edit: string }).edit },
    { type: 'deleted' },
    { type: 'created' },
  ]);
  // An undo is an edit.
  expect((await call('POST', `${path}-undo/undo`)).body).toMatchObject({ changed: 2, failed: [], left: 0 });
  expect(await listed('country=DD')).toEqual([]);
  expect((await call('POST', '/api/users/edits/0123456789abcdef/undo')).status).toBe(404);
  expect((await call('POST', '/api/users/edits/x/undo')).status).toBe(404);
});

test('an undo that is sent again tries once more what failed, and no more when it is undone itself', async () => {
  const external = (n: number) => ({ externalId: `again|${n}` });
  const users = await service.users.createMany(
    [0, 1, 2].map((n) => ({ name: `n${n}`, country: 'GH', ...external(n) })),
  );
  const ids = users.map(({ id }) => id);
  const { edit: name } = (await edit('country=GH', { delete: true, atMost: 3 })).body as { edit: string };
  const [first, second] = await service.users.createMany([0, 1].map((n) => ({ name: 'Other', ...external(n) })));
  const undo = async (own = name) => (await call('POST', `/api/users/edits/${own}/undo`)).body;
  const taken = { status: 409, message: 'There is a user with this externalId', code: 'external-id-taken' };
  const report = { edit: `${name}-undo`, unchanged: 0, left: 0 };
  const failed = ids.slice(0, 2).map((id) => ({ id, ...taken }));
  expect(await undo()).toEqual({ ...report, changed: 1, failed });
  expect(await undo()).toEqual({ ...report, changed: 1, failed });
  await service.users.delete(first?.id ?? 0);
  expect(await undo()).toEqual({ ...report, changed: 2, failed: failed.slice(1) });
  expect(await listed('country=GH')).toMatchObject([
    { id: ids[0], name: 'n0', ...external(0) },
    { id: ids[2], name: 'n2' },
  ]);
  expect((await call('GET', `/api/users/${ids[0]}/changes`)).body).toMatchObject([
    { type: 'created', edit: `${name}-undo` },
    { type: 'deleted', edit: name },
    { type: 'created' },
  ]);
  expect(await undo(`${name}-undo`)).toMatchObject({ changed: 2, failed: [], left: 0 });
  await service.users.delete(second?.id ?? 0);
  expect(await undo()).toEqual({ ...report, changed: 2, failed: failed.slice(1) });
  expect(await listed('country=GH')).toEqual([]);
});

test('an edit adds texts to lists and removes others, and its undo gives the lists back', async () => {
  const full = Array.from({ length: 20 }, (_, n) => `t${n}`);
  const attributes: (Attributes | undefined)[] = [
    { tags: ['old', 'vip'], team: 'red' },
    { tags: ['old', 'b'] },
    { tags: ['vip'], constructor: ['x'], valueOf: ['x'] },
    { tags: 'old' },
    { tags: full },
    undefined,
  ];
  const users = await service.users.createMany(
    attributes.map((own, n) => ({ name: `n${n}`, country: 'HH', ...(own && { attributes: own }) })),
  );
  const before = await listed('country=HH');
  const change = {
    patch: { attributes: { team: 'blue' } },
    remove: { attributes: { tags: ['old'], constructor: ['x'], toString: ['x'], valueOf: ['y'] } },
    add: { attributes: { tags: ['vip', 'new'], valueOf: ['x', 'z'] } },
  };
  const { edit: name, ...report } = (await edit('country=HH', { ...change, atMost: 6 })).body as { edit: string };
  const failed = [
    { id: users[3]?.id, status: 400, message: 'attributes.tags is not an array of texts', code: 'validation' },
    { id: users[4]?.id, status: 400, message: 'attributes.tags must have at most 20 texts', code: 'validation' },
  ];
  expect(report).toEqual({ changed: 4, unchanged: 0, failed, left: 0 });
  const changed = { team: 'blue', valueOf: ['x', 'z'] };
  expect((await listed('country=HH')).map((user) => (user as { attributes?: object }).attributes)).toEqual([
    { tags: ['vip', 'new'], ...changed },
    { tags: ['b', 'vip', 'new'], ...changed },
    { tags: ['vip', 'new'], ...changed },
    { tags: 'old' },
    { tags: full },
    { tags: ['vip', 'new'], ...changed },
  ]);
  expect((await edit('country=HH', { ...change, atMost: 6 })).body).toMatchObject({ changed: 0, unchanged: 4 });
  expect((await call('POST', `/api/users/edits/${name}/undo`)).body).toMatchObject({ changed: 4, failed: [] });
  expect(statesOf(await listed('country=HH'))).toEqual(statesOf(before));
  const emptied = await edit('country=HH', { remove: { attributes: { tags: ['vip', 'old'] } }, dryRun: true });
  expect(emptied.body).toMatchObject({
    total: 6,
    examples: [
      { id: users[0]?.id, name: 'n0', before: { attributes: { tags: ['old', 'vip'] } }, after: {} },
      { name: 'n1', after: { attributes: { tags: ['b'] } } },
      { name: 'n2' },
    ],
  });
});

const refusals: [query: string, json: object, message: string][] = [
  ['country=EE', { patch: { age: 1 } }, 'atMost is required'],
  ['country=EE', { patch: { age: -1 }, atMost: 1 }, 'Age must be positive'],
  ['country=EE', { patch: { name: null }, atMost: 1 }, 'Name is required'],
  [
    'country=EE',
    { patch: { externalId: 'x' }, atMost: 1 },
    'Users cannot share an externalId, so an edit cannot change it',
  ],
  ['country=EE', { patch: { externalId: null }, dryRun: true }, 'Users cannot share an externalId'],
  ['country=EE', { patch: [], atMost: 1 }, 'patch must be an object'],
  ['country=EE', { patch: { age: 1 }, delete: true, atMost: 1 }, 'Request body must have patch, remove or add, or'],
  ['country=EE', { atMost: 1 }, 'Request body must have patch, remove or add, or'],
  ['country=EE', { add: { attributes: { tags: ['a'] } }, delete: true, atMost: 1 }, 'Request body must have patch'],
  ['country=EE', { add: {}, atMost: 1 }, 'add.attributes is required'],
  ['country=EE', { add: { attributes: {} }, atMost: 1 }, 'add.attributes must not be empty'],
  ['country=EE', { remove: { attributes: { tags: [] } }, atMost: 1 }, 'remove.attributes.tags must not be empty'],
  ['country=EE', { add: { attributes: { tags: 'a' } }, atMost: 1 }, 'add.attributes.tags must be an array'],
  [
    'country=EE',
    { add: { attributes: { 'a b': ['a'] } }, atMost: 1 },
    'add.attributes.a b is not a name of an attribute',
  ],
  ['country=EE', { add: { tags: ['a'] }, atMost: 1 }, 'add.attributes is required'],
  [
    'country=EE',
    { patch: { attributes: { tags: 1 } }, add: { attributes: { tags: ['a'] } }, atMost: 1 },
    'tags is not an array',
  ],
  [
    'country=EE',
    { add: { attributes: { tags: ['b', 'a'] } }, remove: { attributes: { tags: ['a'] } }, atMost: 1 },
    'attributes.tags has the same text in add and remove',
  ],
  ['country=EE', { patch: { age: 1 }, atmost: 1 }, 'atmost is not known: is atMost meant?'],
  ['country=EE', { status: 'x', atMost: 1 }, 'status is not known: is patch.status meant?'],
  ['country=EE', { patch: { stauts: 'x' }, dryRun: true }, 'patch.stauts is not known: is status meant?'],
  ['country=EE', { patch: { age: 1, stauts: null }, atMost: 1 }, 'patch.stauts is not known: is status meant?'],
  ['country=EE', { patch: { surname: 'x' }, atMost: 1 }, 'patch.surname is not known: is lastName meant?'],
  ['country=EE', { patch: { team: 'x' }, atMost: 1 }, 'patch.team is not known: is attributes.team meant?'],
  ['country=EE', { patch: { 'profile.team': 'x' }, atMost: 1 }, 'patch.profile.team is not known: is attributes.team'],
  ['country=EE', { patch: { 'attributes.a': 1 }, atMost: 1 }, 'is not known: is the member a of attributes meant?'],
  ['country=EE', { patch: { token: 'x' }, atMost: 1 }, 'patch.token is not known: is attributes.token meant?'],
  ['country=EE', { patch: { '7': 'x' }, atMost: 1 }, 'patch.7 is not known'],
  [
    'country=EE',
    { add: { attributes: { tags: ['a'] }, tags: ['a'] }, atMost: 1 },
    'add.tags is not known: is attributes.tags meant?',
  ],
  ['country=EE', { patch: { age: 1 }, atMost: 0 }, 'atMost must be at least 1'],
  ['country=EE', { patch: { age: 1 }, dryRun: true, edit: '0123456789abcdef' }, 'dryRun cannot be combined with edit'],
  [
    'country=EE',
    { patch: { age: 1 }, atMost: 1, edit: 'x' },
    'edit must be the name that an earlier call has returned',
  ],
  ['', { patch: { age: 1 }, atMost: 1 }, 'Without a filter this is an edit of all users: it needs "everybody": true'],
  ['country=', { delete: true, dryRun: true }, 'country must not be blank'],
  ['status=inactive&email=', { delete: true, dryRun: true }, 'email must not be blank'],
  ['status=inactive&id=', { delete: true, atMost: 9 }, 'id must not be blank'],
  ['status=inactive&status=', { delete: true, atMost: 9 }, 'status must not be blank'],
  ['status=inactive&q=%20', { delete: true, dryRun: true, everybody: true }, 'q must not be blank'],
  ['status=inactive&attributes.team.not=', { delete: true, dryRun: true }, 'attributes.team.not must not be blank'],
  ['contry=EE', { patch: { age: 1 }, atMost: 1, everybody: true }, 'Unknown parameter contry'],
  ['age=x', { patch: { age: 1 }, atMost: 1 }, 'age must be an integer'],
];

test.each(refusals)('an edit of %s with %j is refused', async (query, json, message) => {
  const { status, body } = await edit(query, json, { prefer: 'handling=lenient' });
  expect([status, body]).toEqual([400, { status: 400, message: expect.stringContaining(message) }]);
});

test('problem details of an edit name each member of its patch that nobody can write', async () => {
  const own = Object.keys(user.properties).filter((name) => !FIELD_NAMES.some((field) => field === name));
  expect(own).toEqual(['id', 'createdAt', 'updatedAt']);
  for (const name of own)
    expect((await edit('country=EF', { patch: { age: 7, [name]: 'x' }, atMost: 1 })).body).toEqual({
      status: 400,
      message: `patch.${name} is given by the service, and cannot be changed`,
    });
  const accept = { accept: 'application/problem+json' };
  const unknown = await edit('country=EF', { patch: { stauts: 'x', teams: 1, name: null }, atMost: 1 }, accept);
  expect(unknown.body).toMatchObject({
    type: 'urn:problem:validation',
    errors: [
      { detail: 'patch.stauts is not known: is status meant?', pointer: '/patch/stauts' },
      { detail: 'patch.teams is not known: is attributes.teams meant?', pointer: '/patch/teams' },
    ],
  });
});

test('where e-mails are unique, an edit gives none', async () => {
  vi.stubEnv('UNIQUE_EMAILS', 'true');
  const unique = await handlerCalls(await serviceOn.embedded({ uniqueEmails: true }));
  vi.unstubAllEnvs();
  const answer = async (email: string | null) =>
    (await unique('POST', '/api/users/edits?country=EE', { json: { patch: { email }, dryRun: true } })).status;
  expect([await answer('a@example.com'), await answer(null)]).toEqual([400, 200]);
});

test('an edit changes no more than it may, and one of its calls goes on with what was begun', async () => {
  const users = await service.users.createMany(
    Array.from({ length: 3 }, (_, n) => ({ name: `n${n}`, country: 'FF', attributes: { n } })),
  );
  const patch = { attributes: { team: 'red' } };
  const refused = await edit('country=FF', { patch, atMost: 2 });
  expect([refused.status, refused.body]).toEqual([409, { status: 409, message: '3 users match, more than atMost' }]);
  const headers = { 'idempotency-key': 'edit' };
  const { body } = await edit('country=FF&attributes.n.gte=1', { patch, atMost: 2 }, headers);
  expect(body).toMatchObject({ changed: 2, left: 0 });
  expect((await edit('attributes.n.gte=1&country=FF', { patch, atMost: 2 }, headers)).body).toEqual(body);
  expect((await edit('country=FF', { patch, atMost: 2 }, headers)).status).toBe(422);
  // A space is a value.
  expect((await edit('attributes.n.gte=1&country=FF&status=%20', { patch, atMost: 2 }, headers)).status).toBe(422);
  expect(await listed('country=FF&attributes.team=red')).toMatchObject([
    { id: users[1]?.id, attributes: { n: 1, team: 'red' } },
    { id: users[2]?.id },
  ]);
});

test('a preview says what an edit costs, with what is done later', async () => {
  const attributes = { note: 'x'.repeat(400) };
  const person = { lastName: 'Lee', status: 'active', country: 'GG', age: 30, attributes };
  await service.users.createMany(
    Array.from({ length: 50 }, (_, n) => ({ ...person, name: `n${n}`, externalId: `g${n}` })),
  );
  const unitsOf = async (json: object) => {
    const { units } = (await edit('country=GG', { ...json, dryRun: true })).body as { units: { write: number } };
    const { headers } = await edit('country=GG', { ...json, atMost: 50 });
    const [, now] = /, (\d+) WRU/.exec(headers.get('server-timing') ?? '') ?? [];
    return [units.write, Number(now)];
  };
  // An entry and its place in the history are two units later, the feed, deltas and merges 1.2; a step is two, and so are the first and the last one.
  expect(await unitsOf({ patch: { age: 31 } })).toEqual([511, 7 * 50 + 6]);
  expect(await unitsOf({ patch: { status: 'inactive' } })).toEqual([561, 8 * 50 + 6]);
  expect(await unitsOf({ delete: true })).toEqual([611, 9 * 50 + 6]);
});

test('an undo says beforehand whom it would give back, writes nothing then, and is refused for more users than it may', async () => {
  await service.users.createMany([
    { name: 'Ann', country: 'UU', age: 30 },
    { name: 'Bea', country: 'UU' },
    { name: 'Cem', country: 'UU', age: 7 },
  ]);
  const { body } = await edit('country=UU', { patch: { age: 7 }, atMost: 3 });
  expect(body).toMatchObject({ changed: 2, unchanged: 1 });
  const path = `/api/users/edits/${(body as { edit: string }).edit}`;
  const undo = (json?: unknown, headers: Record<string, string> = {}) =>
    call('POST', `${path}/undo`, json === undefined ? { headers } : { body: JSON.stringify(json), headers });
  const dry = await undo({ dryRun: true, atMost: 1 });
  expect(dry).toMatchObject({
    status: 200,
    body: {
      total: 2,
      examples: [
        { name: 'Ann', before: { age: 7 }, after: { age: 30 } },
        { name: 'Bea', before: { age: 7 }, after: {} },
      ],
    },
  });
  expect(dry.headers.get('server-timing')).not.toContain('WRU');
  expect(await undo({ atMost: 1 })).toMatchObject({
    status: 409,
    body: { message: '2 users are left to give back, more than atMost' },
  });
  expect((await call('GET', `${path}-undo`)).status).toBe(404);
  for (const [json, message] of [
    [{ dryrun: true }, 'dryrun is not known: is dryRun meant?'],
    [{ dryRun: 'true' }, 'dryRun must be a boolean'],
    [{ atMost: 0 }, 'atMost must be at least 1'],
    [{ atMost: '9' }, 'atMost must be an integer'],
    [[], 'Request body must be a JSON object'],
    [null, 'Request body must be a JSON object'],
    [true, 'Request body must be a JSON object'],
  ])
    expect([json, (await undo(json)).body]).toEqual([json, { status: 400, message }]);
  for (const [text, status] of [
    ['not json', 400],
    [' ', 400],
    ['dryRun=true', 400],
    ['{"atMost":1', 400],
  ] as const)
    expect([text, (await call('POST', `${path}/undo`, { body: text })).status]).toEqual([text, status]);
  expect(await undo({ atMost: 9 }, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 });
  expect(await listed('country=UU&age=7')).toHaveLength(3);
  expect(await undo({ atMost: 2, dryRun: null })).toMatchObject({
    status: 200,
    body: { changed: 2, failed: [], left: 0 },
  });
  expect(await listed('country=UU&age=7')).toMatchObject([{ name: 'Cem' }]);
  // Nobody is left.
  expect((await undo({ dryRun: true })).body).toMatchObject({ total: 0, examples: [], units: { write: 0 } });
  expect(await undo({ atMost: 1 })).toMatchObject({ status: 200, body: { changed: 2, left: 0 } });
  expect((await undo(undefined, { 'content-type': 'text/plain' })).status).toBe(200);
});

test('the preview of the undo of a deletion shows whom it brings back, and its price is that of the undo, about', async () => {
  const many = Array.from({ length: 30 }, (_, n) => ({ name: `n${n}`, country: 'VV', email: `n${n}@example.org` }));
  await service.users.createMany(many);
  const { body } = await edit('country=VV', { delete: true, atMost: 30 });
  const path = `/api/users/edits/${(body as { edit: string }).edit}/undo`;
  const preview = (await call('POST', path, { json: { dryRun: true } })).body as {
    total: number;
    examples: object[];
    units: { read: number; write: number };
  };
  expect(preview).toMatchObject({ total: 30, examples: expect.arrayContaining([]) });
  expect(preview.examples).toHaveLength(5);
  expect(preview.examples[0]).toMatchObject({ name: 'n0', before: {}, after: { name: 'n0', email: 'n0@example.org' } });
  const { headers, body: undone } = await call('POST', path, { json: { atMost: 30 } });
  expect(undone).toMatchObject({ changed: 30, left: 0 });
  const [, written = 0] = /, ([\d.]+) WRU/.exec(headers.get('server-timing') ?? '') ?? [];
  // Later work, such as keeping the change, is in the preview alone.
  expect(preview.units.write / Number(written)).toBeGreaterThan(1);
  expect(preview.units.write / Number(written)).toBeLessThan(1.6);
});

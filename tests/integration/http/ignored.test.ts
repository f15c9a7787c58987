import { describe, expect, test } from 'vitest';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { serviceOn } from '../../support/service.ts';

const log = logOfEachTest();

const service = await serviceOn.embedded();
const call = await handlerCalls(service);

const STRICT = { prefer: 'handling=strict' };
const PROBLEM = { accept: 'application/problem+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

/** A new user, and the path of it. */
async function newUser(fields: object = {}): Promise<string> {
  const { body } = await call('POST', '/api/users', { json: { name: 'Ann', ...fields } });
  return `/api/users/${(body as { id: number }).id}`;
}

describe('members of a body that nothing comes of', () => {
  test.each<[string, string, object]>([
    ['team', 'is attributes.team meant?', { team: 'red' }],
    ['attributes.team', 'is the member team of attributes meant?', { 'attributes.team': 'red' }],
    ['first_name', 'is firstName meant?', { first_name: 'A' }],
    ['username', 'is email meant?', { username: 'a@b.org' }],
  ])('such as %s are named, and refused with handling=strict: %s', async (name, meant, members) => {
    const path = await newUser();
    const requests = [
      ['POST', '/api/users', { name: 'Bea', ...members }],
      ['PUT', path, { name: 'Ann', ...members }],
      ['PUT', '/api/users?externalId=x', { name: 'Cem', ...members }],
      ['PATCH', path, members],
    ] as const;
    for (const [method, target, json] of requests) {
      const refused = await call(method, target, { json, headers: { ...STRICT, ...PROBLEM } });
      expect([method, refused.status, refused.body]).toEqual([
        method,
        400,
        {
          ...{ type: 'urn:problem:validation', title: 'The body is not valid', status: 400 },
          detail: `${name} is not known: ${meant}`,
          errors: [{ detail: `${name} is not known: ${meant}`, pointer: `/${name}` }],
        },
      ]);
      expect(refused.headers.get('preference-applied')).toBe('handling=strict');
      const { status, headers } = await call(method, target, { json });
      expect([method, status < 300, headers.get('ignored-members')]).toEqual([method, true, name]);
    }
    expect(await call('GET', path)).toMatchObject({ body: { name: 'Ann' }, headers: expect.anything() });
  });

  test('are named once, all with strict handling, and each by its number alone in the log', async () => {
    const json = { name: 'Dan', 'a b': 1, 'c"d\\': 2, é: 3, '': 4, id: 5, createdAt: 'x', updatedAt: null };
    const { status, headers } = await call('POST', '/api/users', { json });
    expect([status, headers.get('ignored-members')]).toEqual([201, String.raw`"a b", "c\"d\\", "?", ""`]);
    expect(log.requests.at(-1)).toMatchObject({ status: 201, ignoredMembers: 4 });
    const refused = await call('POST', '/api/users', { json, headers: STRICT });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        status: 400,
        message: String.raw`a b is not known; c"d\ is not known; é is not known;  is not known`,
      },
    });
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x${n}${'y'.repeat(20)}`, n]));
    const named = (await call('POST', '/api/users', { json: { name: 'Eve', ...many } })).headers.get('ignored-members');
    expect(named?.split(', ')).toEqual(Object.keys(many).slice(0, 20));
    const long = { name: 'Eve', ['\u{1f600}'.repeat(5_000)]: 1 };
    expect((await call('POST', '/api/users', { json: long })).headers.get('ignored-members')).toBe(
      `"${'?'.repeat(32)}"`,
    );
  });

  test('are none in what a client got before, with strict handling, too', async () => {
    const path = await newUser({ email: 'ann@example.org', attributes: { team: 'red' } });
    const { body } = await call('GET', path);
    const { status, headers } = await call('PUT', path, { json: body as object, headers: STRICT });
    expect([status, headers.get('ignored-members'), headers.get('preference-applied')]).toEqual([
      200,
      null,
      'handling=strict',
    ]);
  });

  test.each<[string, object[], string | null]>([
    ['an addition', [{ op: 'add', path: '/squad', value: 'x' }], 'squad'],
    ['a copy', [{ op: 'copy', from: '/name', path: '/team~1s' }], '"team/s"'],
    ['a new user', [{ op: 'replace', path: '', value: { name: 'Ann', team: 1 } }], 'team'],
    [
      'an addition that is taken back',
      [
        { op: 'add', path: '/x', value: 1 },
        { op: 'remove', path: '/x' },
      ],
      null,
    ],
    [
      'a move over another place',
      [
        { op: 'add', path: '/x', value: 'B' },
        { op: 'move', from: '/x', path: '/name' },
      ],
      null,
    ],
    [
      'a test, and what the service gives',
      [
        { op: 'test', path: '/name', value: 'Ann' },
        { op: 'add', path: '/id', value: 1 },
      ],
      null,
    ],
  ])('of a JSON Patch are what %s leaves', async (_, json, named) => {
    const path = await newUser();
    const { status, headers } = await call('PATCH', path, { json, headers: JSON_PATCH });
    expect([status, headers.get('ignored-members')]).toEqual([200, named]);
    const again = await call('PATCH', await newUser(), { json, headers: { ...JSON_PATCH, ...STRICT } });
    expect(again.status).toBe(named === null ? 200 : 400);
  });

  test('are those of each operation of a batch', async () => {
    const path = await newUser();
    const id = Number(path.split('/').at(-1));
    const operations = [
      { op: 'create', user: { name: 'Fay', team: 'red', id: 1 } },
      { op: 'patch', id, patch: { 'attributes.team': 'red', squad: 1 } },
      { op: 'patch', id, patch: { age: 3 } },
    ];
    const json = { operations, dryRun: true };
    const { body, headers } = await call('POST', '/api/users/batch', { json });
    expect(body).toMatchObject({
      results: [
        { status: 201, ignored: ['team'] },
        { status: 200, ignored: ['attributes.team', 'squad'] },
        { status: 200 },
      ],
    });
    expect((body as { results: object[] }).results[2]).not.toHaveProperty('ignored');
    expect(headers.get('ignored-members')).toBe('dryRun');
    const strict = await call('POST', '/api/users/batch', { json: { operations }, headers: STRICT });
    expect(strict.body).toMatchObject({
      results: [
        { status: 400, message: 'team is not known: is attributes.team meant?', code: 'validation' },
        { status: 400, message: expect.stringContaining('squad is not known') },
        { status: 200 },
      ],
    });
    expect(await call('POST', '/api/users/batch', { json, headers: STRICT })).toMatchObject({
      status: 400,
      body: { message: 'dryRun is not known' },
    });
  });
});

describe('an edit', () => {
  test.each<[object, string]>([
    [{}, 'patch must not be empty'],
    [{ attributes: {} }, 'patch.attributes must not be empty'],
    [{ id: 1 }, 'patch.id is given by the service, and cannot be changed'],
    [{ createdAt: '2026-01-01' }, 'patch.createdAt is given by the service, and cannot be changed'],
    [{ updatedAt: null }, 'patch.updatedAt is given by the service, and cannot be changed'],
    [{ status: 'a', updatedAt: null }, 'patch.updatedAt is given by the service, and cannot be changed'],
  ])('with the patch %j is refused, in its preview, too', async (patch, message) => {
    for (const more of [{ dryRun: true }, { atMost: 9 }]) {
      const { status, body } = await call('POST', '/api/users/edits?country=XX', { json: { patch, ...more } });
      expect([status, body]).toEqual([400, { status: 400, message: expect.stringContaining(message) }]);
    }
  });
});

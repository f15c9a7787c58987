import { describe, expect, test } from 'vitest';
import { STRANGE_NAMES } from '../../support/arbitraries.ts';
import { handlerCalls } from '../../support/calls.ts';
import { logOfEachTest } from '../../support/logs.ts';

logOfEachTest();

const call = await handlerCalls();

const STRANGE = Object.fromEntries(STRANGE_NAMES.map((name, i) => [name, ['Acme', true, 3, ['a', 'b']][i % 4] ?? '']));

const MERGE = { 'content-type': 'application/merge-patch+json' };
const PATCH = { 'content-type': 'application/json-patch+json' };

interface Made {
  id: number;
  attributes?: object;
}

async function create(attributes: object | undefined): Promise<Made> {
  const { status, body } = await call('POST', '/api/users', { json: { name: 'Ann', attributes } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as Made;
}

const patched = async (id: number, json: unknown, headers = MERGE) => {
  const { status, body, headers: sent } = await call('PATCH', `/api/users/${id}`, { json, headers });
  return { status, body: body as Made & { message: string }, etag: sent.get('etag') };
};

test('attributes of any name and kind are kept, in the order of their names', async () => {
  const { id, attributes } = await create({ ...STRANGE, zone: 'z', active: false, none: null, empty: [] });
  const expected = { active: false, ...STRANGE, zone: 'z' };
  expect(JSON.stringify(attributes)).toBe(JSON.stringify(expected));
  expect((await call('GET', `/api/users/${id}`)).body).toMatchObject({ attributes: expected });
});

test.each([{}, { team: null }, { team: [] }, null])('attributes %j are no value', async (attributes) => {
  const made = await create(attributes as object);
  expect(made).not.toHaveProperty('attributes');
});

test('a PUT replaces all attributes, and one that changes nothing writes nothing, in whatever order', async () => {
  const { id } = await create({ a: 1, b: ['x', 'y'] });
  const put = async (attributes: object) => {
    const { body, headers } = await call('PUT', `/api/users/${id}`, { json: { name: 'Ann', attributes } });
    return [(body as Made).attributes, headers.get('etag')];
  };
  expect(await put({ b: ['x', 'y'], a: 1 })).toEqual([{ a: 1, b: ['x', 'y'] }, '"1"']);
  expect(await put({ b: ['y', 'x'] })).toEqual([{ b: ['y', 'x'] }, '"2"']);
  expect(await put({})).toEqual([undefined, '"3"']);
});

describe('a merge patch', () => {
  test.each([
    [{ a: 1, b: 'x' }, { attributes: { b: null, c: true } }, { a: 1, c: true }],
    [{ a: ['x'] }, { attributes: { a: ['y'], toString: 'z' } }, { a: ['y'], toString: 'z' }],
    [{ a: 1 }, { attributes: { a: null } }, undefined],
    [{ a: 1 }, { attributes: null }, undefined],
    [undefined, { attributes: { constructor: 1 } }, { constructor: 1 }],
    [STRANGE, { attributes: { valueOf: null } }, { ...STRANGE, valueOf: undefined }],
  ])('goes into %j: %j', async (before, patch, after) => {
    const { id } = await create(before);
    expect((await patched(id, patch)).body.attributes).toEqual(after);
  });

  test('that changes nothing writes nothing', async () => {
    const { id } = await create({ a: 1, b: ['x'] });
    const same = [{ attributes: { a: 1 } }, { attributes: { b: ['x'], c: null } }, { attributes: {} }];
    for (const patch of same) expect((await patched(id, patch)).etag).toBe('"1"');
  });
});

describe('a JSON Patch', () => {
  test.each([
    [[{ op: 'add', path: '/attributes/team', value: 'red' }], { a: 1, team: 'red' }],
    [[{ op: 'replace', path: '/attributes/a', value: ['x'] }], { a: ['x'] }],
    [[{ op: 'remove', path: '/attributes/a' }], undefined],
    [[{ op: 'move', from: '/attributes/a', path: '/attributes/constructor' }], { constructor: 1 }],
    [[{ op: 'copy', from: '/name', path: '/attributes/toString' }], { a: 1, toString: 'Ann' }],
    [
      [
        { op: 'test', path: '/attributes', value: { a: 1 } },
        { op: 'add', path: '/attributes/b', value: null },
      ],
      { a: 1 },
    ],
  ])('%j makes {"a":1} to %j', async (patch, after) => {
    const { id } = await create({ a: 1 });
    const { status, body, etag } = await patched(id, patch, PATCH);
    const changes = JSON.stringify(after) !== '{"a":1}';
    expect([status, body.attributes, etag]).toEqual([200, after, changes ? '"2"' : '"1"']);
  });

  test.each([
    [{ a: 1 }, { op: 'remove', path: '/attributes/toString' }],
    [{ a: 1 }, { op: 'test', path: '/attributes/a', value: '1' }],
    [undefined, { op: 'add', path: '/attributes/team', value: 'red' }],
  ])('on %j does not apply: %j', async (attributes, operation) => {
    const why = attributes ? '' : ': it has no attributes, and the first ones are added at /attributes';
    const { id } = await create(attributes);
    const { status, body, etag } = await patched(id, [operation], PATCH);
    expect([status, body.message, etag]).toEqual([
      409,
      `Operation 0 of the patch (${operation.op}) does not apply to the user${why}`,
      null,
    ]);
  });

  test('that is refused leaves the user as it was', async () => {
    const { id } = await create({ a: ['x'] });
    const operations = [
      { op: 'add', path: '/attributes/a/-', value: 'y' },
      { op: 'add', path: '/attributes/b', value: 1.5 },
      { op: 'test', path: '/name', value: 'Bea' },
    ];
    expect((await patched(id, operations, PATCH)).status).toBe(409);
    const { body, etag } = await patched(id, operations.slice(0, 1), PATCH);
    expect([body.attributes, etag]).toEqual([{ a: ['x', 'y'] }, '"2"']);
  });
});

const KINDS = 'must be a text, a number that is exact, true, false, or an array of texts';
const NAME = 'is not a name of an attribute: a letter, then at most 62 letters, digits, - or _';
const TEXT = (most: number) =>
  `must be well-formed text of at most ${most} characters (in Unicode NFC), without control characters`;

/** As JSON, because JavaScript has no text for some of them. */
describe('attributes are refused', () => {
  test.each([
    ['[]', 'attributes must be an object', '/attributes'],
    ['"x"', 'attributes must be an object', '/attributes'],
    ['{"a":{"b":1}}', `attributes.a ${KINDS}`, '/attributes/a'],
    ['{"a":1e400}', `attributes.a ${KINDS}`, '/attributes/a'],
    ['{"a":1e-200}', `attributes.a ${KINDS}`, '/attributes/a'],
    ['{"a":0.1000000000000000055}', `attributes.a ${KINDS}`, '/attributes/a'],
    ['{"a":9007199254740992}', 'attributes.a must be at most 9007199254740991', '/attributes/a'],
    ['{"a":-12345678901234567890}', 'attributes.a must be at least -9007199254740991', '/attributes/a'],
    [
      '{"constructor":""}',
      'attributes.constructor must not be empty: null takes a value away',
      '/attributes/constructor',
    ],
    ['{"a":"x\\u0000"}', `attributes.a ${TEXT(500)}`, '/attributes/a'],
    ['{"a":"\\ud800"}', `attributes.a ${TEXT(500)}`, '/attributes/a'],
    [`{"a":"${'x'.repeat(501)}"}`, 'attributes.a must be at most 500 characters long', '/attributes/a'],
    ['{"a":["x",1]}', 'attributes.a.1 must be a string', '/attributes/a/1'],
    ['{"a":["x",["y"]]}', 'attributes.a.1 must be a string', '/attributes/a/1'],
    ['{"a":[""]}', 'attributes.a.0 must not be empty', '/attributes/a/0'],
    [`{"a":["${'x'.repeat(65)}"]}`, 'attributes.a.0 must be at most 64 characters long', '/attributes/a/0'],
    ['{"a":["x","y","x"]}', 'attributes.a must not have the same text twice', '/attributes/a'],
    ['{"a":["__proto__","__proto__"]}', 'attributes.a must not have the same text twice', '/attributes/a'],
    [
      `{"a":${JSON.stringify(Array.from({ length: 21 }, String))}}`,
      'attributes.a must have at most 20 texts',
      '/attributes/a',
    ],
    ['{"a.b":1}', `attributes.a.b ${NAME}`, '/attributes/a.b'],
    ['{"a/b~":1}', `attributes.a~1b~0 ${NAME}`, '/attributes/a~1b~0'],
    ['{"1a":1}', `attributes.1a ${NAME}`, '/attributes/1a'],
    ['{"":1}', `attributes. ${NAME}`, '/attributes/'],
    ['{"é":1}', `attributes.é ${NAME}`, '/attributes/é'],
    ['{"a\\n":1}', `attributes.a\n ${NAME}`, '/attributes/a\n'],
    [`{"${'a'.repeat(64)}":1}`, `attributes.${'a'.repeat(64)} ${NAME}`, `/attributes/${'a'.repeat(64)}`],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, i]))),
      'attributes must have at most 50 members',
      '/attributes',
    ],
    [
      JSON.stringify({
        ...Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`a${i}`, '€'.repeat(333)])),
        b: 'x'.repeat(61),
      }),
      'attributes must have at most 4096 bytes as JSON',
      '/attributes',
    ],
  ])('%s: %s', async (attributes, message, pointer) => {
    const body = `{"name":"Ann","attributes":${attributes}}`;
    const headers = { 'content-type': 'application/json', accept: 'application/problem+json' };
    const { status, body: problem } = await call('POST', '/api/users', { body, headers });
    expect([status, problem]).toMatchObject([
      400,
      { detail: message, errors: expect.arrayContaining([{ detail: message, pointer }]) },
    ]);
  });
});

test('of one user only the attributes are shown that are asked for', async () => {
  const { id } = await create({ ...STRANGE, team: 'red' });
  const shown = async (fields: string) => (await call('GET', `/api/users/${id}?fields=${fields}`)).body;
  expect(await shown('attributes.team,attributes.constructor,attributes.none')).toEqual({
    ...{ id, attributes: { constructor: STRANGE.constructor, team: 'red' } },
  });
  expect(await shown('attributes.none')).toEqual({ id });
  expect(await shown('name,attributes')).toEqual({ id, name: 'Ann', attributes: { ...STRANGE, team: 'red' } });
});

test('a user who is brought back has her attributes, and a repeated create those of the first one', async () => {
  const { id, attributes } = await create(STRANGE);
  await call('DELETE', `/api/users/${id}`);
  const [deleted] = (await call('GET', `/api/users/${id}/changes`)).body as [{ before: object }];
  const headers = { 'if-none-match': '*' };
  const back = await call('PUT', `/api/users/${id}`, { json: deleted.before, headers });
  expect([back.status, (back.body as Made).attributes]).toEqual([201, attributes]);
  const key = { 'idempotency-key': 'attributes' };
  const once = async (given: object) =>
    call('POST', '/api/users', { json: { name: 'Ann', attributes: given }, headers: key });
  const first = (await once({ a: 1, b: 2 })).body;
  expect((await once({ b: 2, a: 1 })).body).toEqual(first);
  expect((await once({ a: 1 })).status).toBe(422);
});

test('a history has the attributes that a change has changed', async () => {
  const made = { a: 1, b: ['x'], toString: 'x' };
  const { id } = await create(made);
  await patched(id, { attributes: { a: null, b: ['y'], constructor: false } });
  await patched(id, { attributes: null, age: 7 });
  const { body } = await call('GET', `/api/users/${id}/changes`);
  const changed = (body as { before: object; after: object }[]).map(({ before, after }) => [before, after]);
  const expected: object[][] = [
    [{ attributes: { b: ['y'], constructor: false, toString: 'x' } }, { age: 7 }],
    [{ attributes: { a: 1, b: ['x'] } }, { attributes: { b: ['y'], constructor: false } }],
    [{}, { name: 'Ann', attributes: made }],
  ];
  expect(changed).toEqual(expected);
});

test('attributes at their limits are taken', async () => {
  const texts = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`a${i}`, '€'.repeat(333)]));
  const all = { ...texts, b: 'x'.repeat(60) };
  expect(Buffer.byteLength(JSON.stringify(all))).toBe(4_096);
  expect((await create(all)).attributes).toEqual(all);
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`a${i}`.padEnd(63, '_'), i]));
  expect((await create(many)).attributes).toEqual(many);
  const numbers = { big: 2 ** 53 - 1, least: 1e-130, small: -(2 ** 53 - 1), tenth: 0.1 };
  expect((await create(numbers)).attributes).toEqual(numbers);
});

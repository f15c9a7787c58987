import { describe, expect, test } from 'vitest';
import { PatchConflict } from '../../../../lib/http/request/jsonPatch.ts';
import { patchBody } from '../../../../lib/http/request/patch.ts';
import { apply } from '../../../support/jsonPatch.ts';
import { differences, snapshot } from '../../../support/realm.ts';

const ann = { id: 890301895272553, version: 3, name: 'Ann', age: 30, email: 'ann@example.com' };

const read = (patch: unknown) => patchBody.readers['application/json-patch+json']?.(patch);

describe('a JSON Patch of a user', () => {
  test('applies to its representation, and must leave a valid user', () => {
    const patch = read([
      { op: 'test', path: '/id', value: ann.id },
      { op: 'replace', path: '/age', value: 31 },
      { op: 'move', from: '/email', path: '/lastName' },
      { op: 'replace', path: '/id', value: 7 },
    ]);
    expect(patch?.(ann)).toEqual({ name: 'Ann', age: 31, lastName: 'ann@example.com' });
    expect(() => read([{ op: 'remove', path: '/name' }])?.(ann)).toThrow(
      expect.objectContaining({ status: 400, message: 'Name is required' }),
    );
  });

  test.each([
    ['0 (test)', [{ op: 'test', path: '/name', value: 'Bea' }]],
    [
      '1 (remove)',
      [
        { op: 'add', path: '/age', value: 1 },
        { op: 'remove', path: '/country' },
      ],
    ],
    ['0 (add)', [{ op: 'add', path: '/a/b', value: 1 }]],
    ['0 (copy)', [{ op: 'copy', from: '/nope', path: '/name' }]],
    // A JSON string has no members.
    ['0 (add)', [{ op: 'add', path: '/name/x', value: 1 }]],
    ['0 (remove)', [{ op: 'remove', path: '/name/0' }]],
    ['0 (replace)', [{ op: 'replace', path: '/name/length', value: 1 }]],
    ['0 (copy)', [{ op: 'copy', from: '/age', path: '/name/length' }]],
  ])('that does not apply is a conflict, whose message names operation %s: %j', (operation, patch) => {
    const message = `Operation ${operation.replace(' ', ' of the patch ')} does not apply to the user`;
    expect(() => read(patch)?.(ann)).toThrow(expect.objectContaining({ status: 409, message }));
  });

  test('that doubles the document again and again is refused', () => {
    const bomb = [
      { op: 'add', path: '/a', value: 'x' },
      ...Array.from({ length: 90 }, (_, n) => ({ op: 'copy', from: '', path: n % 2 === 0 ? '/a' : '/b' })),
    ];
    expect(() => read(bomb)?.(ann)).toThrow(expect.objectContaining({ status: 409 }));
  });

  test.each([
    [{}, 'Request body must be a JSON array'],
    [[{ op: 'add', path: '/name' }], '0/value is required'],
    [[{ op: 'spell', path: '/name', value: 1 }], '0/op is not known'],
    [[{ op: 'move', path: '/name' }], '0/from is required'],
    [[{ path: '/name' }], '0/op is required'],
    [['add'], '0 must be an object'],
    [[{ op: 'remove', path: 'age' }], '0/path must be a JSON Pointer (RFC 6901)'],
    [[{ op: 'move', path: '/name', from: '/~2' }], '0/from must be a JSON Pointer (RFC 6901)'],
    [[{ op: 'remove', path: 7 }], '0/path must be a string'],
    [[{ op: 'remove', path: `/${'a'.repeat(1_000)}` }], '0/path must be at most 1000 characters long'],
  ])('that is malformed is refused: %j (%s)', (patch, message) => {
    expect(() => read(patch)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  test.each([
    { op: 'replace', path: '/age', value: 7, from: null },
    { op: 'replace', path: '/age', value: 7, from: 'age', more: [] },
    { op: 'test', path: '/name', value: 'Ann', from: 7 },
    { op: 'remove', path: '/age', value: 7, from: {} },
  ])('with members that the operation does not have is applied without them: %j', (operation) => {
    expect(() => read([operation])?.(ann)).not.toThrow();
  });

  test('with too many operations is refused before they are validated', () => {
    const message = 'Request body must have at most 100 operations';
    expect(() => read(Array(101).fill(0))).toThrow(expect.objectContaining({ status: 400, message, failures: [] }));
    expect(read(Array(100).fill({ op: 'test', path: '/name', value: 'Ann' }))?.(ann)).toMatchObject({ name: 'Ann' });
  });
});

describe('a pointer', () => {
  test.each([
    [{ a: [1, 2] }, { op: 'add', path: '/a/2', value: 3 }, { a: [1, 2, 3] }],
    [{ a: [1, 2] }, { op: 'replace', path: '/a/0', value: 3 }, { a: [3, 2] }],
    [{ a: [1, 2] }, { op: 'copy', from: '/a/1', path: '/a/0' }, { a: [2, 1, 2] }],
    [{ a: [1, 2] }, { op: 'move', from: '/a/0', path: '/a/-' }, { a: [2, 1] }],
    [{ a: [1, 2] }, { op: 'test', path: '/a', value: [1, 2] }, { a: [1, 2] }],
    [{ a: -0 }, { op: 'test', path: '/a', value: 0 }, { a: -0 }],
    [{ '': { '': 1 } }, { op: 'replace', path: '//', value: 2 }, { '': { '': 2 } }],
    [{ '0': 1 }, { op: 'remove', path: '/0' }, {}],
    [{ '01': 1, '-': 2 }, { op: 'move', from: '/-', path: '/01' }, { '01': 2 }],
    [{ a: 1 }, { op: 'replace', path: '', value: { b: 2 } }, { b: 2 }],
    [{ a: { b: 1 } }, { op: 'move', from: '/a', path: '' }, { b: 1 }],
    [{ a: 1 }, { op: 'copy', from: '', path: '/b' }, { a: 1, b: { a: 1 } }],
    [{ a: null }, { op: 'test', path: '/a', value: null }, { a: null }],
  ])('is resolved in %j by %j', (document, operation, result) => {
    expect(apply(document, [operation])).toEqual(result);
  });

  test.each([
    ...['3', '01', '+1', '1e0', ' 1', '', 'length', '-/b'].map((end) => ({ op: 'add', path: `/a/${end}`, value: 1 })),
    { op: 'remove', path: '/a/-' },
    { op: 'replace', path: '/a/-', value: 1 },
    { op: 'test', path: '/a/-', value: 1 },
    { op: 'copy', from: '/a/-', path: '/b' },
    { op: 'remove', path: '/a/00' },
    { op: 'remove', path: '/a/2' },
    { op: 'remove', path: '' },
    { op: 'move', from: '/a', path: '/a/0' },
    { op: 'move', from: '', path: '/b' },
    { op: 'test', path: '/a', value: { 0: 1, 1: 2 } },
    { op: 'test', path: '/a', value: [1, 2, 3] },
    { op: 'test', path: '/s/length', value: 3 },
    { op: 'copy', from: '/s/0', path: '/b' },
    { op: 'add', path: '/n/x', value: 1 },
  ])('leads to a conflict in %j', (operation) => {
    const document = { a: [1, 2], s: 'abc', n: null };
    expect(() => apply(document, [operation])).toThrow(PatchConflict);
  });
});

/** Members that JavaScript objects, strings, arrays and functions inherit. */
const INHERITED = [
  ...new Set(
    [Object, String, Array, Function].flatMap(({ prototype }) => Reflect.ownKeys(prototype)).map((key) => String(key)),
  ),
];

describe('an inherited member', () => {
  const operations = (pointer: string) => [
    { op: 'remove', path: pointer },
    { op: 'replace', path: pointer, value: 'x' },
    { op: 'test', path: pointer, value: 'x' },
    { op: 'move', from: pointer, path: '/lastName' },
    { op: 'copy', from: pointer, path: '/lastName' },
    { op: 'add', path: `${pointer}/mark`, value: 'x' },
    { op: 'copy', from: '/who', path: `${pointer}/mark` },
    { op: 'move', from: '/who', path: `${pointer}/mark` },
    { op: 'copy', from: `${pointer}/name`, path: '/lastName' },
  ];
  const document = { who: 'Ann', tags: ['a'] };
  const pointers = INHERITED.flatMap((name) => [`/${name}`, `/who/${name}`, `/tags/${name}`, `/tags/0/${name}`]);

  test('cannot be read or changed by any operation', () => {
    const before = snapshot();
    const accepted = pointers.flatMap(operations).filter((operation) => {
      try {
        apply(document, [operation]);
        return true;
      } catch (error) {
        return !(error instanceof PatchConflict);
      }
    });
    expect(INHERITED).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'hasOwnProperty', 'at', 'call']));
    expect(accepted).toEqual([]);
    expect(differences(before)).toEqual([]);
  });

  test('is a normal member after it is added', () => {
    const before = snapshot();
    for (const name of INHERITED) {
      const patch = [
        { op: 'add', path: `/${name}`, value: { mark: [1] } },
        { op: 'test', path: `/${name}/mark/0`, value: 1 },
        { op: 'add', path: `/${name}/${name}`, value: 2 },
        { op: 'copy', from: `/${name}`, path: '/other' },
        { op: 'test', path: '/other', value: JSON.parse(`{"mark":[1],${JSON.stringify(name)}:2}`) },
        { op: 'replace', path: `/${name}`, value: 3 },
        { op: 'move', from: `/${name}`, path: '/moved' },
      ];
      expect(JSON.stringify(apply({}, patch))).toBe(`{"other":{"mark":[1],${JSON.stringify(name)}:2},"moved":3}`);
    }
    expect(differences(before)).toEqual([]);
  });

  test('does not pass from one user to another', () => {
    for (const pointer of ['/toString/mark', '/hasOwnProperty/call', '/constructor/prototype/polluted']) {
      const write = read([{ op: 'add', path: pointer, value: 'secret' }]);
      expect(() => write?.(ann)).toThrow(expect.objectContaining({ status: 409 }));
      const copy = read([{ op: 'copy', from: pointer, path: '/lastName' }]);
      expect(() => copy?.({ ...ann, id: 890301895272554 })).toThrow(expect.objectContaining({ status: 409 }));
    }
  });
});

/** `{"a":{"a":…}}`, nested to this depth. */
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('the depth of a patched document', () => {
  test('is bounded for every operation', () => {
    const deep = [
      { op: 'add', path: '/x', value: nested(50) },
      { op: 'add', path: '/y', value: nested(50) },
    ];
    const place = (levels: number) => `/x${'/a'.repeat(levels)}`;
    expect(() => apply({}, [...deep, { op: 'move', from: '/y', path: place(49) }])).not.toThrow();
    for (const op of ['move', 'copy']) {
      expect(() => apply({}, [...deep, { op, from: '/y', path: place(50) }])).toThrow(PatchConflict);
    }
    expect(() => apply({}, [{ op: 'add', path: '/x', value: nested(99) }])).not.toThrow();
    expect(() => apply({}, [{ op: 'add', path: '/x', value: nested(100) }])).toThrow(PatchConflict);
    expect(() => apply({ x: 1 }, [{ op: 'replace', path: '/x', value: nested(100) }])).toThrow(PatchConflict);
  });
});

import { applyPatch, type Operation } from 'rfc6902';
import { describe, expect, test } from 'vitest';
import { applyTo, mergePatched, patchBody } from '../../../lib/http/patch.ts';

const ann = { id: 890301895272553, version: 3, name: 'Ann', age: 30, email: 'ann@example.com' };

const read = (patch: unknown) => patchBody.readers['application/json-patch+json']?.(patch);

describe('RFC 7396, appendix A', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j is %j', (target, patch, result) => {
    expect(mergePatched(target, patch)).toEqual(result);
  });

  test('a member named __proto__ is a member', () => {
    const merged = mergePatched({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.keys(merged)).toEqual(['__proto__']);
    expect({}).not.toHaveProperty('polluted');
  });
});

/** Of the library as it is used here: one operation after another. */
function apply(document: unknown, patch: unknown[]): unknown {
  const target = structuredClone(document) as object;
  for (const operation of patch) {
    const [failure] = applyPatch(target, [operation as Operation]);
    if (failure) throw failure;
  }
  return target;
}

describe('RFC 6902, appendix A', () => {
  test.each([
    ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
    ['A.2', { foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
    ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
    ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
    ['A.5', { baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
    [
      'A.6',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    ['A.11', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }], { foo: 'bar', baz: 'qux' }],
    ['A.14', { '/': 9, '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '/': 9, '~1': 10 }],
    [
      'A.16',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ])('%s', (_, document, patch, result) => {
    expect(apply(document, patch)).toEqual(result);
  });

  test.each([
    ['A.9', { baz: 'qux' }, { op: 'test', path: '/baz', value: 'bar' }],
    ['A.12', { foo: 'bar' }, { op: 'add', path: '/baz/bat', value: 'qux' }],
    ['A.15', { '/': 9, '~1': 10 }, { op: 'test', path: '/~01', value: '10' }],
  ])('%s fails', (_, document, operation) => {
    expect(() => apply(document, [operation])).toThrow();
  });
});

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
    [[{ op: 'test', path: '/name', value: 'Bea' }], 'Operation 0 of the patch (test) does not apply to the user'],
    [
      [
        { op: 'add', path: '/age', value: 1 },
        { op: 'remove', path: '/country' },
      ],
      'Operation 1 of the patch (remove) does not apply to the user',
    ],
    [[{ op: 'add', path: '/a/b', value: 1 }], 'Operation 0 of the patch (add) does not apply to the user'],
    [[{ op: 'copy', from: '/nope', path: '/name' }], 'Operation 0 of the patch (copy) does not apply to the user'],
    // A member of a string is no place: the library throws there.
    [[{ op: 'add', path: '/name/x', value: 1 }], 'Operation 0 of the patch (add) does not apply to the user'],
    [[{ op: 'remove', path: '/name/0' }], 'Operation 0 of the patch (remove) does not apply to the user'],
    [
      [{ op: 'replace', path: '/name/length', value: 1 }],
      'Operation 0 of the patch (replace) does not apply to the user',
    ],
    [
      [{ op: 'copy', from: '/age', path: '/name/length' }],
      'Operation 0 of the patch (copy) does not apply to the user',
    ],
  ])('that does not apply, as %j, is a conflict', (patch, message) => {
    expect(() => read(patch)?.(ann)).toThrow(expect.objectContaining({ status: 409, message }));
  });

  test.each([
    [{ op: 'remove', path: 'age' }],
    [{ op: 'move', path: '/name', from: 'x' }],
    [{ op: 'remove', path: '/~2' }],
  ])('with %j for a place is not valid (RFC 6901)', (operation) => {
    expect(() => read([operation])).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('that doubles itself is stopped', () => {
    const bomb = [
      { op: 'add', path: '/a', value: 'x' },
      ...Array.from({ length: 90 }, (_, n) => ({ op: 'copy', from: '', path: n % 2 === 0 ? '/a' : '/b' })),
    ];
    expect(() => applyTo(bomb as Parameters<typeof applyTo>[0])(ann)).toThrow(expect.objectContaining({ status: 409 }));
  });

  test('does not reach prototypes', () => {
    for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted']) {
      expect(read([{ op: 'add', path, value: true }])?.(ann)).toEqual({
        name: 'Ann',
        age: 30,
        email: 'ann@example.com',
      });
      expect({}).not.toHaveProperty('polluted');
    }
  });

  test.each([
    [{}, 'Request body must be a JSON array'],
    [[{ op: 'add', path: '/name' }], undefined],
    [[{ op: 'spell', path: '/name', value: 1 }], undefined],
    [[{ op: 'move', path: '/name' }], undefined],
    [['add'], undefined],
    [Array(101).fill({ op: 'remove', path: '/age' }), undefined],
  ])('that is malformed, as %j, is refused', (patch, message) => {
    expect(() => read(patch)).toThrow(expect.objectContaining({ status: 400, ...(message && { message }) }));
  });
});

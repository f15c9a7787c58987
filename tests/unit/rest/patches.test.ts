import { describe, expect, test } from 'vitest';
import { jsonPatched, mergePatched } from '../../../lib/rest/index.ts';
import { differences, snapshot } from '../../support/realm.ts';

const patched = (document: unknown, ...patch: object[]) =>
  jsonPatched(document, patch as Parameters<typeof jsonPatched>[1]);

const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });
const equals = (path: string, value: unknown) => ({ op: 'test', path, value });
const remove = (path: string) => ({ op: 'remove', path });
const move = (from: string, path: string) => ({ op: 'move', from, path });
const copy = (from: string, path: string) => ({ op: 'copy', from, path });

test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [['a', 'b'], ['c'], ['c']],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('a merge patch changes %j with %j to %j, as in appendix A of RFC 7396', (target, patch, result) => {
  expect(mergePatched(target, patch)).toEqual(result);
});

describe('a JSON Patch', () => {
  // The names are the examples in appendix A of RFC 6902.
  test.each([
    ['A.1', { a: 1 }, [add('/b', 2)], { a: 1, b: 2 }],
    ['A.2', { a: [1, 2] }, [add('/a/1', 3)], { a: [1, 3, 2] }],
    ['A.2, at the end', { a: [1, 2] }, [add('/a/2', 3)], { a: [1, 2, 3] }],
    ['A.3', { a: 1, b: 2 }, [remove('/b')], { a: 1 }],
    ['A.4', { a: [1, 2, 3] }, [remove('/a/1')], { a: [1, 3] }],
    ['A.5', { a: 1, b: 2 }, [replace('/a', 3)], { a: 3, b: 2 }],
    ['A.6', { a: { b: 1, c: 2 }, d: { e: 3 } }, [move('/a/c', '/d/f')], { a: { b: 1 }, d: { e: 3, f: 2 } }],
    ['A.7', { a: [1, 2, 3, 4] }, [move('/a/1', '/a/3')], { a: [1, 3, 4, 2] }],
    ['A.8', { a: 1, b: [1, 2] }, [equals('/a', 1), equals('/b/1', 2)], { a: 1, b: [1, 2] }],
    ['A.10', { a: 1 }, [add('/b', { c: {} })], { a: 1, b: { c: {} } }],
    ['A.11', { a: 1 }, [{ ...add('/b', 2), xyz: 123 }], { a: 1, b: 2 }],
    ['A.14', { '/': 9, '~1': 10 }, [equals('/~01', 10), remove('/~1')], { '~1': 10 }],
    ['A.16', { a: [1] }, [add('/a/-', [2, 3])], { a: [1, [2, 3]] }],
    ['an element', { a: [1, 2] }, [replace('/a/0', 3), copy('/a/1', '/a/0')], { a: [2, 3, 2] }],
    ['a whole array', { a: [1, 2] }, [equals('/a', [1, 2])], { a: [1, 2] }],
    ['zeros', { a: -0 }, [equals('/a', 0)], { a: -0 }],
    ['null', { a: null }, [equals('/a', null)], { a: null }],
    ['empty names', { '': { '': 1 } }, [replace('//', 2)], { '': { '': 2 } }],
    ['names like indexes', { 0: 1, '01': 2, '-': 3 }, [remove('/0'), move('/-', '/01')], { '01': 3 }],
    ['the document', { a: { b: 1 } }, [copy('', '/c'), move('/c/a', ''), replace('/b', 2)], { b: 2 }],
  ])('changes members and elements: %s', (_, document, patch, result) => {
    expect(patched(document, ...patch)).toEqual({ document: result });
  });

  test.each([
    // A.9, A.12 and A.15
    ...[equals('/s', 'x'), add('/b/c', 1), equals('/one', '1')],
    ...['3', '01', '+1', '1e0', ' 1', '', 'length', '-/b'].map((end) => add(`/a/${end}`, 1)),
    ...[remove('/a/-'), replace('/a/-', 1), equals('/a/-', 1), copy('/a/-', '/b'), remove('/a/00'), remove('/a/2')],
    ...[remove(''), move('/a', '/a/0'), move('', '/b')],
    // The path would then name the next element.
    move('/objects/0', '/objects/0/x'),
    ...[equals('/a', { 0: 1, 1: 2 }), equals('/a', [1, 2, 3]), equals('/s/length', 3), copy('/s/0', '/b')],
    ...[add('/n/x', 1), copy('/one', '/s/length'), copy('/nope', '/b')],
  ])('that does not apply is a conflict: %j', (operation) => {
    const document = { a: [1, 2], objects: [{}, {}], s: 'abc', n: null, one: 1 };
    expect(patched(document, operation)).toEqual({ document, conflict: 0 });
  });

  test('that doubles the document again and again is a conflict', () => {
    const doubled = Array.from({ length: 24 }, (_, n) => copy('', n % 2 === 0 ? '/a' : '/b'));
    // Beyond 100,000 characters.
    expect(patched({ a: 'x' }, ...doubled).conflict).toBe(18);
  });
});

describe('a member that objects, strings, arrays or functions inherit', () => {
  const names = [
    ...new Set([Object, String, Array, Function].flatMap(({ prototype }) => Reflect.ownKeys(prototype)).map(String)),
  ];

  test('cannot be read or changed by any operation', () => {
    const before = snapshot();
    const pointers = names.flatMap((name) => [`/${name}`, `/who/${name}`, `/tags/${name}`, `/tags/0/${name}`]);
    const accepted = pointers
      .flatMap((pointer) => [
        ...[remove(pointer), replace(pointer, 'x'), equals(pointer, 'x'), add(`${pointer}/mark`, 'x')],
        ...[move(pointer, '/last'), copy(pointer, '/last'), copy(`${pointer}/name`, '/last')],
        ...[move('/who', `${pointer}/mark`), copy('/who', `${pointer}/mark`)],
      ])
      .filter((operation) => patched({ who: 'Ann', tags: ['a'] }, operation).conflict !== 0);
    expect(names).toEqual(expect.arrayContaining(['__proto__', 'constructor', 'hasOwnProperty', 'at', 'call']));
    expect(accepted).toEqual([]);
    expect(differences(before)).toEqual([]);
  });
});

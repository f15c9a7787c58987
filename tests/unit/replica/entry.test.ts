import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryKey, packKeys, toEntry, unpackKeys } from '../../../lib/replica/entry.ts';
import { entryItem, restoreChange, storeChange } from '../../../lib/users/entry.ts';
import { creationTime, firstIdAt } from '../../../lib/users/ids.ts';

const id = fc.maxSafeNat();
const version = fc.integer({ min: 1, max: 999_999_999_998 });

describe('an entry', () => {
  test('has the user after the write, and the changed fields before it, by short names', () => {
    const before = { id: 42, version: 6, name: 'Ann', age: 0, status: 'on' };
    const after = { id: 42, version: 7, name: 'Ann', age: 1, firstName: '' };
    expect(entryItem({ id: 42, version: 7, before, after }, 1_790_000_000_000)).toEqual({
      pk: 'journal',
      sk: '0000000000000042999999999992',
      at: 1_790_000_000_000,
      after: 'nAnn\0a\u00011\0f\0',
      before: 'a\u00010\0f\u0001null\0son\0',
    });
  });

  test('has of the attributes before it those that differ', () => {
    const before = { id: 1, version: 1, name: 'Ann', attributes: { a: 1, b: ['x'], c: 'same' } };
    const after = { id: 1, version: 2, name: 'Ann', attributes: { b: ['y'], c: 'same', toString: true } };
    expect(storeChange({ id: 1, version: 2, before, after })).toEqual({
      after: 'nAnn\0t\u0001{"b":["y"],"c":"same","toString":true}\0',
      before: 't\u0001{"toString":null,"a":1,"b":["x"]}\0',
    });
    const none = { id: 1, version: 3, name: 'Ann' };
    expect(storeChange({ id: 1, version: 3, before: after, after: none }).before).toBe(
      't\u0001{"b":["y"],"c":"same","toString":true}\0',
    );
    expect(storeChange({ id: 1, version: 4, before: none, after: before }).before).toBe('t\u0001null\0');
  });

  test('has the moments of the last changes, after the write and before it, as milliseconds since the creation', () => {
    const [id, at] = [firstIdAt(1_790_000_000_000), 1_790_000_000_000];
    const user = { id, version: 1, name: 'Ann', updatedAt: at };
    const later = { id, version: 2, name: 'Ann', age: 7, updatedAt: at + 36 ** 6 };
    const [first, second] = [
      { id, version: 1, before: undefined, after: user },
      { id, version: 2, before: user, after: later },
    ];
    expect(storeChange(first)).toEqual({ after: 'nAnn\0u0\0' });
    expect(storeChange(second)).toEqual({
      after: 'nAnn\0a\u00017\0u1000000\0',
      before: 'a\u0001null\0u0\0',
    });
    expect(storeChange({ id, version: 3, before: later, after: undefined })).toEqual({
      before: 'nAnn\0a\u00017\0u1000000\0',
    });
    for (const change of [first, second]) {
      const restored = restoreChange(change, { at: 5, ...storeChange(change) });
      expect(restored).toEqual({ ...change, at: 5 });
    }
    // By a version before 3.0.0.
    expect(restoreChange({ id, version: 2 }, { at: 5, after: 'nBea\0', before: 'nAnn\0' })).toEqual({
      ...{ id, version: 2, at: 5 },
      before: { id, version: 1, name: 'Ann' },
      after: { id, version: 2, name: 'Bea', updatedAt: 5 },
    });
  });

  test('has no time if that is when the id was given', () => {
    const user = { id: firstIdAt(1_790_000_000_000) + 5, version: 1, name: 'Ann' };
    const create = { id: user.id, version: 1, before: undefined, after: user };
    expect(entryItem(create, 1_790_000_000_000).at).toBeUndefined();
    expect(toEntry(entryItem(create, 1_790_000_000_000), creationTime).at).toBe(1_790_000_000_000);
    expect(entryItem(create, 1_790_000_000_001).at).toBe(1_790_000_000_001);
  });
});

describe('the keys of entries', () => {
  test('sort after the head, by id, and the newest first for one user', () => {
    const given = [
      ['#head'],
      [entryKey({ id: 7, version: 1_000 }), entryKey({ id: 7, version: 10 }), entryKey({ id: 7, version: 9 })],
      [entryKey({ id: 10, version: 1 }), entryKey({ id: Number.MAX_SAFE_INTEGER, version: 1 })],
    ].flat();
    expect(given.toSorted()).toEqual(given);
    expect(new Set(given.slice(1).map((sk) => sk.length))).toEqual(new Set([28]));
  });

  test('are packed into a few bytes each and restored', () => {
    const keys = fc
      .uniqueArray(fc.record({ id, version }).map(entryKey), { maxLength: 100 })
      .map((all) => all.toSorted());
    fc.assert(
      fc.property(keys, (given) => {
        expect(unpackKeys(packKeys(given))).toEqual(given);
      }),
    );
    const usual = Array.from({ length: 1_000 }, (_, n) =>
      entryKey({ id: 890_579_873_895_720 + n * 40_960, version: 1 }),
    );
    expect(packKeys(usual).length).toBeLessThan(5_000);
    expect(packKeys([]).length).toBe(0);
  });
});

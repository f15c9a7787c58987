import { describe, expect, test } from 'vitest';
import { intersection, isEmpty, isWithin, keyIn, rangeOfText, sortKeyIn } from '../../../lib/users/lists.ts';
import type { User } from '../../../lib/users/user.ts';
import { listBy } from '../../support/listBy.ts';

const ann: User = { id: 42, version: 3, name: 'Ann' };

describe('a range of keys', () => {
  test('has its lower bound, but not its upper one', () => {
    const range = { from: 'b', to: 'd' };
    expect(['a', 'b', 'c', 'd'].filter((key) => isWithin(range, key))).toEqual(['b', 'c']);
  });

  test('for one text has the keys with the text, and not the keys of longer texts', () => {
    const range = rangeOfText('ann');
    const keyOf = (name: string, id: number) => keyIn(listBy('name').index, { ...ann, name, id });
    const others = ['am', 'ann b', 'anna'].flatMap((name) => [keyOf(name, 0), keyOf(name, Number.MAX_SAFE_INTEGER)]);
    expect(isWithin(range, keyOf('ANN', 0)) && isWithin(range, keyOf('ANN', Number.MAX_SAFE_INTEGER))).toBe(true);
    expect(others.filter((key) => isWithin(range, key))).toEqual([]);
  });

  test('that is in two ranges has the later beginning and the earlier end, by code point', () => {
    expect(intersection({ from: 'a', to: '😀' }, { from: 'b', to: '\uFFFD' })).toEqual({ from: 'b', to: '\uFFFD' });
    expect(intersection({}, { from: 'b' })).toEqual({ from: 'b', to: undefined });
    expect(intersection({ to: 'c' }, {})).toEqual({ from: undefined, to: 'c' });
  });

  test('is empty when it ends where it begins', () => {
    const ranges = [{ from: 'a', to: 'a' }, { from: 'a', to: 'b' }, { to: 'a' }, {}];
    expect(ranges.map(isEmpty)).toEqual([true, false, false, false]);
  });
});

describe('a bound in an index', () => {
  test('is a text, or the lowest id that begins like it', () => {
    expect(sortKeyIn(listBy('name').index, 'ann\0:')).toBe('ann\0:');
    expect(sortKeyIn(listBy('id').index, '0000000004096000')).toBe(4_096_000);
    expect(sortKeyIn(listBy('id').index, '00000000041')).toBe(4_100_000);
  });
});

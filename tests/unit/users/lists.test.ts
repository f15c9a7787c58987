import { describe, expect, test } from 'vitest';
import { keyBeside, keyIn, runEnd, runStart, sortKeyIn } from '../../../lib/users/lists.ts';
import type { User } from '../../../lib/users/user.ts';
import { listBy } from '../../support/listBy.ts';

const ann: User = { id: 42, version: 3, name: 'Ann' };

describe('the key beside that of a user', () => {
  test.each([
    ['id', 1, '0000000000000043'],
    ['id', -1, '0000000000000041'],
    ['name', 1, 'ann\u00000000000000000043'],
    ['name', -1, 'ann\u00000000000000000041'],
    ['lastName', 1, '\u{10FFFF}\u0002\u00000000000000000043'],
  ] as const)('by %s, %d, is %j', (order, step, key) => {
    expect(keyBeside(listBy(order), ann, step)).toBe(key);
  });

  test('is the key of the next user of a run', () => {
    expect(keyBeside(listBy('name'), ann, 1)).toBe(keyIn(listBy('name'), { ...ann, id: 43 }));
    expect(keyBeside(listBy('id'), { ...ann, id: 43 }, -1)).toBe(keyIn(listBy('id'), ann));
  });
});

describe('the bounds of a run', () => {
  test.each([
    ['name', 'ann', 'ann\0', 'ann\u0001'],
    ['lastName', '', '\0', '\u0001'],
    ['id', '2020-01-01T00:00:01.000Z', '0000000004096000', '0000000004100096'],
  ] as const)('by %s, of %j are %j and %j', (order, text, start, end) => {
    expect(runStart(listBy(order), text)).toBe(start);
    expect(runEnd(listBy(order), text)).toBe(end);
  });
});

describe('a bound as an index has it', () => {
  test('is a text, or the lowest id that begins like it', () => {
    expect(sortKeyIn(listBy('name'), 'ann\0:')).toBe('ann\0:');
    expect(sortKeyIn(listBy('id'), '0000000004096000')).toBe(4_096_000);
    expect(sortKeyIn(listBy('id'), '00000000041')).toBe(4_100_000);
  });
});

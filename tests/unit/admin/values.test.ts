import { describe, expect, test } from 'vitest';
import type { Counted } from '../../../admin/browser/values/suggest.ts';
import { exactOf, isUnknown, nearestOf, valueLines } from '../../../admin/browser/values/values.ts';

const countedOf = (property: string, counts: Record<string, number>): Counted[] =>
  Object.entries(counts).map(([value, count]) => ({ property, value, count }));

const COUNTRIES = countedOf('country', { US: 9, BR: 5, Brazil: 2, GI: 1 });
const STATES = countedOf('status', { active: 7, inactive: 6, suspended: 5 });

describe('the box of a country', () => {
  test.each([
    ['Brazil', 'BR'],
    ['  brazil ', 'BR'],
    ['br', 'BR'],
    ['Liechtenstein', 'LI'],
    ['bra', undefined],
    ['Atlantis', undefined],
    ['', undefined],
  ])('takes %j, when it is left, for %j', (typed, value) => {
    expect(exactOf('country', typed, COUNTRIES)).toBe(value);
    if (typed.trim() === 'Brazil') expect(exactOf('country', typed, [])).toBe('BR');
  });

  test('offers those in use first, with their numbers, then the others, and at last the text as it is', () => {
    const [first, second, ...others] = valueLines('country', 'bra', COUNTRIES);
    expect([first, second]).toEqual([
      { text: 'Brazil', code: 'BR', count: 5, value: 'BR' },
      { text: 'Brazil', code: undefined, count: 2, value: 'Brazil' },
    ]);
    expect(others.map(({ text, count }) => [text, count])).toEqual([
      ['Gibraltar', 1],
      ['Congo - Brazzaville', undefined],
      ['Store “bra” as it is', undefined],
    ]);
    expect(valueLines('country', 'Brazil', COUNTRIES).at(-1)?.value).toBe('Brazil');
    expect(valueLines('country', '', COUNTRIES)[0]?.value).toBe('US');
  });

  test('knows every country, and doubts what is none', () => {
    expect(isUnknown('country', 'LI', COUNTRIES)).toBe(false);
    expect(isUnknown('country', 'Brasil', COUNTRIES)).toBe(true);
    expect(nearestOf('country', 'Brasil', countedOf('country', { US: 9 }))?.value).toBe('BR');
  });
});

describe('the box of a status', () => {
  test('takes the one that was typed, ignoring case, unless two differ by case', () => {
    expect(exactOf('status', 'ACTIVE', STATES)).toBe('active');
    expect(exactOf('status', 'Active', [...STATES, ...countedOf('status', { Active: 1 })])).toBe('Active');
    expect(exactOf('status', 'activ', STATES)).toBeUndefined();
  });

  test('doubts a value that nobody has, and names the nearest', () => {
    expect(['suspnded', 'active', ''].map((text) => isUnknown('status', text, STATES))).toEqual([true, false, false]);
    expect(nearestOf('status', 'suspnded', STATES)).toEqual({ property: 'status', value: 'suspended', count: 5 });
    expect(nearestOf('status', 'actve', STATES)?.value).toBe('active');
    expect(isUnknown('status', 'first', [])).toBe(false);
  });

  test('offers the text itself only if nobody has it', () => {
    expect(valueLines('status', 'active', STATES).map(({ text }) => text)).toEqual(['active', 'inactive']);
    expect(valueLines('status', 'actve', STATES)).toEqual([
      { text: 'Store “actve” as it is', value: 'actve', isAsItIs: true },
    ]);
  });
});

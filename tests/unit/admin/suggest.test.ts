import { describe, expect, test, vi } from 'vitest';
import { begin, type Counted, goOn, valuesLike } from '../../../admin/browser/values/suggest.ts';

const countedOf = (property: string, counts: Record<string, number>): Counted[] =>
  Object.entries(counts).map(([value, count]) => ({ property, value, count }));

const COUNTRIES = countedOf('country', { US: 9, DE: 5, 'Denmark (old)': 3, BR: 2, GB: 1 });
const STATES = countedOf('status', { active: 7, inactive: 6, suspended: 5 });

const begun = (typed: string) => begin(typed, [...STATES, ...COUNTRIES], ['attributes.team']);

describe('the box of a filter', () => {
  test.each([
    ['act', ['status', 'active']],
    ['ACTIVE', ['status', 'active']],
    ['germ', ['country', 'DE']],
    ['de', ['country', 'DE']],
    ['kingdom', ['country', 'GB']],
    ['older than 60', ['age.gt', '60']],
    ['Younger than 18', ['age.lt', '18']],
    ['> 60', ['age.gt', '60']],
    ['@example.org', ['email.endsWith', '@example.org']],
    ['without e-mail', ['email.missing', 'true']],
    ['no country', ['country.missing', 'true']],
    ['with age', ['age.missing', 'false']],
    ['created before 60 days ago', ['createdAt.lt', '-P60D']],
    ['team since 2026-01-31', ['attributes.team.gte', '2026-01-31']],
    ['team above 3', ['attributes.team.gt', '3']],
    ['team at least 3', ['attributes.team.gte', '3']],
    ['age <= 17', ['age.lte', '17']],
    ['>=60', ['age.gte', '60']],
  ])('takes %j, at Enter, for %j', (typed, filter) => {
    expect(begun(typed)[0]?.filter).toEqual(filter);
  });

  test('takes no date and no text for an age', () => {
    for (const typed of ['before 2026-11-01', 'from 60 days ago', 'overseas']) expect(begun(typed)).toEqual([]);
  });

  test('takes a line of several', () => {
    const filters = (typed: string) => {
      const line = begun(typed).find(({ also }) => also);
      return line && [line.filter, ...(line.also ?? [])];
    };
    expect(filters('active germans above 60')).toEqual([
      ['status', 'active'],
      ['country', 'DE'],
      ['age.gt', '60'],
    ]);
    expect(filters('suspended united kingdom without e-mail')).toEqual([
      ['status', 'suspended'],
      ['country', 'GB'],
      ['email.missing', 'true'],
    ]);
    expect(filters('active nobody')).toBeUndefined();
  });

  test('offers fields, also attributes, and those that nobody has shown by their whole names', () => {
    const fields = (typed: string) => begun(typed).map(({ property }) => property);
    expect(fields('last')).toEqual(['lastName']);
    expect(fields('ag')).toEqual(['age']);
    expect(fields('te').filter(Boolean)).toEqual(['attributes.team', 'createdAt', 'externalId']);
    expect(fields('attributes.plan')).toEqual(['attributes.plan']);
    expect(fields('')).toContain('createdAt');
  });

  test('offers the values that there are, and says of another one that nobody has it', () => {
    expect(goOn('status', 'not', 'susp', STATES)).toEqual([
      { text: 'Status not suspended', count: 5, filter: ['status.not', 'suspended'] },
      { text: 'Status not susp', count: 0, filter: ['status.not', 'susp'] },
    ]);
    expect(goOn('status', 'is', 'active', STATES).map(({ count }) => count)).toEqual([7, 6]);
    expect(goOn('status', 'contains', 'x', STATES)).toEqual([
      { text: 'Status contains x', filter: ['status.contains', 'x'] },
    ]);
    expect(goOn('age', 'missing', '', undefined).map(({ text }) => text)).toEqual(['With Age', 'Without Age']);
  });

  test('takes a moment in the zone of whoever enters it', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    for (const [typed, moment] of [
      ['2026-11-01', '2026-10-31T18:30:00.000Z'],
      ['2026-11-01T09:30', '2026-11-01T04:00:00.000Z'],
      ['2026-11-01T09:30Z', '2026-11-01T09:30:00.000Z'],
      ['60 days ago', '-P60D'],
    ]) {
      expect(goOn('createdAt', 'gte', `${typed}`).map(({ filter }) => filter)).toEqual([['createdAt.gte', moment]]);
      expect(begun(`created after ${typed}`)[0]?.filter).toEqual(['createdAt.gte', moment]);
    }
    for (const typed of ['2026-13-01', 'March', '60']) expect(goOn('createdAt', 'gte', typed)).toEqual([]);
    expect(begun('created after 60')).toEqual([]);
    vi.unstubAllEnvs();
  });
});

test('a country is found by its code, its name, and a word of it, the nearest first', () => {
  expect(valuesLike('de', COUNTRIES).map(({ value }) => value)).toEqual(['DE', 'Denmark (old)']);
});

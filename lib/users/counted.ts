/** The properties that users are counted by, with the names of schemas/counts.ts: fields, and values that follow from a field or from the id. */
import { counted } from '../../schemas/counts.ts';
import type { By } from '../columns/index.ts';
import { creationTime, firstIdAt, momentText } from './ids.ts';
import { type AttributeProperty, type AttributeValue, isOfAttribute } from './user.ts';

export type CountedBy = keyof typeof counted | AttributeProperty;

export const COUNTED = /* @__PURE__ */ Object.keys(counted) as (keyof typeof counted)[];

export const isCounted = (name: string): name is CountedBy => Object.hasOwn(counted, name) || isOfAttribute(name);

/** A stretch of time: its name, and its ends in Unix milliseconds. The second one is not included. */
type Period = readonly [name: string, from: number, to: number];

const DAY = 86_400_000;
const WEEK = 7 * DAY;

/** A day, month or year, which RFC 3339 begins with, by how many characters, and how many days it has at most. */
const calendar =
  (length: number, days: number) =>
  (time: number): Period => {
    const named = (moment: number) => new Date(moment).toISOString().slice(0, length);
    const from = Date.parse(named(time));
    return [named(time), from, Date.parse(named(from + days * DAY))];
  };

/** ISO 8601: a week begins on a Monday, and is of the year of its Thursday. The first day of 1970 was a Thursday. */
function weekOf(time: number): Period {
  const from = Math.floor((time + 3 * DAY) / WEEK) * WEEK - 3 * DAY;
  const thursday = from + 3 * DAY;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0)) / WEEK);
  return [`${year}-W${String(week).padStart(2, '0')}`, from, from + WEEK];
}

const PERIODS = {
  day: calendar(10, 1),
  week: weekOf,
  month: calendar(7, 31),
  year: calendar(4, 366),
} as const;

const byPeriods = (property: string, by: (periodOf: (time: number) => Period) => By): Readonly<Record<string, By>> =>
  Object.fromEntries(Object.entries(PERIODS).map(([name, periodOf]) => [`${property}.${name}`, by(periodOf)]));

/** The moment of creation is a part of the id. */
const byCreation = (periodOf: (time: number) => Period): By => ({
  spanOf(id) {
    const [value, from, to] = periodOf(creationTime(id));
    return { value, from: firstIdAt(from), to: firstIdAt(to) };
  },
});

const byChange = (periodOf: (time: number) => Period): By => ({
  field: 'updatedAt',
  spanOf(time) {
    const [value, from, to] = periodOf(time);
    return { value, from, to };
  },
});

const DERIVED: Readonly<Record<string, By>> = {
  'email.domain': { field: 'email', behind: '@' },
  ...byPeriods('createdAt', byCreation),
  ...byPeriods('updatedAt', byChange),
};

export const byOf = (name: CountedBy): By => DERIVED[name] ?? { field: name };

type Values = (AttributeValue | undefined)[];

/** Values that users are counted by, as clients see them: a moment is a text. */
export const shownValues = (by: readonly CountedBy[], values: Values): Values =>
  values.map((value, i) => (by[i] === 'updatedAt' && typeof value === 'number' ? momentText(value) : value));

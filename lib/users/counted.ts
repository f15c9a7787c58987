/** The properties that users are counted by, with the names of schemas/counts.ts: fields, and values that follow from a field or from the id. */
import { counted } from '../../schemas/counts.ts';
import type { By } from '../columns/index.ts';
import { dayIn } from './dates.ts';
import { creationTime, firstIdAt, momentText } from './ids.ts';
import { type AttributeProperty, type AttributeValue, isOfAttribute } from './user.ts';

export type CountedBy = keyof typeof counted | AttributeProperty;

export const COUNTED = /* @__PURE__ */ Object.keys(counted) as (keyof typeof counted)[];

/** The attribute whose dates are counted, and by which periods. */
function datesIn(name: string): { field: string; period: PeriodName } | undefined {
  const end = name.lastIndexOf('.');
  const [field, period] = [name.slice(0, end), name.slice(end + 1)];
  return isOfAttribute(field) && isPeriod(period) ? { field, period } : undefined;
}

export const isCounted = (name: string): name is CountedBy =>
  Object.hasOwn(counted, name) || isOfAttribute(name) || datesIn(name) !== undefined;

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
  const year = new Date(thursday).toISOString().slice(0, 4);
  const week = 1 + Math.floor((thursday - Date.parse(`${year}-01-01`)) / WEEK);
  return [`${year}-W${String(week).padStart(2, '0')}`, from, from + WEEK];
}

const PERIODS = {
  day: /* @__PURE__ */ calendar(10, 1),
  week: weekOf,
  month: /* @__PURE__ */ calendar(7, 31),
  year: /* @__PURE__ */ calendar(4, 366),
};

type PeriodName = keyof typeof PERIODS;

export const PERIOD_NAMES = /* @__PURE__ */ Object.keys(PERIODS) as PeriodName[];

const isPeriod = (name: string): name is PeriodName => Object.hasOwn(PERIODS, name);

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

/** Of a day. An offset from UTC, or a week, may reach beyond the years that have four digits. */
export function periodOf(period: PeriodName, day: number): string | undefined {
  const [name] = PERIODS[period](day * DAY);
  return /^\d{4}/.test(name) ? name : undefined;
}

export function byOf(name: CountedBy): By {
  if (name === 'email.domain') return { field: name };
  const dates = datesIn(name);
  if (dates) return { field: dates.field, reading: { numberIn: dayIn, nameOf: (day) => periodOf(dates.period, day) } };
  const [field, period = ''] = name.split('.');
  if (!isPeriod(period) || isOfAttribute(name)) return { field: name };
  return field === 'updatedAt' ? byChange(PERIODS[period]) : byCreation(PERIODS[period]);
}

/** How many users have some values, in the order of what was asked for. */
export interface ValueCount {
  readonly values: (AttributeValue | undefined)[];
  readonly count: number;
}

/** A count as clients see it: a moment is a text. */
export const shownBy =
  (by: readonly CountedBy[]) =>
  ({ values, count }: ValueCount): ValueCount => ({
    values: values.map((value, i) => (by[i] === 'updatedAt' && typeof value === 'number' ? momentText(value) : value)),
    count,
  });

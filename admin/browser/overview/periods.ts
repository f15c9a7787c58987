import { DAY_MS } from '../data/time.ts';

/** How many columns there are of each unit of time. */
export const COLUMNS = { day: 28, week: 26, month: 24 } as const;

export type Unit = keyof typeof COLUMNS;

export const UNITS = Object.keys(COLUMNS) as Unit[];

/** A day, a week of ISO 8601 or a month, in UTC. */
export interface Period {
  /** As the service names it: `2026-11-28`, `2026-W48`, `2026-11`. */
  key: string;
  /** Its first day, and the one after its last. */
  from: string;
  to: string;
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The Monday of a day. */
const mondayOf = (ms: number): number => ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS;

/** A week is of the year of its Thursday. */
function weekOf(monday: number): string {
  const thursday = monday + 3 * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function periodAt(unit: Unit, now: number, ago: number): Period {
  const today = now - (now % DAY_MS);
  if (unit === 'month') {
    const month = (by: number) => dateOf(Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() + by, 1));
    return { key: month(-ago).slice(0, 7), from: month(-ago), to: month(1 - ago) };
  }
  const days = unit === 'week' ? 7 : 1;
  const start = (unit === 'week' ? mondayOf(today) : today) - ago * days * DAY_MS;
  return {
    key: unit === 'week' ? weekOf(start) : dateOf(start),
    from: dateOf(start),
    to: dateOf(start + days * DAY_MS),
  };
}

/** The last periods, the present one at the end. @param now in Unix milliseconds */
export const periodsUntil = (unit: Unit, count: number, now: number): Period[] =>
  Array.from({ length: count }, (_, n) => periodAt(unit, now, count - 1 - n));

/** The steps between the lines of a chart: of 1, 2 or 5, at most three of them. */
export function stepOf(most: number): number {
  const least = Math.max(most / 3.5, 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

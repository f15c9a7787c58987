/** When users come: more each month, fewer at weekends, and on no two days alike. */

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 2 * 365;

/** The users of the last day, divided by those of the first. */
const GROWTH = 3;

/** From Sunday on, of an average day. */
const OF_WEEKDAY = [0.4, 1.15, 1.25, 1.2, 1.15, 1, 0.5];

/** The largest share by which a day has more or fewer than its weekday lets expect. */
const NOISE = 0.25;

/** Some number from -1 to 1, always the same for a day. */
const noiseOf = (day: number): number => ((day * 7_919) % 101) / 50 - 1;

function weightOf(start: number, day: number): number {
  const weekday = OF_WEEKDAY[new Date(start).getUTCDay()] ?? 1;
  return weekday * (1 + ((GROWTH - 1) * day) / DAYS) * (1 + NOISE * noiseOf(day));
}

/**
 * The moments of the last two years at which users have come.
 *
 * @param until milliseconds of the Unix epoch
 * @returns the moment of a user who has a share of all users before them: from 0 for the first one, up to 1
 */
export function arrivalsUntil(until: number): (share: number) => number {
  const first = until - (until % DAY_MS) - (DAYS - 1) * DAY_MS;
  const days = Array.from({ length: DAYS }, (_, day) => {
    const start = first + day * DAY_MS;
    const length = Math.min(DAY_MS, until - start);
    return { start, length, weight: weightOf(start, day) * (length / DAY_MS), before: 0 };
  });
  let sum = 0;
  for (const day of days) {
    day.before = sum;
    sum += day.weight;
  }
  return (share) => {
    const at = share * sum;
    const { start, length, weight, before } = days.findLast(({ before }) => before <= at) ?? {
      start: first,
      length: 0,
      weight: 1,
      before: 0,
    };
    return start + Math.floor(length * Math.min(1, (at - before) / (weight || 1)));
  };
}

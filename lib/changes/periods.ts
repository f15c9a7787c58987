/**
 * For how long changes are kept, which can be set to another number of days at any time. What is kept stays as long as it was to, so
 * after a smaller number later batches of the feed expire before earlier ones. Whoever read across that gap would miss changes:
 * the feed begins after it.
 */
import type { Head, Period } from '../replica/index.ts';
import type { Database } from '../users/database.ts';
import { userError } from '../users/errors.ts';
import { DAY_MS, expiryOf, isExpired } from './items.ts';

export const NOT_KEPT = 'Changes are not kept here';

/** @throws {ServiceError} 404 where no changes are kept */
export function requireKept({ historyDays = 0 }: Database): void {
  if (historyDays === 0) throw userError('changes-not-kept', NOT_KEPT);
}

/** The periods of a head. It has none before its first batch has ended. */
export const periodsOf = ({ periods }: Pick<Head, 'periods'>, days: number): readonly Period[] =>
  periods.length > 0 ? periods : [{ epoch: 0, since: 0, days }];

/** For how many days the batch of a head is kept. @param days unless the head says it */
export const daysOf = (head: Pick<Head, 'periods'>, days: number): number => periodsOf(head, days).at(-1)?.days ?? days;

/** The last period whose first batch has expired, and what comes after it: nothing before it can be read any more. */
function present(periods: readonly Period[], now: number): readonly Period[] {
  const last = periods.findLastIndex(({ since, days }) => isExpired(now, { ttl: expiryOf(since, days) }));
  return periods.slice(Math.max(0, last));
}

/** The periods with the next batch, which is kept for `days` days. */
export function nextPeriods(head: Head, { feed, claimedAt }: Pick<Head, 'feed' | 'claimedAt'>, days: number): Period[] {
  if (feed !== head.feed) return [{ epoch: 0, since: 0, days }];
  const periods = present(periodsOf(head, days), claimedAt);
  return periods.at(-1)?.days === days ? [...periods] : [...periods, { epoch: head.epoch + 1, since: claimedAt, days }];
}

/** No batch since then, and none from this epoch on, has been lost to readers: those that have expired were before all others. */
export function firstKept(head: Pick<Head, 'periods'>, days: number, now: number): Pick<Period, 'epoch' | 'since'> {
  const [first, next] = present(periodsOf(head, days), now);
  const since = Math.max(first?.since ?? 0, now - (first?.days ?? days) * DAY_MS);
  return { epoch: first?.epoch ?? 0, since: Math.min(since, next?.since ?? since) };
}

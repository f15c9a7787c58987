/**
 * For how long changes are kept, which can be set to another number of days at any time, for later changes. None expires before an earlier
 * one, so who reads what is left misses nothing in between.
 */
import { ServiceError } from '../../errors.ts';
import type { Head, Keeping } from '../journal/head.ts';
import { DAY_MS, expiryOf } from './items.ts';

export const NOT_KEPT = 'Changes are not kept here';

/** @throws {ServiceError} 404 where no changes are kept */
export function requireKept(historyDays: number): void {
  if (historyDays === 0) throw new ServiceError('changes-not-kept', NOT_KEPT);
}

/** How the next batch is kept, for so many days at least. */
export const nextKept = ({ kept, lastBatch }: Head, claimedAt: number, days: number): Keeping => ({
  days,
  since: days > kept.days && lastBatch > 0 ? claimedAt : kept.since,
  ttl: Math.max(kept.ttl, expiryOf(claimedAt, days)),
});

/** No change since then has expired. @param days for how long changes are kept, unless the head says it */
export const nothingExpiredSince = ({ kept, lastBatch }: Head, days: number, now: number): number =>
  Math.max(kept.since, now - (lastBatch > 0 ? kept.days : days) * DAY_MS);

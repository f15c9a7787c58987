/**
 * The room for users in the memory of functions that list. The bytes of the next base are known when it is merged. Until then they are between two
 * bounds: those of the base with all values that writes have brought since, and without all that writes have taken away. Where a bound is on another side of
 * a limit, a merge shows whether the base is.
 */
import type { Growth, StoredBase } from './head.ts';
import { FULL_SHARE, type Limits } from './limits.ts';

/** Whether a base is full: what brings values is refused. */
export const isFull = ({ baseBytes }: Limits, bytes: number): boolean => bytes > FULL_SHARE * baseBytes;

/** Lists take bases as large as version 3.1 took: most containers are never asked so much that they need all of their memory. A share of `baseBytes`. */
const LISTED_SHARE = 1.2;

/** Whether a base is too large: lists refuse it. */
export const isTooLarge = ({ baseBytes }: Limits, bytes: number): boolean => bytes > LISTED_SHARE * baseBytes;

/**
 * The largest base that is merged, as a share of the largest base of functions that list, in as much memory: one and three million users took 6.4
 * times the bytes of their columns, where 9 are reserved for lists.
 */
const MERGED_SHARE = 1.4;

/** Whether the memory of a fold takes a base and the next one. It answers no questions, so nothing is kept for them. */
export const canBeMerged = ({ baseBytes }: Limits, { unpacked }: Pick<StoredBase, 'unpacked'>): boolean =>
  unpacked <= MERGED_SHARE * baseBytes;

/** Whether so much has gone that lists may have room for what is left. */
export const mayFit = (limits: Limits, bytes: number, { shrunk }: Growth): boolean =>
  !isTooLarge(limits, bytes - shrunk);

/** The share of the largest base that writes bring before a merge. A stage that is nearly full, where values come and go, is not merged all the time. */
const BROUGHT_SHARE = 0.01;

/** Whether the next base may be full, or too large, where the present one is not, or the other way round. */
export function mayBeOtherwise(limits: Limits, bytes: number, { grown, shrunk }: Growth): boolean {
  const isMuch = grown >= BROUGHT_SHARE * limits.baseBytes;
  return [isFull, isTooLarge].some((isBeyond) =>
    isBeyond(limits, bytes) ? !isBeyond(limits, bytes - shrunk) : isMuch && isBeyond(limits, bytes + grown),
  );
}

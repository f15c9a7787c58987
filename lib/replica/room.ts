/**
 * The room for users in the memory of functions that list. The bytes of the next base are known when it is merged. Until then they are estimated: those
 * of the base, and by how many the texts of users have become longer since. Where that tells another side of a limit, a merge shows whether it is so.
 */
import { FULL_SHARE, type Limits } from './limits.ts';

/** Whether a base is full: what makes users longer is refused. */
export const isFull = ({ baseBytes }: Limits, bytes: number): boolean => bytes > FULL_SHARE * baseBytes;

/** Whether a base is too large: lists refuse it. */
export const isTooLarge = ({ baseBytes }: Limits, bytes: number): boolean => bytes > baseBytes;

/** Whether the next base may be full, or too large, where the present one is not, or the other way round. */
export const mayBeOtherwise = (limits: Limits, bytes: number, grown: number): boolean =>
  [isFull, isTooLarge].some((isBeyond) => isBeyond(limits, bytes) !== isBeyond(limits, bytes + grown));

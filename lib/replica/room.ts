/**
 * The room for users in the memory of functions that list. The bytes of the next base are known when it is merged. Until then they are estimated: those
 * of the base, and by how many the texts of users have become longer since. Where that tells another side of a limit, a merge shows whether it is so.
 */
import { type JournalEntry, restoreChange } from './entry.ts';
import { bytesOfFields } from './fieldText.ts';
import { FULL_SHARE, type Limits } from './limits.ts';

/** By how many bytes some writes have made users longer: less than 0 for shorter ones, and for those who are gone. */
export const growthOf = (entries: readonly JournalEntry[]): number =>
  entries.reduce((sum, entry) => {
    const change = restoreChange(entry, { ...entry });
    return sum + bytesOfFields(change?.after) - bytesOfFields(change?.before);
  }, 0);

/** Whether a base is full: what makes users longer is refused. */
export const isFull = ({ baseBytes }: Limits, bytes: number): boolean => bytes > FULL_SHARE * baseBytes;

/** Whether a base is too large: lists refuse it. */
export const isTooLarge = ({ baseBytes }: Limits, bytes: number): boolean => bytes > baseBytes;

/** Whether the next base may be full, or too large, where the present one is not, or the other way round. */
export const mayBeOtherwise = (limits: Limits, bytes: number, grown: number): boolean =>
  [isFull, isTooLarge].some((isBeyond) => isBeyond(limits, bytes) !== isBeyond(limits, bytes + grown));

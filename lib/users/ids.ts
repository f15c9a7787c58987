import type { Runtime } from '../ground/index.ts';

/** 2020-01-01T00:00:00Z in Unix milliseconds. */
const EPOCH = 1_577_836_800_000;

/** Ids per millisecond. 41 of 53 bits hold the milliseconds and last until 2089; 12 bits break ties. */
export const TIES = 4_096;

export const MAX_ID = Number.MAX_SAFE_INTEGER;

const millisecond = (id: number): number => Math.floor(id / TIES);

/** Milliseconds since 2020 of a time in Unix milliseconds, and back. */
export const millisecondsOf = (time: number): number => Math.floor(time) - EPOCH;
export const timeAt = (milliseconds: number): number => EPOCH + milliseconds;

/** Whether the service can have given this id by a time in Unix milliseconds: several ids of one millisecond may run into the next one. */
export const canBeGivenBy = (id: number, time: number): boolean => id > 0 && creationTime(id) <= time + 1;

/** When the user with this id was created, in Unix milliseconds. */
export const creationTime = (id: number): number => timeAt(millisecond(id));

/** A moment in Unix milliseconds as RFC 3339 in UTC with milliseconds. */
export const momentText = (moment: number): string => new Date(moment).toISOString();

export const createdAt = (id: number): string => momentText(creationTime(id));

/** The lowest id of users created at a time in Unix milliseconds. Negative before the first year of the service. */
export const firstIdAt = (time: number): number => (time - EPOCH) * TIES;

/**
 * Draws ids that always rise within one container, even if its clock is set back. Two containers that draw in the same
 * millisecond get the same id with a chance of 1 in 4,096, so the writer must refuse an id that exists.
 */
export function createIdSource({ now, random }: Pick<Runtime, 'now' | 'random'>): () => number {
  let last = 0;
  return () => {
    const drawn = (now() - EPOCH) * TIES + Math.floor(random() * TIES);
    last = Math.max(drawn, last + 1);
    return last;
  };
}

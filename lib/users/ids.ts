import type { Runtime } from '../runtime.ts';

/** 2020-01-01T00:00:00Z in Unix milliseconds. */
const EPOCH = 1_577_836_800_000;

/** 41 bits of milliseconds last until 2089 and leave 12 bits of 53 to break ties. */
const TIES = 4_096;

export const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Digits of the largest id. */
export const ID_DIGITS = 16;

const millisecond = (id: number): number => Math.floor(id / TIES);

/** When the user with this id was created, as RFC 3339 in UTC with milliseconds. */
export const createdAt = (id: number): string => new Date(EPOCH + millisecond(id)).toISOString();

/** The least and the greatest id of users created at a time, given as `createdAt` gives it. */
export function idsCreatedAt(time: string): [first: number, last: number] {
  const first = (Date.parse(time) - EPOCH) * TIES;
  return [first, first + TIES - 1];
}

/**
 * Draws ids that rise strictly within one container, also when its clock is set back. Two containers may draw the same
 * id in the same millisecond with a chance of 1 in 4,096: the writer must refuse an id that exists.
 */
export function createIdSource({ now, random }: Pick<Runtime, 'now' | 'random'>): () => number {
  let last = 0;
  return () => {
    const drawn = (now() - EPOCH) * TIES + Math.floor(random() * TIES);
    last = Math.max(drawn, last + 1);
    return last;
  };
}

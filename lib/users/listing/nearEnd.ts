import type { Range } from '../lists.ts';

/** Digits and Latin letters are taken as even: other characters stand at the end. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

const digitOf = (character = ''): number =>
  character > 'z' ? ALPHABET.length : Math.max(0, ALPHABET.indexOf(character));

/** About where a text stands among all texts, from 0 to 1: three characters tell well enough. */
const placeOf = (text: string): number =>
  [1, 2, 3].reduce((place, at) => place + digitOf(text[at - 1]) / ALPHABET.length ** at, 0);

/**
 * Whether a key is probably nearer to the end of a segment than to its beginning. A segment ends at the shortest bound there is for a
 * usual size, so a key that is much shorter than the end would be the end itself, unless it is near the beginning.
 */
export function isNearEnd({ from = '', to }: Range, key: string): boolean {
  if (to === undefined || to.length > key.length + 1) return false;
  if (to.startsWith(key)) return true;
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const place = placeOf(key.slice(same));
  return placeOf(to.slice(same)) - place < place - placeOf(from.slice(same));
}

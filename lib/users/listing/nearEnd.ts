import type { Range } from '../lists.ts';

/** So many characters tell well enough where a text stands. */
const CHARACTERS = 3;

/** Digits and Latin letters are taken as even: other characters stand at the end. */
const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

/** About where a text stands among all texts, by its first characters, from 0 to 1. */
function placeOf(text: string): number {
  let [place, width] = [0, 1];
  for (const character of text.slice(0, CHARACTERS)) {
    width /= ALPHABET.length;
    const at = character > 'z' ? ALPHABET.length : Math.max(0, ALPHABET.indexOf(character));
    place += at * width;
  }
  return place;
}

/**
 * Whether a key is probably nearer to the end of a segment than to its beginning. A segment ends at the shortest bound there is for a
 * usual size, so a key that is much shorter than the end would be the end itself, unless it is near the beginning.
 */
export function isNearEnd({ from = '', to }: Range, key: string): boolean {
  if (to === undefined || to.length > key.length + 1) return false;
  if (to.startsWith(key)) return true;
  let same = 0;
  while (same < from.length && from[same] === to[same]) same++;
  const [low, place, high] = [from, key, to].map((each) => placeOf(each.slice(same))) as [number, number, number];
  return high - place < place - low;
}

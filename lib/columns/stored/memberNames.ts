/** The texts of arrays by number: those that arrays share are few, and counts by them decode no array again. */

import { decoded, isText } from '../values/mixed.ts';
import { inChunks, type Steps } from '../work/chunks.ts';

/** More distinct names are not kept: each may be in one array alone. */
const MOST_NAMES = 1 << 14;

/** Bytes of a name in a list and in a map, besides its characters: about. */
const NAME_BYTES = 120;

/** Encoded values, by code. */
interface Source {
  readonly size: number;
  text(code: number): string;
  unpacking(): Steps<unknown>;
}

/** The names of the values of a column: each text, alone or in an array, and other values as they are encoded. */
export interface MemberNames {
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Where the numbers of each code begin, and behind the last code where they end. */
  readonly starts: Uint32Array;
  readonly members: Uint16Array;
  readonly bytes: number;
}

/** The names of an encoded value. They begin with a sign that no text has, unless they are texts. */
export const namesIn = (value: string): readonly string[] =>
  isText(value) ? ([decoded(value)].flat() as string[]) : [value];

/** @returns undefined if values have more names than are kept */
export function* namesOfMembers(texts: Source): Steps<MemberNames | undefined> {
  yield* texts.unpacking();
  const numbers = new Map<string, number>();
  const starts = new Uint32Array(texts.size + 1);
  let members = new Uint16Array(2 * texts.size + 1);
  let [count, bytes] = [0, 0];
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    bytes += NAME_BYTES + name.length;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  yield* inChunks(texts.size, (from, to) => {
    for (let code = from; code < to && numbers.size <= MOST_NAMES; code++) {
      for (const name of new Set(namesIn(texts.text(code)))) {
        if (count === members.length) {
          const longer = new Uint16Array(2 * count);
          longer.set(members);
          members = longer;
        }
        members[count++] = numberOf(name);
      }
      starts[code + 1] = count;
    }
  });
  if (numbers.size > MOST_NAMES) return undefined;
  members = members.slice(0, count);
  return {
    ...{ names: [...numbers.keys()], numbers, starts, members },
    bytes: bytes + starts.byteLength + members.byteLength,
  };
}

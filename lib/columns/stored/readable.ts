/** The texts of which a reader reads a number, such as dates: as texts are sorted, most of them follow each other. */

import type { NumberIn } from '../values/text.ts';
import { inChunks, type Steps } from '../work/chunks.ts';

/** Texts of a column that follow each other, arrays aside. */
interface Range {
  readonly begin: number;
  /** Behind the last one. */
  readonly end: number;
  /** As mixed.ts does it: two bytes are before each text then, and one is behind it. */
  readonly isEncoded: boolean;
}

/** The bytes of all texts, and where each ends. */
interface Bytes {
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

/** @returns in turn, the code where such texts begin, and the one where they have ended */
export function* readableIn(
  { bytes, ends }: Bytes,
  { begin, end, isEncoded }: Range,
  numberIn: NumberIn,
): Steps<Uint32Array> {
  const [before, behind] = isEncoded ? [2, 1] : [0, 0];
  const edges: number[] = [];
  let isReadable = false;
  yield* inChunks(end - begin, (from, to) => {
    for (let code = begin + from; code < begin + to; code++) {
      const start = code === 0 ? 0 : (ends[code - 1] ?? 0) + 1;
      if ((numberIn(bytes, start + before, (ends[code] ?? 0) - behind) !== undefined) === isReadable) continue;
      isReadable = !isReadable;
      edges.push(code);
    }
  });
  if (isReadable) edges.push(end);
  return Uint32Array.from(edges);
}

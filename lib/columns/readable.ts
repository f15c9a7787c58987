/** The texts of which a reader reads a number, such as dates: as texts are sorted, most of them follow each other. */
import { inChunks, type Steps } from './chunks.ts';
import type { NumberIn } from './definition.ts';
import type { Texts } from './texts.ts';

/** Texts of a column that follow each other, arrays aside. */
interface Range {
  readonly begin: number;
  /** Behind the last one. */
  readonly end: number;
  /** As mixed.ts does it: two bytes are before each text then, and one is behind it. */
  readonly isEncoded: boolean;
}

/** @returns in turn, the code where such texts begin, and the one where they have ended */
export function* readableIn(texts: Texts, { begin, end, isEncoded }: Range, numberIn: NumberIn): Steps<Uint32Array> {
  const { bytes, ends } = yield* texts.unpacking();
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

import type { Work } from './definition.ts';
import { inSlices, made, type Steps } from './steps.ts';

/** Makes steps in a question, with a tick between each two. */
export const ticked = <Result>(steps: Steps<Result>, work: Work): Result => made(steps, () => work.tick());

/**
 * A long loop as many calls of a function, each for 8,192 rows, with a tick before it. V8 compiles that once, as fast as it can be. A loop of one
 * call is compiled amid it, anew for most calls, and takes twice as long; so does one that V8 puts into the function around it, as generators forbid.
 */
export const inStretches = (size: number, work: Work, pass: (from: number, to: number) => void): void =>
  ticked(inSlices(size, pass, 1 << 13), work);

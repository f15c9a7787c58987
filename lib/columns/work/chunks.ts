/** Called now and then during long work, at least once for 65,536 rows. It may throw to end it. */
export interface Work {
  tick(): void;
  /** Told of bytes that a question needs beside arrays of its rows and values, about, before it takes more. It may throw, too. */
  hold?(bytes: number): void;
}

/** Work that nobody ends. */
export const NO_LIMIT: Work = { tick: () => {} };

/** Each `next()` is a step of some milliseconds at most, at a million users: a caller that must not wait long makes some of them at a time. */
export type Steps<Result> = Generator<void, Result, void>;

/** Makes all steps at once. */
export function made<Result>(steps: Steps<Result>, between = (): void => {}): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    between();
  }
}

/** Rows, or values, that a step passes. */
const CHUNK = 1 << 14;

/** A loop in steps. Each has a function of its own: in a generator a loop takes twice as long. */
export function* inChunks(size: number, pass: (from: number, to: number) => void, chunk = CHUNK): Steps<void> {
  for (let from = 0; from < size; from += chunk) {
    yield;
    pass(from, Math.min(from + chunk, size));
  }
}

/**
 * Steps of which nothing is lost when a caller is ended amid them: the next one goes on there. So what takes longer than a question may is made
 * by several.
 */
export class Resumed<Result> {
  readonly #begin: () => Steps<Result>;
  #running: Steps<Result> | undefined;

  /** @param begin makes nothing again that is there */
  constructor(begin: () => Steps<Result>) {
    this.#begin = begin;
  }

  *all(): Steps<Result> {
    for (;;) {
      const steps = this.#running ?? this.#begin();
      // A step that fails ends them all.
      this.#running = undefined;
      const { done, value } = steps.next();
      if (done) return value;
      this.#running = steps;
      yield;
    }
  }
}

/** The numbers that are sorted, or merged, in a step. */
const RUN = 1 << 12;

function* mergedRuns<Item>(a: Item[], b: Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  const all: Item[] = [];
  let [i, k] = [0, 0];
  const pass = (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      const isFirst = k === b.length || (i < a.length && compare(a[i] as Item, b[k] as Item) <= 0);
      all.push((isFirst ? a[i++] : b[k++]) as Item);
    }
  };
  yield* inChunks(a.length + b.length, pass, RUN);
  return all;
}

/** Sorts in steps. */
export function* sortedInSteps<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    yield;
    runs.push(items.slice(from, from + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const next: Item[][] = [];
    for (let i = 0; i < runs.length; i += 2) next.push(yield* mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = next;
  }
  return runs[0] ?? [];
}

/** Makes steps in a question, with a tick between each two. */
export const ticked = <Result>(steps: Steps<Result>, work: Work): Result => made(steps, () => work.tick());

/**
 * A long loop as many calls of a function, each for 8,192 rows, with a tick before it. V8 compiles that once, as fast as it can be. A loop of one
 * call is compiled amid it, anew for most calls, and takes twice as long; so does one that V8 puts into the function around it, as generators forbid.
 */
export const overChunks = (size: number, work: Work, pass: (from: number, to: number) => void): void =>
  ticked(inChunks(size, pass, 1 << 13), work);

/** Each `next()` is a step of some milliseconds at most, at a million users: whoever must not wait long makes some of them at a time. */
export type Steps<Result> = Generator<void, Result, void>;

/** Makes all steps at once. */
export function made<Result>(steps: Steps<Result>, between = (): void => {}): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    between();
  }
}

/** A step passes so many rows, or values. */
const SLICE = 1 << 14;

/** A loop in steps. Each has a function of its own: in a generator a loop takes twice as long. */
export function* inSlices(size: number, pass: (from: number, to: number) => void, slice = SLICE): Steps<void> {
  for (let from = 0; from < size; from += slice) {
    yield;
    pass(from, Math.min(from + slice, size));
  }
}

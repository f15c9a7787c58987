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

/** A value, and the moment until which it may be kept, in milliseconds since 1970. */
export interface Kept<Value> {
  value: Value;
  until: number;
}

/** Reads a value, and again when its time is over. Requests that wait for it wait together. A failure is not kept. */
export function kept<Value>(read: () => Promise<Kept<Value>>): () => Promise<Value> {
  let asked: Promise<Value> | undefined;
  let until = 0;
  return () => {
    if (asked !== undefined && Date.now() < until) return asked;
    until = Number.POSITIVE_INFINITY;
    asked = read().then(
      (given) => {
        until = given.until;
        return given.value;
      },
      (error) => {
        until = 0;
        throw error;
      },
    );
    return asked;
  };
}

const MAX_RESULTS = 10_000;

/** A pure function of a text that remembers its results. Forgets all of them when there are too many. */
export function memoized<Result>(ask: (text: string) => Result, most = MAX_RESULTS): (text: string) => Result {
  const results = new Map<string, { value: Result }>();
  return (text) => {
    const known = results.get(text);
    if (known) return known.value;
    if (results.size >= most) results.clear();
    const value = ask(text);
    results.set(text, { value });
    return value;
  };
}

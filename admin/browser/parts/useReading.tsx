import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from '../data/connection.ts';
import { Trouble } from './Trouble.tsx';

interface State<Value> {
  /** The last value. It stays while the next one is read, also in vain. */
  value?: Value;
  failure?: RequestFailure | undefined;
  /** The last question that has an answer. */
  answered?: string;
}

export const Loading = () => (
  <p class="notice p-4 align-center" aria-busy="true">
    Loading …
  </p>
);

/**
 * Reads something, and tries again by itself, also when the network is back. Another key ends the request of the one before, so an
 * older answer never replaces a newer one.
 *
 * @param key what is read, of all that `read` takes from around it
 * @param read is given what is shown before its answer. Undefined: there is nothing to read
 */
export function useReading<Value>(
  key: string,
  read: ((signal: AbortSignal, before: Value | undefined) => Promise<Value>) | undefined,
) {
  const [{ value, failure, answered }, setState] = useState<State<Value>>({});
  const [attempt, setAttempt] = useState(0);
  const reload = () => setAttempt((before) => before + 1);
  const asked = `${key} ${attempt}`;
  // The present key, its last question, and the way to end that request.
  const last = useRef({ key, asked, end: (): void => undefined });
  Object.assign(last.current, { key, asked });
  /** Shows what is known from elsewhere, if nothing else is read by now. An answer that is on its way may be older. */
  function set(known: Value): void {
    if (last.current.key !== key) return;
    last.current.end();
    setState({ value: known, answered: last.current.asked });
  }

  // Not after the browser has painted: the request is on its way meanwhile.
  useLayoutEffect(() => {
    if (!read) return undefined;
    const ended = new AbortController();
    last.current.end = () => ended.abort();
    const { signal } = ended;
    let retry: ReturnType<typeof setTimeout> | undefined;
    read(signal, value).then(
      (found) => signal.aborted || setState({ value: found, answered: asked }),
      (error: unknown) => {
        if (signal.aborted) return;
        const failed = toFailure(error);
        setState((before) => ({ ...before, failure: failed, answered: asked }));
        if (failed.retryAfterS === undefined) return;
        retry = setTimeout(reload, failed.retryAfterS * 1_000);
        addEventListener('online', reload, { signal });
      },
    );
    return () => {
      clearTimeout(retry);
      ended.abort();
    };
  }, [asked]);

  /** Why nothing is there yet, or nothing newer. */
  const trouble = failure ? (
    <Trouble failure={failure} isShown={value !== undefined} isTried />
  ) : value === undefined ? (
    <Loading />
  ) : null;
  return { value, failure, isLoading: answered !== asked, set, reload, trouble };
}

import { useEffect, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './connection.ts';
import { Trouble } from './Trouble.tsx';

/** When to try again, in seconds, if the service did not say it. */
const RETRY_AFTER_S = 5;

interface State<Value> {
  /** What was read last. It stays while it is read again, also in vain. */
  value?: Value;
  failure?: RequestFailure | undefined;
  isLoading: boolean;
}

/** Trying again later may help. */
const isPassing = ({ status }: RequestFailure): boolean => status === 0 || status === 429 || status >= 500;

/**
 * Reads something, and tries again by itself, also when the network is back. Another key ends the request of the one before, so an
 * older answer never replaces a newer one.
 *
 * @param key what is read, of all that `read` takes from around it
 */
export function useReading<Value>(key: string, read: (signal: AbortSignal) => Promise<Value>) {
  const [state, setState] = useState<State<Value>>({ isLoading: true });
  const [attempt, setAttempt] = useState(0);
  const reload = () => setAttempt((before) => before + 1);
  /** Shows what is known from elsewhere. */
  const set = (value: Value) => setState({ value, isLoading: false });

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    let retry: ReturnType<typeof setTimeout> | undefined;
    setState((before) => ({ ...before, isLoading: true }));
    read(signal).then(
      (value) => signal.aborted || set(value),
      (error: unknown) => {
        if (signal.aborted) return;
        const failure = toFailure(error);
        setState((before) => ({ ...before, failure, isLoading: false }));
        if (!isPassing(failure)) return;
        retry = setTimeout(reload, (failure.retryAfterS ?? RETRY_AFTER_S) * 1_000);
        addEventListener('online', reload, { signal });
      },
    );
    return () => {
      clearTimeout(retry);
      ended.abort();
    };
  }, [key, attempt]);

  const { value, failure } = state;
  /** Why nothing is there yet, or nothing newer. */
  const trouble = failure ? (
    <Trouble failure={failure} />
  ) : value === undefined ? (
    <p class="notice" aria-busy="true">
      Loading …
    </p>
  ) : null;
  return { ...state, set, reload, trouble };
}

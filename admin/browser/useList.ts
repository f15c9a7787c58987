import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Connection, Page } from './connection.ts';
import { type RequestFailure, toFailure } from './failure.ts';
import { listQuery, type View } from './view.ts';

/** When to try again, in seconds, if the service did not say it. */
const RETRY_AFTER_S = 5;

export interface List {
  /** The page that was read last. It stays while another one is read. */
  page: Page | undefined;
  failure: RequestFailure | undefined;
  isLoading: boolean;
  reload(): void;
}

/** Trying again later may help. */
export const isPassing = ({ status }: RequestFailure): boolean => [0, 429, 503].includes(status);

export const retryAfterMs = ({ retryAfterS = RETRY_AFTER_S }: RequestFailure): number => retryAfterS * 1_000;

/** Reads the list of a view. A later view ends the request of an earlier one, so an older answer never replaces a newer one. */
export function useList(connection: Connection, view: View): List {
  const [state, setState] = useState<Pick<List, 'page' | 'failure' | 'isLoading'>>({
    page: undefined,
    failure: undefined,
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  const asked = JSON.stringify({ page: view.page, size: view.size, ...listQuery(view) });
  const retry = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  useEffect(() => {
    const ended = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    connection.list(JSON.parse(asked), ended.signal).then(
      (page) => {
        if (!ended.signal.aborted) setState({ page, failure: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const failure = toFailure(error);
        setState({ page: undefined, failure, isLoading: false });
        if (isPassing(failure)) retry.current = setTimeout(reload, retryAfterMs(failure));
      },
    );
    return () => {
      clearTimeout(retry.current);
      ended.abort();
    };
  }, [connection, asked, attempt, reload]);

  useEffect(() => {
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, [reload]);

  return { ...state, reload };
}

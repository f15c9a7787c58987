import { useEffect, useState } from 'preact/hooks';
import type { Connection, TaggedUser } from './connection.ts';
import { type RequestFailure, toFailure } from './failure.ts';
import { isPassing, retryAfterMs } from './useList.ts';

/** A user, and what to say about it. */
export type NoticedUser = TaggedUser & { notice?: string };

export interface OneUser {
  /** Undefined while it is read, and if there is none. */
  tagged: NoticedUser | undefined;
  failure: RequestFailure | undefined;
  set(tagged: NoticedUser): void;
  reload(): void;
}

/** Reads one user. */
export function useUser(connection: Connection, id: string): OneUser {
  const [state, setState] = useState<Pick<OneUser, 'tagged' | 'failure'>>({ tagged: undefined, failure: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    connection.read(id, ended.signal).then(
      (tagged) => {
        if (!ended.signal.aborted) setState({ tagged, failure: undefined });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        const failure = toFailure(error);
        setState({ tagged: undefined, failure });
        if (isPassing(failure)) retry = setTimeout(() => setAttempt((before) => before + 1), retryAfterMs(failure));
      },
    );
    return () => {
      clearTimeout(retry);
      ended.abort();
    };
  }, [connection, id, attempt]);
  return {
    ...state,
    set: (tagged) => setState({ tagged, failure: undefined }),
    reload: () => setAttempt((before) => before + 1),
  };
}

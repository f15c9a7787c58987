import { useEffect, useState } from 'preact/hooks';
import { type Connection, type RequestFailure, type TaggedUser, toFailure } from './connection.ts';

export interface OneUser {
  /** Undefined while it is read, and if there is none. */
  tagged: TaggedUser | undefined;
  failure: RequestFailure | undefined;
  set(tagged: TaggedUser): void;
  reload(): void;
}

/** Reads one user. */
export function useUser(connection: Connection, id: string): OneUser {
  const [state, setState] = useState<Pick<OneUser, 'tagged' | 'failure'>>({ tagged: undefined, failure: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    connection.read(id, ended.signal).then(
      (tagged) => {
        if (!ended.signal.aborted) setState({ tagged, failure: undefined });
      },
      (error: unknown) => {
        if (ended.signal.aborted) return;
        setState({ tagged: undefined, failure: toFailure(error) });
      },
    );
    return () => ended.abort();
  }, [connection, id, attempt]);
  return {
    ...state,
    set: (tagged) => setState({ tagged, failure: undefined }),
    reload: () => setAttempt((before) => before + 1),
  };
}

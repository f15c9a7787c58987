import { useEffect, useMemo, useState } from 'preact/hooks';
import { notDone, type RequestFailure, toFailure } from '../data/connection.ts';
import { readAnew, say } from '../data/state.ts';
import { NotSaved } from './Trouble.tsx';

interface State {
  isSaving?: boolean;
  /** How much of it is done, if that is known. */
  share?: number;
  failure?: RequestFailure;
}

/**
 * Sends what is asked for, one thing at a time.
 *
 * @param whose the name of whom it is about
 * @param isShown whether a failure is shown beside it, at that time. One that is not is told.
 */
export function useSaving(whose = 'The last action', isShown = () => true) {
  const [{ isSaving = false, share, failure }, set] = useState<State>({});
  // An answer may come late, when another card is open.
  const closed = useMemo(() => new AbortController(), []);
  useEffect(() => () => closed.abort(), []);
  /** Tells of a failure, unless somebody sees it. */
  const tell = (why: string) => (closed.signal.aborted || !isShown()) && say(`${whose}: ${why}`);
  function fail(failed: RequestFailure): void {
    set({ failure: failed });
    // It is not as it is shown any more.
    if ([404, 412].includes(failed.status)) readAnew();
    tell(notDone(failed));
  }
  return {
    isSaving,
    failure,
    /** How much of it is done, and why no more. */
    progress: (
      <>
        {isSaving && <progress aria-label="Done" value={share} />}
        <NotSaved failure={failure} />
      </>
    ),
    /**
     * Does nothing while something is sent.
     *
     * @param onDone is called unless `send` answers false, which shows by itself that somebody else was faster, or the card was closed meanwhile
     */
    async attempt<Done>(
      send: (onShare: (share: number) => void) => Promise<Done | false>,
      onDone?: (done: Done) => void,
    ): Promise<void> {
      if (isSaving) return;
      // The last message is about something else.
      say();
      set({ isSaving: true });
      try {
        const done = await send((share) => set({ isSaving: true, share }));
        set({});
        if (done === false) tell('Not done: somebody was faster');
        else if (!closed.signal.aborted) onDone?.(done);
      } catch (error) {
        fail(toFailure(error));
      }
    },
  };
}

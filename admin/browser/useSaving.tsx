import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './connection.ts';
import { FailureLine } from './Trouble.tsx';

/** Sends what is asked for, one thing at a time. */
export function useSaving() {
  const [failure, setFailure] = useState<RequestFailure>();
  const [isSaving, setSaving] = useState(false);
  const [share, setShare] = useState<number>();
  // An answer may come late, when another card is open.
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  return {
    isSaving,
    failure,
    /** How much of it is done, if `send` says so, and why no more. */
    progress: (
      <>
        {isSaving && <progress aria-label="Done" value={share} />}
        <FailureLine failure={failure} />
      </>
    ),
    /**
     * Does nothing while something is sent.
     *
     * @param onDone is called unless `send` answers false, or the card was closed meanwhile
     */
    async attempt(send: (onShare: (share: number) => void) => Promise<unknown>, onDone?: () => void): Promise<void> {
      if (isSaving) return;
      setSaving(true);
      setFailure(undefined);
      setShare(undefined);
      try {
        if ((await send(setShare)) !== false && isOpen.current) onDone?.();
      } catch (error) {
        setFailure(toFailure(error));
      } finally {
        setSaving(false);
      }
    },
  };
}

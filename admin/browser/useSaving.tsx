import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './connection.ts';
import { FailureLine } from './Trouble.tsx';

/** Sends what is asked for, one thing at a time. @param onDone is called unless its card was closed meanwhile */
export function useSaving(onDone: () => void) {
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
        {isSaving && share !== undefined && `${Math.round(share * 100)} %`}
        <FailureLine failure={failure} />
      </>
    ),
    /** Does nothing while something is sent. It is done when `send` answers true. */
    async attempt(send: (onShare: (share: number) => void) => Promise<boolean>): Promise<void> {
      if (isSaving) return;
      setSaving(true);
      setFailure(undefined);
      setShare(undefined);
      try {
        if ((await send(setShare)) && isOpen.current) onDone();
      } catch (error) {
        setFailure(toFailure(error));
      } finally {
        setSaving(false);
      }
    },
  };
}

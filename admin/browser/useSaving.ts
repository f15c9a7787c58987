import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './connection.ts';

/** Sends what is asked for, one thing at a time. @param onDone is called unless its card was closed meanwhile */
export function useSaving(onDone: () => void) {
  const [failure, setFailure] = useState<RequestFailure>();
  const [isSaving, setSaving] = useState(false);
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
    /** Does nothing while something is sent. It is done when `send` answers true. */
    async attempt(send: () => Promise<boolean>): Promise<void> {
      if (isSaving) return;
      setSaving(true);
      setFailure(undefined);
      try {
        if ((await send()) && isOpen.current) onDone();
      } catch (error) {
        setFailure(toFailure(error));
      } finally {
        setSaving(false);
      }
    },
  };
}

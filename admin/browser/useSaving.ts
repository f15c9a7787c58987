import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './failure.ts';

/** Sends what is asked for on a card, one thing at a time. */
export function useSaving(onClose: () => void) {
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
    /** Does nothing while something is sent. Closes the card when `send` answers true. */
    async attempt(send: () => Promise<boolean>): Promise<void> {
      if (isSaving) return;
      setSaving(true);
      setFailure(undefined);
      try {
        if ((await send()) && isOpen.current) onClose();
      } catch (error) {
        setFailure(toFailure(error));
      } finally {
        setSaving(false);
      }
    },
  };
}

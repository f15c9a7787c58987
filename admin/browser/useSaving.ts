import { useEffect, useRef, useState } from 'preact/hooks';
import { type RequestFailure, toFailure } from './failure.ts';

export interface Saving {
  isSaving: boolean;
  failure: RequestFailure | undefined;
  /** Does nothing while something is sent. Closes the card when `send` answers true. */
  attempt(
    send: () => Promise<boolean>,
    explain?: (failure: RequestFailure) => RequestFailure | undefined,
  ): Promise<void>;
}

/** Sends what is asked for on a card, one thing at a time. */
export function useSaving(onClose: () => void): Saving {
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
    async attempt(send, explain = (problem) => problem) {
      if (isSaving) return;
      setSaving(true);
      setFailure(undefined);
      try {
        if ((await send()) && isOpen.current) onClose();
      } catch (error) {
        setFailure(explain(toFailure(error)));
      } finally {
        setSaving(false);
      }
    },
  };
}

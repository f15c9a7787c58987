import { useEffect, useRef } from 'preact/hooks';

/** Closes the card that calls it, if it is still open: an answer may come late, when another one is. */
export function useOwnClose(onClose: () => void): () => void {
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  return () => {
    if (isOpen.current) onClose();
  };
}

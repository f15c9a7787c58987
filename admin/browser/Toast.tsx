import { useEffect } from 'preact/hooks';
import { Button } from './Button.tsx';

export interface Toast {
  text: string;
  /** Takes back what was done. Absent if that cannot be. */
  undo?(): void;
}

/** How long a sentence is shown, unless another one comes. */
const SHOWN_MS = 10_000;

/** How long, if it can be acted upon. */
const OFFERED_MS = 30_000;

/** A sentence about what was done. */
export function ToastLine({ toast, close }: { toast: Toast; close(): void }) {
  const { text, undo } = toast;
  useEffect(() => {
    const timer = setTimeout(close, undo ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const act = () => {
    close();
    undo?.();
  };
  return (
    <div class="toast card hstack">
      <span dir="auto">{text}</span>
      {undo && <Button text="Undo" class="outline small" onClick={act} />}
    </div>
  );
}

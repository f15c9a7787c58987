import { useEffect } from 'preact/hooks';

export interface Toast {
  text: string;
  /** What can be done about it. */
  label?: string;
  run?(): void;
}

/** How long a sentence is shown, unless another one comes. */
const SHOWN_MS = 10_000;

/** How long, if it can be acted upon. */
const OFFERED_MS = 30_000;

/** A sentence about what was done. */
export function ToastLine({ toast, close }: { toast: Toast; close(): void }) {
  const { text, label, run } = toast;
  useEffect(() => {
    const timer = setTimeout(close, label ? OFFERED_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  const act = () => {
    close();
    run?.();
  };
  return (
    <div class="toast card hstack">
      <span dir="auto">{text}</span>
      {label && (
        <button type="button" class="outline small" onClick={act}>
          {label}
        </button>
      )}
    </div>
  );
}

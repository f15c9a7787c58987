import { useEffect, useState } from 'preact/hooks';

export interface Toast {
  text: string;
  action?: { label: string; run(): void };
}

/** How long a sentence is shown, and an action can be taken, unless another one comes. */
const SHOWN_MS = 10_000;

/** A sentence about what was done. */
export function useToast(): [Toast | undefined, (toast: Toast | undefined) => void] {
  const [toast, show] = useState<Toast>();
  useEffect(() => {
    const timer = setTimeout(() => show(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast]);
  return [toast, show];
}

export function ToastLine({ toast: { text, action }, close }: { toast: Toast; close(): void }) {
  return (
    <div class="toast hstack justify-between">
      {text}
      {action && (
        <button
          type="button"
          class="outline"
          onClick={() => {
            close();
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

import { useCallback, useRef, useState } from 'preact/hooks';

export interface Toast {
  key: number;
  text: string;
  action?: { label: string; run(): void };
}

/** How long a sentence is shown, and an action can be taken. */
const SHOWN_MS = 10_000;

/** Sentences about what was done. */
export function useToasts(): [Toast[], (toast: Omit<Toast, 'key'>) => void, (key: number) => void] {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const last = useRef(0);
  const remove = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);
  const show = useCallback(
    (toast: Omit<Toast, 'key'>) => {
      const key = ++last.current;
      setToasts((all) => [...all, { ...toast, key }]);
      // A card lies over the sentence, and over what can be undone.
      const expire = () => {
        if (document.querySelector('dialog[open]')) setTimeout(expire, SHOWN_MS);
        else remove(key);
      };
      setTimeout(expire, SHOWN_MS);
    },
    [remove],
  );
  return [toasts, show, remove];
}

export function Toasts({ toasts, remove }: { toasts: Toast[]; remove(key: number): void }) {
  return (
    <div class="toasts vstack" role="status">
      {toasts.map(({ key, text, action }) => (
        <div key={key} class="hstack justify-between">
          {text}
          {action && (
            <button
              type="button"
              class="outline"
              onClick={() => {
                remove(key);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

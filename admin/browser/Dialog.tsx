import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { LEAVE } from './useView.ts';

interface Props {
  label: string;
  /** Whether closing loses what was entered. Then it is asked first. */
  isDirty: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A card over the page. Escape, its button and a click outside of it close it. */
export function Dialog({ label, isDirty, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  // Reloading or closing the tab asks, too. Going back is asked in useView.ts.
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDirty]);

  function close(): void {
    if (!isDirty || confirm(LEAVE)) onClose();
  }

  return (
    <dialog
      ref={dialog}
      aria-label={label}
      data-dirty={isDirty || undefined}
      {...{ closedby: 'any' }}
      onCancel={(event) => {
        // Chrome closes it at a second Escape with no click or other key in between, whatever this does.
        if (!event.cancelable) return;
        event.preventDefault();
        close();
      }}
      onClose={() => {
        dialog.current?.showModal();
        close();
      }}
    >
      <div class="vstack">
        <div class="hstack justify-end">
          <button type="button" class="outline" aria-label="Close" onClick={close}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

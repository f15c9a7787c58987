import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  label: string;
  /** Whether closing loses what was entered. Then it is asked first. */
  isDirty: boolean;
  onClose(): void;
  children: ComponentChildren;
}

/** A card over the page. Escape, its button and a click beside it close it. */
export function Dialog({ label, isDirty, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  function close(): void {
    if (!isDirty || confirm('Leave without saving?')) onClose();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) close();
      }}
    >
      <div class="card">
        <button type="button" class="close" aria-label="Close" onClick={close}>
          ×
        </button>
        {children}
      </div>
    </dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './parts.tsx';
import { closeCard, mayLeave } from './state.ts';
import { useTitle } from './useWindow.ts';

interface Props {
  title: string;
  /** Whether closing loses what was entered. Then it is asked first. */
  isDirty?: boolean;
  /** The selector of the element that gets the focus at first. */
  first?: string;
  /** Absent: it is the card of the view. */
  onClose?(): void;
  children: ComponentChildren;
}

/** A card beside the list. Escape, its button and a click outside of it close it. */
export function Drawer({ title, isDirty = false, first = 'h2', onClose = closeCard, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useTitle('card', title);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  const close = () => mayLeave() && onClose();
  return (
    <dialog
      ref={dialog}
      aria-label={title}
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
      <header class="bar flex items-center justify-between">
        <h2 dir="auto" tabIndex={-1}>
          {title}
        </h2>
        <Button text="×" class="ghost" name="Close" onClick={close} />
      </header>
      <div class="page vstack">{children}</div>
    </dialog>
  );
}

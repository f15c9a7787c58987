import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './Button.tsx';
import { useKey } from './useWindow.ts';

interface Props {
  /** What its button says, and its name if that says too little. */
  text: ComponentChildren;
  name?: string;
  /** Of the button. */
  class?: string | undefined;
  /** The key that opens it. */
  shortcut?: string;
  /** What it shows, made anew each time it opens. */
  children: (close: () => void) => ComponentChildren;
}

/** A button, and what opens below it. Escape and a click elsewhere close it, and the button has the focus again. */
export function Popover({ text, name, class: kind, shortcut = '', children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useKey(shortcut, () => document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)?.click());
  return (
    <>
      <Button text={text} name={name} class={kind} popovertarget={id} aria-keyshortcuts={shortcut || undefined} />
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="card p-4"
        onBeforeToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

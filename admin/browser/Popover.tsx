import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button } from './parts.tsx';

interface Props {
  /** What its button says, and its name if that says too little. */
  text: ComponentChildren;
  name?: string;
  /** Of the button. */
  class?: string | undefined;
  /** What it shows, made anew each time it opens. */
  children: (close: () => void) => ComponentChildren;
}

/** A button, and what opens below it. Escape and a click elsewhere close it, and the button has the focus again. */
export function Popover({ text, name, class: kind, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  return (
    <>
      <Button text={text} name={name} class={kind} popovertarget={id} />
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

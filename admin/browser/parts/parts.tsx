import type { ButtonHTMLAttributes, ComponentChildren, Ref } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { asStored, dirOf, short } from '../data/filters.ts';
import { say } from '../data/state.ts';
import { agoOf, timeOf } from '../data/time.ts';
import { Icon, type Sign } from './icons.tsx';

interface ButtonProps extends ButtonHTMLAttributes {
  text?: ComponentChildren;
  /** The sign before its text, or in its place. */
  sign?: Sign;
  /** Whether an arrow after its text says that it opens a menu. */
  hasArrow?: boolean;
  /** Its name, if its text says too little. */
  name?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export const Button = ({ text, sign, hasArrow, name, class: kind = 'outline', ...others }: ButtonProps) => (
  <button type="button" class={kind} aria-label={name} {...others}>
    {sign && <Icon of={sign} />}
    {text}
    {hasArrow && <Icon of="down" />}
  </button>
);

/** Copies a text, and says so. */
export const Copy = ({ what, text, name }: { what: string; text: string; name: string }) => (
  <Button
    {...{ sign: 'copy', class: 'ghost', name }}
    onClick={() => navigator.clipboard?.writeText(text).then(() => say(`${what} is copied`))}
  />
);

interface SelectProps {
  label: string;
  class?: string;
  value: string;
  options: Iterable<readonly [value: string, text: string]>;
  onValue(value: string): void;
}

/** A box of a few choices. */
export const Select = ({ label, options, onValue, ...others }: SelectProps) => (
  <select aria-label={label} onChange={({ currentTarget }) => onValue(currentTarget.value)} {...others}>
    {[...options].map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);

interface PopoverProps extends Omit<ButtonProps, 'children'> {
  /** Its content, made again each time it opens. */
  children: (close: () => void) => ComponentChildren;
}

/** An open menu does not move aside with its button: a line in it is clicked where it was seen. */
function stay(menu: HTMLElement, isOpen: boolean): void {
  const left = `${menu.getBoundingClientRect().left}px`;
  menu.style.cssText = isOpen ? `position-area:none;top:anchor(bottom);left:${left};margin-inline:0` : '';
}

/** A button, and what opens below it. Escape and a click elsewhere close it, and the button has the focus again. */
export function Popover({ children, ...button }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  return (
    <>
      <Button {...button} popovertarget={id} />
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="card p-4"
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState, currentTarget }) => {
          stay(currentTarget, newState === 'open');
          // Not before: what is in it has the focus, and the browser gives that back.
          if (newState === 'closed') setOpen(false);
        }}
      >
        {isOpen && children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}

/** The colours of states that many services have. Others have none: the word says it. */
const STATES = {
  success: ['active', 'enabled', 'verified', 'created'],
  warning: ['pending', 'invited', 'new', 'unverified', 'waiting'],
  danger: ['suspended', 'blocked', 'banned', 'disabled', 'locked', 'deleted'],
};

/** A status, however it is written. */
export const wordOf = (text: string): string => text.trim().toLowerCase();

export const variantOf = (text: string): string =>
  Object.entries(STATES).find(([, states]) => states.includes(wordOf(text)))?.[0] ?? 'secondary';

export const Status = ({ text }: { text: string }) => (
  <span class="badge" data-variant={variantOf(text)} title={text}>
    {asStored(text)}
  </span>
);

/** The colour of a state, before its name. */
export const Dot = ({ text }: { text: string }) => <i class={`dot of-${variantOf(text)}`} aria-hidden="true" />;

/** A value or a name beside others: its beginning, and the whole on hover. */
export const Text = ({ text }: { text: string }) => (
  <bdi dir={dirOf(text)} title={text}>
    {short(text)}
  </bdi>
);

/** A moment, within a day as long ago; the exact one on hover. @param words others for it */
export const When = ({ at, words = agoOf(at) }: { at: string; words?: string }) => (
  <time dateTime={at} title={timeOf(at)}>
    {words}
  </time>
);

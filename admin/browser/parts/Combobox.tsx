import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { numberOf } from '../data/time.ts';
import { Dot } from './parts.tsx';
import { whenReleased } from './useWindow.ts';

/** A line of what a combobox offers. */
export interface Line {
  text: string;
  /** A name that the line has beside its text. */
  code?: string | undefined;
  /** How many users have it, if that is known. */
  count?: number | undefined;
  /** Whether it is what was typed, which nobody has. */
  isAsItIs?: boolean;
  /** Whether it is no value. */
  isNone?: boolean;
}

interface Props<Option extends Line>
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onInput' | 'onBlur' | 'value' | 'list' | 'label' | 'role'> {
  text: string;
  options: readonly Option[];
  onText(text: string): void;
  onTake(option: Option): void;
  /** The box was left with what is typed in it. */
  onLeave?(): void;
  /** Whether what is offered stands below the box as long as that is shown, and the box has the focus at first. */
  isInline?: boolean;
  /** Whether options have the colour of states before them. */
  hasDots?: boolean;
  /** The parts of the box before or after its text. */
  children?: ComponentChildren;
}

const countIn = ({ count, isAsItIs }: Line): string | undefined =>
  isAsItIs || count === 0 ? 'nobody has it' : count === undefined ? undefined : numberOf(count);

/** The room that a list of some lines needs, in pixels, and its least width. */
const ROOM = 300;

/** Puts a list below a box, or above it if there is more room. */
function place(list: HTMLElement, box: HTMLElement): void {
  const { top, bottom, right, width } = (box.closest('.box') ?? box).getBoundingClientRect();
  const isAbove = innerHeight - bottom < ROOM && top > innerHeight - bottom;
  Object.assign(list.style, {
    left: 'auto',
    right: `${document.body.clientWidth - right}px`,
    width: `${Math.max(width, ROOM)}px`,
    top: isAbove ? 'auto' : `${bottom + 4}px`,
    bottom: isAbove ? `${innerHeight - top + 4}px` : 'auto',
    maxHeight: `${Math.min(320, (isAbove ? top : innerHeight - bottom) - 12)}px`,
  });
}

/**
 * A box that offers values (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). Typing opens the list, Enter takes the first line or the
 * one that the arrows have gone to, Escape closes the list alone.
 */
export function Combobox<Option extends Line>(props: Props<Option>) {
  const { text, options, onText, onTake, onLeave, isInline = false, hasDots, children, readOnly, ...input } = props;
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isWanted, setWanted] = useState(false);
  // The line that Enter takes. None: nothing was typed, and no arrow pressed.
  const [at, setAt] = useState(-1);
  const isOpen = (isInline || isWanted) && options.length > 0;
  const active = Math.min(at, options.length - 1);

  useEffect(() => {
    if (isInline) return undefined;
    list.current?.togglePopover(isOpen);
    let frame = 0;
    // The box moves when it is scrolled, or when something comes above it.
    const follow = () => {
      if (list.current && box.current) place(list.current, box.current);
      frame = requestAnimationFrame(follow);
    };
    if (isOpen) follow();
    return () => cancelAnimationFrame(frame);
  }, [isOpen]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isOpen]);

  const focus = () => {
    if (isInline) box.current?.focus();
  };
  // A letter that is typed at once is not lost. A menu that a click opens is not there before the second one.
  useLayoutEffect(focus, []);
  useEffect(focus, []);

  const open = () => {
    if (!readOnly) setWanted(true);
  };
  const close = () => {
    setWanted(false);
    setAt(-1);
  };
  const take = (option: Option) => {
    close();
    onTake(option);
  };
  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => {
      open();
      setAt(Math.min(active + 1, options.length - 1));
      return true;
    },
    ArrowUp: () => {
      setAt(Math.max(active - 1, 0));
      return isOpen;
    },
    Enter: () => {
      const option = options[active];
      if (isOpen && option) take(option);
      return isOpen && option !== undefined;
    },
    Escape: () => {
      if (!isInline && isWanted) close();
      return !isInline && isWanted;
    },
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: beside its text a box is the box, too */}
      <div
        class={children === undefined ? undefined : 'box'}
        onMouseDown={(event) => {
          if (!(event.target instanceof Element) || event.target.closest('input, button')) return;
          event.preventDefault();
          box.current?.focus();
          open();
        }}
      >
        {children}
        <input
          {...input}
          ref={box}
          // A menu that a key opens gives the focus at once, and no letter after it is lost.
          autofocus={isInline}
          readOnly={readOnly}
          type="text"
          dir="auto"
          autocomplete="off"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-autocomplete="list"
          {...(isOpen && active >= 0 && { 'aria-activedescendant': `${id}-${active}` })}
          value={text}
          onInput={({ currentTarget }) => {
            setAt(currentTarget.value.trim() === '' ? -1 : 0);
            open();
            onText(currentTarget.value);
          }}
          onClick={open}
          onBlur={() => {
            close();
            if (onLeave) whenReleased(onLeave);
          }}
          onKeyDown={(event) => {
            // While an input method composes, its keys are its own.
            if (event.isComposing || !keys[event.key]?.()) return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
      </div>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label="Suggestions"
        class="options"
        {...(!isInline && { popover: 'manual' as const })}
      >
        {(isOpen || isInline) &&
          options.map((option, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
            <div
              key={`${option.text} ${option.code}`}
              id={`${id}-${index}`}
              role="option"
              class={option.isAsItIs || option.isNone ? 'apart' : undefined}
              aria-selected={index === active}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(option)}
            >
              {hasDots && !option.isAsItIs && !option.isNone && <Dot text={option.text} />}
              <span dir="auto">{option.text}</span>
              {option.code !== undefined && <small>{option.code}</small>}
              <small class="end">{countIn(option)}</small>
            </div>
          ))}
      </div>
    </>
  );
}

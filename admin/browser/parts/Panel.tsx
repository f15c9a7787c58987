import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { closeCard, mayLeave } from '../data/state.ts';
import { Button } from './parts.tsx';
import { useTitle } from './useWindow.ts';

interface Props {
  title: string;
  /** The part above the title, before the button that closes. */
  above?: ComponentChildren;
  /** The part beside and below the title. */
  beside?: ComponentChildren;
  below?: ComponentChildren;
  /** The part that is in sight at its end, however far the panel is scrolled. */
  footer?: ComponentChildren;
  /** Whether all else waits for it. Else it is the card, and the list beside it goes on working. */
  isModal?: boolean;
  /** Whether closing loses what was entered. The card asks first; a modal one is not closed by a click outside. */
  isDirty?: boolean | undefined;
  /** Whether what it shows is about to be replaced. */
  isBusy?: boolean;
  /** The selector of the element that gets the focus at first. */
  first?: string;
  /** The user of the card: closed, their row gets the focus. */
  user?: string;
  /** Absent: it is the card of the view. */
  onClose?(): void;
  children: ComponentChildren;
}

/** Below this width a card covers all. */
const NARROW = matchMedia('(width < 64rem)');

/** The element that had the focus when the first of several panels, one after the other, was opened. */
let before: Element | null = null;

/** A page below a card that covers it can be neither seen nor reached. */
function cover(): void {
  const isCovered = NARROW.matches && document.querySelector('dialog.panel:not(:modal)') !== null;
  for (const part of document.querySelectorAll('.top, main')) part.toggleAttribute('inert', isCovered);
}

NARROW.addEventListener('change', cover);

/** The panel is gone, unless another one has taken its place: the row of the user has the focus, or what had it before. */
function giveBack(user: string | undefined): void {
  setTimeout(() => {
    if (document.querySelector('dialog.panel')) return;
    cover();
    const row = document.querySelector<HTMLElement>(`tr[data-id="${user}"] a`);
    const last = before instanceof HTMLElement && before.isConnected ? before : undefined;
    (row ?? last)?.focus();
    before = null;
  });
}

/** A panel at the right. Escape and its button close it; a modal one in which nothing is entered a click outside of it, too. */
export function Panel(props: Props) {
  const { title, above, beside, below, footer, isModal = false, isDirty = false, isBusy = false, children } = props;
  const { first = 'h2', user, onClose = closeCard } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useTitle('card', title);
  // Before the nearest element gets the focus of a panel whose place this one takes: focus.ts.
  useLayoutEffect(() => {
    const { current } = dialog;
    const { activeElement, body } = document;
    // Where one panel takes the place of another, the body has the focus.
    if (activeElement !== body && !activeElement?.closest('dialog.panel')) before = activeElement;
    if (isModal) current?.showModal();
    else current?.show();
    (current?.querySelector<HTMLElement>(first) ?? current?.querySelector<HTMLElement>('h2'))?.focus();
    if (!isModal) cover();
    return () => giveBack(user);
  }, []);

  const close = () => (isModal || mayLeave()) && onClose();
  // The browser itself closes a modal one.
  useEffect(() => {
    if (isModal) return undefined;
    const follow = (event: KeyboardEvent) => {
      const isElsewhere = document.querySelector('dialog:modal, :popover-open') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) close();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  });

  return (
    <dialog
      ref={dialog}
      class="panel"
      aria-label={title}
      aria-busy={isBusy}
      data-dirty={isDirty || undefined}
      {...(isModal && { closedby: isDirty ? 'closerequest' : 'any' })}
      onClose={onClose}
    >
      <div class="head">
        {above}
        <Button sign="close" class="ghost close" name="Close" onClick={close} />
        <div class="hstack">
          <h2 dir="auto" tabIndex={-1} title={title}>
            {title}
          </h2>
          {beside}
        </div>
        {below}
      </div>
      <div class="body" inert={isBusy}>
        {children}
      </div>
      {footer && <div class="foot">{footer}</div>}
    </dialog>
  );
}

/** Where the element that has the focus goes, or cannot be used any more, the nearest one gets it: keys on the body do little. */
import { TYPED } from './useWindow.ts';

/** Elements that Tab stops at. */
const STOPS = 'a[href], :is(button, input, select, textarea):enabled, [tabindex="0"]';

interface Place {
  within: Element;
  /** The part that stands before it there. Null: it is the first. */
  after: Node | null;
}

/** The element that had the focus last. Undefined: none, or a click on nothing took the focus away. */
let last: Element | undefined;

/** Where it stood, or what was around it and has gone, too. Undefined: it is still there. */
let place: Place | undefined;

const has = (nodes: NodeList, node: Node): boolean => [...nodes].some((each) => each.contains(node));

function follow(records: readonly MutationRecord[], from: Element): void {
  if (from.isConnected && from.matches(':disabled') && from.parentElement)
    place = { within: from.parentElement, after: from.previousSibling };
  for (const { removedNodes, target, previousSibling } of records) {
    if (has(removedNodes, place?.within ?? from)) place = { within: target as Element, after: previousSibling };
    else if (place?.after && has(removedNodes, place.after)) place.after = previousSibling;
  }
  // A new element in its place counts as behind it.
  const isNew = (node: Node) => records.some(({ addedNodes }) => has(addedNodes, node));
  while (place?.after && isNew(place.after)) place.after = place.after.previousSibling;
}

/** The stops around a place, the nearest first: those behind it, then those before it. */
function* stopsAround({ within, after }: Place): Generator<HTMLElement> {
  const stops = [...within.querySelectorAll<HTMLElement>(STOPS)];
  const isBehind = (stop: Node) =>
    !after || (after.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING && !after.contains(stop));
  yield* stops.filter(isBehind);
  yield* stops.filter((stop) => !isBehind(stop)).toReversed();
  // The button of a menu that is closed.
  if (within.id !== '') yield* document.querySelectorAll<HTMLElement>(`[popovertarget="${within.id}"]`);
  if (within.parentElement) yield* stopsAround({ within: within.parentElement, after: within.previousSibling });
}

/** The next of them that takes the focus. A row of a list is known by its link, and a box for text would take the keys of the page. */
function goOn(): void {
  const { activeElement, body } = document;
  // One that is disabled has the focus until the next frame.
  if (!place || (activeElement !== body && !activeElement?.matches(':disabled'))) return;
  for (const stop of stopsAround(place)) {
    const target = stop.closest('tr')?.querySelector('a') ?? stop;
    if (target.matches(TYPED) && !last?.matches(TYPED)) continue;
    target.focus();
    if (document.activeElement === target) return;
  }
}

/** The next key after Escape in a box of the page is one of the page. */
function leaveBox(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== 'Escape' || !(target instanceof HTMLInputElement) || target.closest('dialog, [popover]')) return;
  event.preventDefault();
  target.blur();
}

export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? target : undefined;
    place = undefined;
  });
  addEventListener('keydown', leaveBox, { capture: true });
  addEventListener('mousedown', () =>
    setTimeout(() => {
      if (document.activeElement === document.body) last = undefined;
    }),
  );
  new MutationObserver((records) => {
    if (last) follow(records, last);
    // A panel that closes gives the focus back itself.
    if (place) setTimeout(goOn);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

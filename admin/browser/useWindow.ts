import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readView, type View, writeView } from './view.ts';

/**
 * Shows another view, made from the one in the address bar: what is rendered may be older. `replace`: without a step back to
 * the present one.
 */
export type Go = (change: Partial<View> | ((view: View) => Partial<View>), how?: 'push' | 'replace') => void;

/** The address of the present view with something else. */
export const addressWith = (change: Partial<View>): string => writeView({ ...readView(location.hash), ...change });

const isDirty = (): boolean => document.querySelector('dialog[data-dirty]') !== null;

/** Asks whether what was entered may be lost, if something was. */
export const mayLeave = (): boolean => !isDirty() || confirm('Leave without saving?');

/** What is typed into it is no key for the page. */
const TYPED = 'input:not([type="checkbox"]), select, textarea';

/** Keys that do something, with blanks between them, unless somebody types, or a card or a menu is open. */
export function useKey(keys: string, run: () => void): void {
  useEffect(() => {
    const follow = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (!keys.split(' ').includes(key) || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && target.matches(TYPED)) return;
      if (document.querySelector('dialog[open], :popover-open')) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, [keys, run]);
}

const parts = { card: '', screen: '', stage: '' };

/** Says in the title of the tab where one is: the card, the screen, the stage. */
export function useTitle(part: keyof typeof parts, text: string): void {
  useEffect(() => {
    const show = (now: string) => {
      parts[part] = now;
      document.title = Object.values(parts).filter(Boolean).join(' · ');
    };
    show(text);
    return () => show('');
  }, [part, text]);
}

/** The view in the address bar. */
export function useView(): [View, Go] {
  const [hash, setHash] = useState(location.hash);
  const shown = useRef(hash);
  shown.current = hash;
  useEffect(() => {
    addEventListener('popstate', () => {
      if (mayLeave()) setHash(location.hash);
      else history.pushState(null, '', shown.current || '#');
    });
    // Reloading or closing the tab asks, too.
    addEventListener('beforeunload', (event) => isDirty() && event.preventDefault());
  }, []);
  const go: Go = useCallback((change, how = 'push') => {
    const view = readView(location.hash);
    const next = writeView({ ...view, ...(typeof change === 'function' ? change(view) : change) });
    if (next === location.hash) return;
    if (how === 'push') history.pushState(null, '', next);
    else history.replaceState(null, '', next);
    setHash(next);
  }, []);
  return [readView(hash), go];
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { readView, type View, writeView } from './view.ts';

export const LEAVE = 'Leave without saving?';

/**
 * Shows another view, made from the one in the address bar: what is rendered may be older. `replace`: without a step back to
 * the present one.
 */
export type Go = (change: Partial<View> | ((view: View) => Partial<View>), how?: 'push' | 'replace') => void;

/** The address of the present view with something else. */
export const addressWith = (change: Partial<View>): string => writeView({ ...readView(location.hash), ...change });

/** The view in the address bar. */
export function useView(): [View, Go] {
  const [hash, setHash] = useState(location.hash);
  const shown = useRef(hash);
  shown.current = hash;
  useEffect(() => {
    const follow = () => {
      const isDirty = document.querySelector('dialog[data-dirty]') !== null;
      if (isDirty && !confirm(LEAVE)) history.pushState(null, '', shown.current || '#');
      else setHash(location.hash);
    };
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
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

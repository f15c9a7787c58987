import { useCallback, useEffect, useState } from 'preact/hooks';
import { readView, type View, writeView } from './view.ts';

/** Shows another view. `replace`: without a step back to the present one. */
export type Go = (change: Partial<View>, how?: 'push' | 'replace') => void;

/** The view in the address bar. */
export function useView(): [View, Go] {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const go: Go = useCallback((change, how = 'push') => {
    const next = writeView({ ...readView(location.hash), ...change });
    if (next === location.hash) return;
    if (how === 'push') history.pushState(null, '', next);
    else history.replaceState(null, '', next);
    setHash(next);
  }, []);
  return [readView(hash), go];
}

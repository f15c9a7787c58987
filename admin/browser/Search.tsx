import { useEffect, useRef, useState } from 'preact/hooks';
import { useShared } from './shared.ts';
import { useKey } from './useWindow.ts';
import { listOf } from './view.ts';

/** How long nobody has typed before the list is read. */
const TYPING_MS = 250;

/** The one box: parts of names, of an e-mail, an ID, in any order. */
export function Search() {
  const { view, go } = useShared();
  const shown = view.filters.q?.[0] ?? '';
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(shown);
  // What this box itself has put into the address: whoever types is further already.
  const own = useRef(shown);

  // Back and forward, and "Clear all".
  useEffect(() => {
    if (shown !== own.current) setTyped(shown);
    own.current = shown;
  }, [shown]);

  useEffect(() => {
    const timer = setTimeout(search, TYPING_MS, shown === '' ? 'push' : 'replace');
    return () => clearTimeout(timer);
  }, [typed]);

  useKey('/', () => box.current?.focus());

  function search(how: 'push' | 'replace'): void {
    if (typed.trim() === own.current) return;
    own.current = typed.trim();
    go(({ filters }) => listOf({ ...filters, q: [typed.trim()] }), how);
  }

  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // Whoever has found somebody goes on to the list.
          if (typed.trim() === own.current) document.querySelector<HTMLElement>('tbody a')?.focus();
          search('push');
        }}
      >
        <input
          ref={box}
          type="search"
          aria-label="Search"
          placeholder={`Name, e-mail or ID${matchMedia('(max-width: 48rem)').matches ? '' : '   ( / )'}`}
          aria-keyshortcuts="/"
          maxLength={200}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
    </search>
  );
}

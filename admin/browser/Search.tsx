import { useEffect, useRef } from 'preact/hooks';
import { useShared } from './shared.ts';
import { useKey } from './useKey.ts';
import { listOf } from './view.ts';

/** How long nobody has typed before the list is read. */
const TYPING_MS = 250;

/** The one box: parts of names, of an e-mail, an ID, in any order. */
export function Search() {
  const { view, go } = useShared();
  const shown = view.filters.q?.[0] ?? '';
  const input = useRef<HTMLInputElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  // What this field itself has put into the address: whoever types is further already.
  const own = useRef('');

  // Back and forward, and "Clear all".
  useEffect(() => {
    if (shown === own.current || !input.current) return;
    own.current = shown;
    clearTimeout(typing.current);
    input.current.value = shown;
  }, [shown]);

  useKey('/', () => input.current?.focus());

  function search(value: string, how: 'push' | 'replace'): void {
    clearTimeout(typing.current);
    own.current = value.trim();
    go(({ filters }) => listOf({ ...filters, q: [value.trim()] }), how);
  }

  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const value = input.current?.value ?? '';
          // Whoever has found somebody goes on to the list.
          if (value.trim() === own.current) document.querySelector<HTMLElement>('tbody a')?.focus();
          else search(value, 'push');
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search"
          placeholder={`Name, e-mail or ID${matchMedia('(max-width: 48rem)').matches ? '' : '   ( / )'}`}
          aria-keyshortcuts="/"
          maxLength={200}
          onInput={({ currentTarget: { value } }) => {
            clearTimeout(typing.current);
            typing.current = setTimeout(search, TYPING_MS, value, shown === '' ? 'push' : 'replace');
          }}
        />
      </form>
    </search>
  );
}

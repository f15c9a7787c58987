import { useEffect, useRef } from 'preact/hooks';
import { go, view } from './data/state.ts';
import { listOf } from './data/view.ts';
import { Icon } from './parts/icons.tsx';
import { useKey } from './parts/useWindow.ts';

/** How long nobody has typed before the list is read. */
const TYPING_MS = 250;

/** The signs around what is copied from a mail or a table: `Anna Schmidt <anna@example.org>;`, `"Schmidt, Anna"`. */
const BETWEEN = /(?:mailto:|[\s<>",;])+/;

/** Several of them are a list of people, and not words of one. */
const ADDRESS = /^[^@]+@[^@]+$/;

/** Undefined: nobody types. */
let timer: ReturnType<typeof setTimeout> | undefined;

const shown = (): string => view.filters.q?.[0] ?? '';

/** The one box: parts of names, of an e-mail, an ID, in any order. */
export function Search() {
  const box = useRef<HTMLInputElement>(null);
  useKey('/', () => box.current?.focus());

  // Back and forward, and "Clear all", but not while somebody types, who is further already.
  useEffect(() => {
    if (box.current && timer === undefined && box.current.value.trim() !== shown()) box.current.value = shown();
  }, [shown()]);

  function search(): void {
    clearTimeout(timer);
    timer = undefined;
    const words = box.current?.value.split(BETWEEN).filter(Boolean) ?? [];
    const email = words.filter((word) => ADDRESS.test(word));
    const q = email.length > 1 ? '' : words.join(' ');
    if (box.current && q === '') box.current.value = '';
    if (email.length > 1) go(listOf({ ...view.filters, q: [], email }));
    else if (q !== shown()) go(listOf({ ...view.filters, q: [q] }), shown() === '' ? 'pushState' : 'replaceState');
  }

  return (
    <search class="end">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // A second Enter goes on to the list.
          if (timer === undefined) document.querySelector<HTMLElement>('tbody a')?.focus();
          search();
        }}
      >
        <Icon of="search" />
        <input
          ref={box}
          type="search"
          aria-label="Search"
          placeholder="Name, e-mail or ID"
          aria-keyshortcuts="/"
          maxLength={10_000}
          onInput={() => {
            clearTimeout(timer);
            timer = setTimeout(search, TYPING_MS);
          }}
        />
        <span class="key wide" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}

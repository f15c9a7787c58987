import { useEffect, useRef, useState } from 'preact/hooks';
import { useKey } from './useKey.ts';
import type { Go } from './useView.ts';
import { type View, withFilterOf } from './view.ts';

/** How long nobody has typed before the list is read. */
const TYPING_MS = 250;

/** An ID is entered. New ones have so many digits that nobody's name has them: nothing is searched for while they are typed. */
const ID = /^\d{1,16}$/;

/** A view with what was typed in place of what was searched for before. */
const searched = (view: View, text: string): View => withFilterOf(view, 'q', text === '' ? [] : [text]);

export function Search({ view, go }: { view: View; go: Go }) {
  const shown = view.filters.q?.[0] ?? '';
  const [text, setText] = useState(shown);
  const input = useRef<HTMLInputElement>(null);
  const typing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  // What this field itself has put into the address: whoever types is further already.
  const own = useRef(shown);

  // Back and forward, and "Clear all".
  useEffect(() => {
    if (shown === own.current) return;
    own.current = shown;
    clearTimeout(typing.current);
    setText(shown);
  }, [shown]);

  useKey('/', () => input.current?.focus());

  function search(value: string, how: 'push' | 'replace'): void {
    clearTimeout(typing.current);
    own.current = value.trim();
    go((now) => searched(now, own.current), how);
  }

  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ID.test(text.trim())) go({ user: text.trim() });
          else search(text, 'push');
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search"
          value={text}
          placeholder="Name, e-mail or ID"
          aria-keyshortcuts="/"
          maxLength={200}
          onInput={({ currentTarget: { value } }) => {
            setText(value);
            clearTimeout(typing.current);
            if (!/^\s*\d{9}/.test(value))
              typing.current = setTimeout(search, TYPING_MS, value, shown === '' ? 'push' : 'replace');
          }}
        />
      </form>
    </search>
  );
}

import { useEffect, useRef, useState } from 'preact/hooks';
import { useKey } from './useKey.ts';
import type { Go } from './useView.ts';
import { TEXT_FILTERS, type View, withFilterOf } from './view.ts';

/** How long nobody has typed before the list is read. */
const TYPING_MS = 250;

/** Ids have sixteen digits or a few less; nobody's name has. */
const ID = /^\d{9,16}$/;

export function Search({ view, go }: { view: View; go: Go }) {
  const used = TEXT_FILTERS.find(({ parameter }) => parameter in view.filters) ?? TEXT_FILTERS[0];
  const [parameter, setParameter] = useState(used?.parameter ?? 'keyword');
  const shown = view.filters[parameter]?.[0] ?? '';
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
    own.current = value;
    go((now) => withFilterOf(now, parameter, value === '' ? [] : [value]), how);
  }

  function choose(other: string): void {
    setParameter(other);
    // What was typed moves along.
    const values = text === '' ? (view.filters[other] ?? []) : [text];
    own.current = values[0] ?? '';
    go((now) => withFilterOf(withFilterOf(now, parameter, []), other, values));
    setText(values[0] ?? '');
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
        <fieldset class="group">
          <select
            aria-label="Search by"
            value={parameter}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {TEXT_FILTERS.map((filter) => (
              <option key={filter.parameter} value={filter.parameter}>
                {filter.label}
              </option>
            ))}
          </select>
          <input
            ref={input}
            type="search"
            aria-label="Search for"
            value={text}
            placeholder="Search, or enter an ID"
            aria-keyshortcuts="/"
            maxLength={200}
            onInput={({ currentTarget: { value } }) => {
              setText(value);
              clearTimeout(typing.current);
              if (!ID.test(value.trim())) typing.current = setTimeout(() => search(value, 'replace'), TYPING_MS);
            }}
          />
        </fieldset>
      </form>
    </search>
  );
}

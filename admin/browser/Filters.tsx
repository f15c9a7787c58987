import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Connection } from './connection.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.ts';
import type { Go } from './useView.ts';
import { FILTERS, type Filter, MISSING_FILTERS, OTHER_FILTERS, type View, withFilterOf } from './view.ts';

interface FilterProps {
  connection: Connection;
  filter: Filter;
  values: readonly string[];
  set(change: (values: readonly string[]) => readonly string[]): void;
}

const changed = (view: View, parameter: string, change: (values: readonly string[]) => readonly string[]): View =>
  withFilterOf(view, parameter, change(view.filters[parameter] ?? []));

/** Several values, of which a user has one: values that there are, with the numbers of their users, or what is typed. Enter adds one. */
function Values({ connection, filter, set }: FilterProps) {
  const field = filter.parameter as 'status' | 'country';
  const { value: found } = useReading(
    useCallback((signal: AbortSignal) => connection.counts(field, signal), [connection, field]),
  );
  return (
    <form
      class="values"
      onSubmit={(event) => {
        event.preventDefault();
        const input = event.currentTarget.elements.namedItem(filter.parameter) as HTMLInputElement;
        const { value } = input;
        input.value = '';
        if (value !== '') set((values) => [...new Set([...values, value])]);
      }}
    >
      <label>
        {filter.label}
        <input name={field} list={`${field}-values`} maxLength={64} autocomplete="off" />
      </label>
      <datalist id={`${field}-values`}>
        {found?.counts.map(({ count, ...value }) => {
          const text = value[field];
          return text === undefined ? null : <option key={text} value={text} label={`${text} (${numberOf(count)})`} />;
        })}
      </datalist>
      <button type="submit" class="outline" aria-label={`Add ${filter.label.toLowerCase()}`}>
        Add
      </button>
    </form>
  );
}

/** A bound of a range, which counts when it is entered whole. What was typed stays while a list is read. */
function Bound({ filter, values, set }: FilterProps) {
  const shown = values[0] ?? '';
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  return (
    <label>
      {filter.label}
      <input
        type={filter.kind === 'date' ? 'date' : 'number'}
        min={filter.kind === 'number' ? 0 : undefined}
        value={text}
        onInput={({ currentTarget: { value } }) => setText(value)}
        onChange={({ currentTarget: { value } }) => set(() => (value === '' ? [] : [value]))}
      />
    </label>
  );
}

/** Chooses a field that users have no value in. */
function Missing({ go }: { go: Go }) {
  return (
    <label>
      Without a value
      <select
        value=""
        onChange={({ currentTarget: { value } }) => go((now) => withFilterOf(now, value, value === '' ? [] : ['true']))}
      >
        <option value="">–</option>
        {MISSING_FILTERS.map(({ parameter, label }) => (
          <option key={parameter} value={parameter}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The filters in use. Each can be taken away. */
function Chips({ view, go }: { view: View; go: Go }) {
  const used = FILTERS.flatMap(({ parameter, label }) =>
    (view.filters[parameter] ?? []).map((value) => ({ parameter, label, value })),
  );
  if (used.length === 0) return null;
  return (
    <ul class="hstack unstyled" aria-label="Filters in use">
      {used.map(({ parameter, label, value }) => (
        <li key={`${parameter} ${value}`} class="badge outline">
          {label}: <b>{value}</b>
          <button
            type="button"
            class="ghost"
            aria-label={`Remove ${label}: ${value}`}
            onClick={() => go((now) => changed(now, parameter, (values) => values.filter((other) => other !== value)))}
          >
            ×
          </button>
        </li>
      ))}
      <li>
        <button type="button" class="ghost" onClick={() => go({ filters: {}, page: 0 })}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

export function Filters({ connection, view, go }: { connection: Connection; view: View; go: Go }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {view.unknown && (
        <p role="alert" class="notice">
          No filter is called {view.unknown.join(', ')}: the list is not narrowed by it.
        </p>
      )}
      <details class="filters" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Filters</summary>
        <div class="fields">
          {isOpen &&
            OTHER_FILTERS.map((filter) => {
              const Control = filter.kind === 'values' ? Values : Bound;
              return (
                <Control
                  key={filter.parameter}
                  connection={connection}
                  filter={filter}
                  values={view.filters[filter.parameter] ?? []}
                  set={(change) => go((now) => changed(now, filter.parameter, change))}
                />
              );
            })}
          <Missing go={go} />
        </div>
      </details>
      <Chips view={view} go={go} />
    </>
  );
}

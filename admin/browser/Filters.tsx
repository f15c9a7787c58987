import { useEffect, useState } from 'preact/hooks';
import type { Go } from './useView.ts';
import { FILTERS, type Filter, OTHER_FILTERS, type View, withFilterOf } from './view.ts';

interface FilterProps {
  filter: Filter;
  values: readonly string[];
  set(change: (values: readonly string[]) => readonly string[]): void;
}

const changed = (view: View, parameter: string, change: (values: readonly string[]) => readonly string[]): View =>
  withFilterOf(view, parameter, change(view.filters[parameter] ?? []));

/** Several values, of which a user has one. Enter adds what was typed. */
function Values({ filter, set }: FilterProps) {
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
        <input name={filter.parameter} maxLength={64} autocomplete="off" />
      </label>
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

export function Filters({ view, go }: { view: View; go: Go }) {
  return (
    <>
      <details class="filters">
        <summary>Filters</summary>
        <div class="fields">
          {OTHER_FILTERS.map((filter) => {
            const Control = filter.kind === 'values' ? Values : Bound;
            return (
              <Control
                key={filter.parameter}
                filter={filter}
                values={view.filters[filter.parameter] ?? []}
                set={(change) => go((now) => changed(now, filter.parameter, change))}
              />
            );
          })}
        </div>
      </details>
      <Chips view={view} go={go} />
    </>
  );
}

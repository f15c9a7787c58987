import { useCallback, useState } from 'preact/hooks';
import { FEW_FIELDS } from '../../lib/users/fields.ts';
import type { Connection } from './connection.ts';
import { ENTERED_FILTERS, FILTERS, type Filter, labelOf, MISSING_FILTERS, PROPERTIES } from './filters.ts';
import { Quoted } from './Quoted.tsx';
import { countryOf, numberOf } from './time.ts';
import { useReading } from './useReading.ts';
import type { Go } from './useView.ts';
import { columnsOf, type View, withFilterOf } from './view.ts';

const changed = (view: View, parameter: string, change: (values: readonly string[]) => readonly string[]): View =>
  withFilterOf(view, parameter, change(view.filters[parameter] ?? []));

interface FilterProps {
  connection: Connection;
  filter: Filter;
  view: View;
  go: Go;
}

/**
 * A bound of a range, a text, or one more of several values, which counts when it is entered whole, and stays while a list is read.
 * Values are offered with the numbers of their users, among those with the values of the other field, if it has some.
 */
function Entry({ connection, filter: { parameter, label, kind }, view, go }: FilterProps) {
  const field = FEW_FIELDS.find((each) => each === parameter);
  const shown = field ? '' : (view.filters[parameter]?.[0] ?? '');
  // What was typed counts until another value is shown. An effect would also clear what is typed as the field appears.
  const [typed, setTyped] = useState({ shown, text: shown });
  const text = typed.shown === shown ? typed.text : shown;
  const [other] = FEW_FIELDS.filter((each) => each !== field);
  const asked = JSON.stringify({ by: [field], ...(other && { [other]: view.filters[other] }) });
  const { value: found } = useReading(
    useCallback(
      async (signal: AbortSignal) => (field ? connection.counts(JSON.parse(asked), signal) : undefined),
      [connection, field, asked],
    ),
  );

  function enter(value: string): void {
    const entered = value === '' ? [] : [value];
    go((now) => changed(now, parameter, (values) => (field ? [...new Set([...values, ...entered])] : entered)));
    setTyped(field ? { shown, text: '' } : { shown: value, text: value });
  }

  return (
    <label>
      {label}
      <input
        type={kind === 'number' || kind === 'date' ? kind : 'text'}
        min={kind === 'number' ? 0 : undefined}
        list={field && `${parameter}-values`}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget: { value } }) => setTyped({ shown, text: value })}
        onChange={({ currentTarget: { value } }) => enter(value)}
      />
      {field && (
        <datalist id={`${parameter}-values`}>
          {found?.counts.map((each) => {
            const value = each[field];
            if (value === undefined) return null;
            return (
              <option key={value} value={value} label={`${countryOf(value) ?? value} (${numberOf(each.count)})`} />
            );
          })}
        </datalist>
      )}
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
          {label}: <Quoted text={value} />
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

interface ChecksProps {
  names: readonly (readonly [name: string, label: string])[];
  chosen: readonly string[];
  change(name: string): void;
}

/** Some of several things. */
const Checks = ({ names, chosen, change }: ChecksProps) => (
  <div class="hstack">
    {names.map(([name, label]) => (
      <label key={name}>
        <input type="checkbox" checked={chosen.includes(name)} onChange={() => change(name)} />
        {label}
      </label>
    ))}
  </div>
);

const COLUMNS = PROPERTIES.filter((property) => property !== 'name').map((name) => [name, labelOf(name)] as const);
const MISSING = MISSING_FILTERS.map(({ parameter, label }) => [parameter, label] as const);

/** What narrows the list, and its columns. */
export function Filters({ connection, view, go }: { connection: Connection; view: View; go: Go }) {
  const [isOpen, setOpen] = useState(false);
  const shown = columnsOf(view);
  return (
    <>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Filters</summary>
        <div class="fields">
          {isOpen &&
            ENTERED_FILTERS.map((filter) => (
              <Entry key={filter.parameter} connection={connection} filter={filter} view={view} go={go} />
            ))}
        </div>
        <Checks
          names={MISSING}
          chosen={Object.keys(view.filters).filter((name) => view.filters[name]?.includes('true'))}
          change={(name) => go((now) => changed(now, name, (values) => (values.includes('true') ? [] : ['true'])))}
        />
      </details>
      <details>
        <summary>Columns</summary>
        <Checks
          names={COLUMNS}
          chosen={shown}
          change={(name) => go({ columns: PROPERTIES.filter((each) => (each === name) !== shown.includes(each)) })}
        />
      </details>
      <Chips view={view} go={go} />
    </>
  );
}

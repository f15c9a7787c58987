import { useEffect, useRef, useState } from 'preact/hooks';
import { FEW_FIELDS } from '../../lib/users/user.ts';
import { type Asks, asksOf, hasFewValues, labelOf, namedFilters, withoutValue, withValue, wordOf } from './filters.ts';
import { Button } from './parts.tsx';
import { go, view } from './state.ts';
import { begin, goOn, type Option } from './suggest.ts';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';
import { listOf } from './view.ts';

/** The filters in use, but for the words of the box. Each can be taken away. */
export function Chips() {
  return (
    <ul class="chips hstack unstyled" aria-label="Filters in use">
      {namedFilters({ ...view.filters, q: [] }).map(({ parameter, value, text }) => (
        <li key={text} class="chip flex items-center">
          <span dir="auto" title={text}>
            {text}
          </span>
          <Button
            text="×"
            class="ghost"
            name={`Remove ${text}`}
            onClick={() => go(listOf(withoutValue(view.filters, parameter, value)))}
          />
        </li>
      ))}
    </ul>
  );
}

/** Chooses a field, what to ask of it, and a value. One box for all: Enter takes the first of what is offered below it. */
export function FilterAdder({ attributes }: { attributes: readonly string[] }) {
  const [property, setProperty] = useState<string>();
  const [asks, setAsks] = useState<Asks>('is');
  const [typed, setTyped] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), [property, asks, view]);

  const known = useCounted(view.filters, property === undefined ? FEW_FIELDS : [property].filter(hasFewValues));
  const options =
    property === undefined
      ? begin(typed, [...known.values()].flat(), attributes)
      : goOn(property, asks, typed, known.get(property));

  function take({ property: next, filter }: Partial<Option>): void {
    setTyped('');
    setProperty(next);
    if (next !== undefined) setAsks(asksOf(next)[0] ?? 'is');
    if (filter) go(listOf(withValue(view.filters, ...filter)));
  }

  return (
    <div class="vstack">
      {property !== undefined && (
        <div class="hstack gap-2">
          <b>{labelOf(property)}</b>
          <select aria-label="How" value={asks} onChange={({ currentTarget }) => setAsks(currentTarget.value as Asks)}>
            {asksOf(property).map((way) => (
              <option key={way} value={way}>
                {wordOf(property, way)}
              </option>
            ))}
          </select>
        </div>
      )}
      <input
        ref={box}
        {...(property === 'createdAt' && { type: 'datetime-local' as const })}
        aria-label={property === undefined ? 'Filter' : 'Value'}
        placeholder={property === undefined ? 'A field, a value, or “older than 60”' : undefined}
        autocomplete="off"
        maxLength={300}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={({ key, isComposing }) => key === 'Enter' && !isComposing && options[0] && take(options[0])}
      />
      {typed !== '' && !options[0] && <p role="status">Nothing is called so, and nobody shown has it</p>}
      <ul class="options unstyled" aria-label="What can be taken">
        {options.map((option) => (
          <li key={option.text}>
            <button type="button" class="ghost w-100" onClick={() => take(option)}>
              <span dir="auto">{option.text}</span>
              <small class="end">
                {option.count === 0 ? 'nobody has this' : option.count && numberOf(option.count)}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

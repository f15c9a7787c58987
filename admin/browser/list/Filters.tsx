import { useEffect, useState } from 'preact/hooks';
import { FEW_FIELDS } from '../../../lib/users/user.ts';
import {
  type Asks,
  asksOf,
  hasFewValues,
  isMoment,
  labelOf,
  namedFilters,
  withValue,
  wordOf,
} from '../data/filters.ts';
import { go, share, shared, view } from '../data/state.ts';
import { numberOf } from '../data/time.ts';
import { listOf } from '../data/view.ts';
import { Combobox } from '../parts/Combobox.tsx';
import { Button, Select } from '../parts/parts.tsx';
import { begin, goOn, type Option } from '../values/suggest.ts';
import { useCounted } from '../values/useCounted.ts';
import { valueLines } from '../values/values.ts';

/** The filters in use, but for the words of the box. Each can be taken away. */
export function Chips() {
  const named = namedFilters(view.filters).filter(({ parameter }) => parameter !== 'q');
  if (named.length === 0) return null;
  return (
    <ul class="chips hstack unstyled" aria-label="Filters in use">
      {named.map(({ text, others }) => (
        <li key={text} class="chip flex items-center">
          <span dir="auto" title={text}>
            {text}
          </span>
          <Button sign="close" class="ghost" name={`Remove ${text}`} onClick={() => go(listOf(others))} />
        </li>
      ))}
    </ul>
  );
}

/** Chooses a field, what to ask of it, and a value. One box for all: Enter takes the first of what is offered below it. */
export function FilterAdder({ attributes, total }: { attributes: readonly string[]; total: number }) {
  const [property, setProperty] = useState(shared.filtering);
  const [asks, setAsks] = useState<Asks>('is');
  const [typed, setTyped] = useState('');
  useEffect(() => share({ filtering: undefined }), []);

  const { counts: known } = useCounted(
    view.filters,
    property === undefined ? FEW_FIELDS : [property].filter(hasFewValues),
  );
  const options =
    property === undefined
      ? begin(typed, [...known.values()].flat(), attributes)
      : goOn(property, asks, typed, known.get(property));

  function take({ property: next, filter, also = [] }: Partial<Option>): void {
    setTyped('');
    setProperty(next);
    if (next !== undefined) setAsks(asksOf(next)[0] ?? 'is');
    const filters = [...(filter ? [filter] : []), ...also];
    if (filters.length > 0) go(listOf(filters.reduce((all, each) => withValue(all, ...each), view.filters)));
  }

  return (
    <div class="vstack">
      {property !== undefined && (
        <div class="hstack gap-2">
          <b>{labelOf(property)}</b>
          <Select
            label="How"
            value={asks}
            options={asksOf(property).map((way) => [way, wordOf(property, way)])}
            onValue={(way) => setAsks(way as Asks)}
          />
        </div>
      )}
      <Combobox<Option>
        // The focus goes to the box again, whatever was chosen.
        key={`${property} ${asks}`}
        isInline
        aria-label={property === undefined ? 'Filter' : 'Value'}
        placeholder={placeholderOf(property)}
        maxLength={300}
        text={typed}
        options={options}
        onText={setTyped}
        onTake={take}
      />
      {/* Any text is a value, but for moments. */}
      {typed !== '' && !options[0] && (
        <p role="status">{property ? `Such as ${placeholderOf(property)}` : <Unused {...{ typed, total }} />}</p>
      )}
    </div>
  );
}

/** A value that none of those who are shown has: a country, or what others have. */
function Unused({ typed, total }: { typed: string; total: number }) {
  const { counts } = useCounted({}, FEW_FIELDS);
  // It is not known who has which.
  if (counts.size === 0) return null;
  const lines = FEW_FIELDS.flatMap((field) => valueLines(field, typed, counts.get(field) ?? []));
  const value = lines.find(({ isAsItIs }) => !isAsItIs);
  return value ? `${value.text}: none of these ${numberOf(total)}` : 'Nothing is called so, and nobody has it';
}

const placeholderOf = (property: string | undefined): string => {
  if (property === undefined) return 'A field, a value, or “older than 60”';
  return isMoment(property) ? '2026-11-01, or 7 days ago' : '';
};

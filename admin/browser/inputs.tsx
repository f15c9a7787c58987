import { isNumber } from '../../lib/users/fields.ts';
import { KINDS, kindOf, textOf, type Value } from './edit.ts';
import { hasFewValues, valueText } from './filters.ts';
import { Button } from './parts.tsx';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';

interface Props {
  field: string;
  label: string;
  start?: string;
  /** What is wrong with it. */
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** The box of a field. It offers what others have, if there are few values. */
export function FieldInput({ field, label, start = '', error, isReadOnly = false }: Props) {
  const counted = useCounted({}, isReadOnly ? [] : [field].filter(hasFewValues)).get(field);
  return (
    <div class={`field-${field}`}>
      <label>
        {label}
        <input
          name="value"
          dir="auto"
          defaultValue={start}
          readOnly={isReadOnly}
          autocomplete="off"
          list={counted && `known-${field}`}
          inputMode={isNumber(field) ? 'numeric' : field === 'email' ? 'email' : 'text'}
          {...(error !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `error-${field}` })}
        />
      </label>
      {counted && (
        <datalist id={`known-${field}`}>
          {counted.map(({ value, count }) => (
            <option key={value} value={value} label={`${valueText(field, value)} (${numberOf(count)})`} />
          ))}
        </datalist>
      )}
      {error !== undefined && (
        <span role="alert" id={`error-${field}`}>
          {error}
        </span>
      )}
    </div>
  );
}

/** Asks about each value in a form that is new among those that are offered: it may be misspelt. */
export const isMeant = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>('input[list]')].every(({ value, defaultValue, list }) => {
    const known = [...(list?.querySelectorAll('option') ?? [])].map((option) => option.value);
    return ['', defaultValue, ...known].includes(value) || confirm(`Nobody has “${value}” yet. Is it meant so?`);
  });

interface AttributeProps {
  name?: string;
  /** What its value can be. */
  kinds?: readonly string[];
  value?: Value | undefined;
  isReadOnly?: boolean;
  /** Absent if it cannot be taken away. */
  remove?: () => void;
}

/** The name, the kind and the value of an attribute. */
export const AttributeRow = ({ name = '', kinds = KINDS, value, isReadOnly, remove }: AttributeProps) => (
  <div class="attribute">
    <input name="attribute" aria-label="Name of the attribute" defaultValue={name} readOnly={isReadOnly} />
    <select name="kind" aria-label="Kind" disabled={isReadOnly}>
      {kinds.map((kind) => (
        <option key={kind} selected={kind === kindOf(value)}>
          {kind}
        </option>
      ))}
    </select>
    <input name="value" aria-label="Value" dir="auto" defaultValue={textOf(value)} readOnly={isReadOnly} />
    {remove && !isReadOnly && <Button text="×" name={`Remove ${name}`} class="ghost" onClick={remove} />}
  </div>
);

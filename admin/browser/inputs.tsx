import { useEffect, useRef, useState } from 'preact/hooks';
import { isNumber } from '../../lib/users/fields.ts';
import { Button } from './Button.tsx';
import { KINDS, kindOf, textOf, type Value } from './edit.ts';
import { valueText } from './filters.ts';
import { type Counted, meantBy } from './suggest.ts';
import { numberOf } from './time.ts';

interface Props {
  field: string;
  /** Its name in the form, if that is not the field's. */
  name?: string;
  label: string;
  start?: string;
  /** What others have, to choose from. A value that nobody has is asked about. */
  counted: readonly Counted[] | undefined;
  /** What is wrong with it. */
  error?: string | undefined;
  isReadOnly?: boolean;
}

/** The box of a field. */
export function FieldInput({ field, name = field, label, start = '', counted, error, isReadOnly }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(start);

  // The form is not sent at first. Who sends it again means the value.
  const [asked, setAsked] = useState('');
  const isNew = !['', start].includes(text) && counted?.every(({ value }) => value !== text) === true;
  useEffect(() => box.current?.setCustomValidity(isNew && asked !== text ? 'Nobody has it' : ''));
  const meant = isNew && asked === text ? meantBy(text, counted) : undefined;

  function take(value: string): void {
    if (!box.current) return;
    box.current.value = value;
    box.current.dispatchEvent(new Event('input', { bubbles: true }));
    box.current.focus();
  }
  return (
    <div class={`field-${name}`}>
      <label>
        {label}
        <input
          ref={box}
          name={name}
          dir="auto"
          defaultValue={start}
          readOnly={isReadOnly}
          autocomplete="off"
          list={counted && `known-${name}`}
          inputMode={isNumber(field) ? 'numeric' : field === 'email' ? 'email' : 'text'}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onInvalid={(event) => {
            event.preventDefault();
            setAsked(text);
          }}
          {...(error !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `error-${name}` })}
        />
      </label>
      {counted && (
        <datalist id={`known-${name}`}>
          {counted.map(({ value, count }) => (
            <option key={value} value={value} label={`${valueText(field, value)} (${numberOf(count)})`} />
          ))}
        </datalist>
      )}
      {isNew && asked === text && (
        <p class="warning" role="alert">
          Nobody has “{text}” yet. Send it again if you mean it.{' '}
          {meant !== undefined && <Button text={`Take ${meant}`} class="outline small" onClick={() => take(meant)} />}
        </p>
      )}
      {error !== undefined && (
        <span role="alert" id={`error-${name}`}>
          {error}
        </span>
      )}
    </div>
  );
}

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

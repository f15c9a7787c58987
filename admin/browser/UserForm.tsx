import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isNumber } from '../../lib/users/user.ts';
import { FIELD_NAMES, type Fields, KINDS, kindOf, textOf } from './edit.ts';
import { hasFewValues, isAttribute, labelOf, valueText } from './filters.ts';
import { Button } from './parts.tsx';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';

interface Common {
  /** The values that the form begins with. For many users it has none. */
  start: Fields;
  /** The errors of members of the body, such as `age` or `attributes/team`. */
  errors: Readonly<Record<string, string>>;
  isReadOnly: boolean;
}

/** The box of a field. It offers what others have, if there are few values. */
function FieldInput({ field, start, errors, isReadOnly }: Common & { field: string }) {
  const counted = useCounted({}, isReadOnly ? [] : [field].filter(hasFewValues)).get(field);
  const error = errors[field];
  return (
    <div class={`field-${field}`}>
      <label>
        {labelOf(field)}
        <input
          name={field}
          dir="auto"
          defaultValue={textOf(start.get(field))}
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
const isMeant = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>('input[list]')].every(({ value, defaultValue, list }) => {
    const known = [...(list?.querySelectorAll('option') ?? [])].map((option) => option.value);
    return ['', defaultValue, ...known].includes(value) || confirm(`Nobody has “${value}” yet. Is it meant so?`);
  });

interface AttributeProps extends Common {
  property: string;
  /** The kinds that its value can have. */
  kinds: readonly string[];
  remove(): void;
}

const AttributeRow = ({ property, start, kinds, isReadOnly, remove }: AttributeProps) => (
  <div class="attribute hstack gap-2 mb-4">
    <input name="attribute" aria-label="Name of the attribute" defaultValue={labelOf(property)} readOnly={isReadOnly} />
    <select name="kind" aria-label="Kind" disabled={isReadOnly}>
      {kinds.map((kind) => (
        <option key={kind} selected={kind === kindOf(start.get(property))}>
          {kind}
        </option>
      ))}
    </select>
    <input
      name="value"
      aria-label="Value"
      dir="auto"
      defaultValue={textOf(start.get(property))}
      readOnly={isReadOnly}
    />
    {!isReadOnly && <Button text="×" name={`Remove ${labelOf(property)}`} class="ghost" onClick={remove} />}
  </div>
);

interface Props extends Common {
  fields?: readonly string[];
  /** The kinds that the value of an attribute can have. */
  kinds?: readonly string[];
  onEdit(form: HTMLFormElement): void;
  onSubmit(): void;
  children: ComponentChildren;
}

/** The fields of a user, or what many get. The service decides what is valid, and its sentences are shown. */
export function UserForm({ fields = FIELD_NAMES, kinds = KINDS, onEdit, onSubmit, children, ...common }: Props) {
  const { start, errors, isReadOnly } = common;
  const form = useRef<HTMLFormElement>(null);
  // The properties of the attributes. Undefined: a row that was taken away.
  const [rows, setRows] = useState<readonly (string | undefined)[]>(() => [...start.keys()].filter(isAttribute));
  const read = () => form.current && !isReadOnly && onEdit(form.current);
  useEffect(() => void read(), [rows]);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [errors]);
  return (
    <form
      ref={form}
      class="boxes"
      onInput={read}
      onSubmit={(event) => {
        event.preventDefault();
        if (isMeant(event.currentTarget)) onSubmit();
      }}
    >
      {fields.map((field) => (
        <FieldInput key={field} field={field} {...common} />
      ))}
      <fieldset class="whole">
        <legend>Attributes</legend>
        {rows.map((property, index) => {
          const remove = () => setRows(rows.with(index, undefined));
          return property === undefined ? null : (
            <AttributeRow key={index} property={property} kinds={kinds} remove={remove} {...common} />
          );
        })}
        {Object.entries(errors).map(([member, error]) =>
          member.startsWith('attributes') ? (
            <p key={member} role="alert">
              {error}
            </p>
          ) : null,
        )}
        {!isReadOnly && <Button text="+ Attribute" class="outline small" onClick={() => setRows([...rows, ''])} />}
      </fieldset>
      <div class="whole hstack">{children}</div>
    </form>
  );
}

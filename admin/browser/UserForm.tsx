import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FEW_FIELDS } from '../../lib/users/fields.ts';
import { type Entered, FIELD_NAMES, type FieldName, isNumber, isRequired } from './edit.ts';
import { labelOf, valueText } from './filters.ts';
import type { Counted } from './suggest.ts';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';

/** What the form has, and what it cannot change. */
const entered = (start: Entered, form: HTMLFormElement): Entered => {
  const data = new FormData(form);
  return { ...start, ...Object.fromEntries(FIELD_NAMES.map((field) => [field, String(data.get(field) ?? '')])) };
};

interface Props {
  /** What the form begins with. */
  start: Entered;
  /** What is wrong with which field. */
  errors?: Readonly<Record<string, string>> | undefined;
  /** While what was entered is sent, nothing else can be entered. */
  isSaving: boolean;
  /** Without it the form can only be read. */
  onSubmit?: ((entered: Entered) => void) | undefined;
  onEdit(entered: Entered): void;
  /** Its buttons. */
  children: ComponentChildren;
}

/** What others have, to choose from. */
const Offered = ({ id, field, counted }: { id: string; field: string; counted: Counted }) => (
  <datalist id={id}>
    {counted.map(([value = '', count]) => (
      <option key={value} value={value} label={`${valueText(field, value)} (${numberOf(count)})`} />
    ))}
  </datalist>
);

/** The fields of a user. The service decides what is valid, and its sentences are shown. */
export function UserForm({ start, errors, isSaving, onSubmit, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const known = useCounted({}, onSubmit ? FEW_FIELDS : []);
  const input = (field: FieldName) => {
    const [error, counted] = [errors?.[field], known.get(field)];
    return (
      <div key={field} class={`field-${field}`}>
        <label>
          {labelOf(field)}
          {isRequired(field) && onSubmit && ' (required)'}
          <input
            name={field}
            dir="auto"
            data-first={(field === 'name' && start[field] === '') || undefined}
            defaultValue={start[field]}
            readOnly={!onSubmit || isSaving}
            autocomplete="off"
            list={counted && `known-${field}`}
            inputMode={isNumber(field) ? 'numeric' : field === 'email' ? 'email' : 'text'}
            {...(error !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `error-${field}` })}
          />
        </label>
        {counted && <Offered id={`known-${field}`} field={field} counted={counted} />}
        {error !== undefined && (
          <span class="error" role="alert" id={`error-${field}`}>
            {error}
          </span>
        )}
      </div>
    );
  };
  useEffect(() => {
    if (errors) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);
  return (
    <form
      ref={form}
      class="user"
      noValidate
      onInput={({ currentTarget }) => onEdit(entered(start, currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.(entered(start, event.currentTarget));
      }}
    >
      {FIELD_NAMES.map(input)}
      <div class="whole hstack">{children}</div>
    </form>
  );
}

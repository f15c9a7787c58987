import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Entered, FIELD_NAMES, type FieldName, isNumber, isRequired } from './edit.ts';
import { labelOf } from './filters.ts';

const entered = (form: HTMLFormElement): Entered => {
  const data = new FormData(form);
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, String(data.get(field) ?? '')])) as Entered;
};

interface Props {
  /** What the form begins with. */
  start: Entered;
  /** What is wrong with which field. */
  errors?: Readonly<Record<string, string>> | undefined;
  /** While what was entered is sent, nothing else can be entered. */
  isSaving?: boolean;
  /** Without it the form can only be read. */
  onSubmit?: ((entered: Entered) => void) | undefined;
  onEdit?(entered: Entered): void;
  /** Its buttons. */
  children?: ComponentChildren;
}

/** The fields of a user. The service decides what is valid, and its sentences are shown. */
export function UserForm({ start, errors, isSaving = false, onSubmit, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const input = (field: FieldName) => {
    const error = errors?.[field];
    return (
      <div key={field}>
        <label>
          {labelOf(field)}
          {isRequired(field) && onSubmit && ' (required)'}
          <input
            name={field}
            defaultValue={start[field]}
            readOnly={!onSubmit || isSaving}
            autocomplete="off"
            inputMode={isNumber(field) ? 'numeric' : field === 'email' ? 'email' : 'text'}
            {...(error !== undefined && { 'aria-invalid': 'true', 'aria-describedby': `error-${field}` })}
          />
        </label>
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
      class="vstack"
      noValidate
      onInput={({ currentTarget }) => onEdit?.(entered(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.(entered(event.currentTarget));
      }}
    >
      {FIELD_NAMES.map(input)}
      <div class="hstack">{children}</div>
    </form>
  );
}

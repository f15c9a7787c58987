import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FEW_FIELDS } from '../../lib/users/fields.ts';
import { Attributes, attributesOf } from './Attributes.tsx';
import { type Entered, FIELD_NAMES, type FieldName, isNumber, isRequired } from './edit.ts';
import { labelOf, valueText } from './filters.ts';
import { type Counted, meantBy } from './suggest.ts';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';

const entered = (form: HTMLFormElement): Entered => {
  const data = new FormData(form);
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, String(data.get(field) ?? '')]));
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
export const Offered = ({ id, field, counted }: { id: string; field: string; counted: Counted }) => (
  <datalist id={id}>
    {counted.map(([value = '', count]) => (
      <option key={value} value={value} label={`${valueText(field, value)} (${numberOf(count)})`} />
    ))}
  </datalist>
);

/** Whether nobody has a value, as far as is known. */
export const isNew = (text: string, counted: Counted | undefined): boolean =>
  text !== '' && counted?.every(([value]) => value !== text) === true;

interface FreshProps {
  field: string;
  text: string;
  counted: Counted;
  take(meant: string): void;
}

/** Asks about a value that nobody has, and offers what may be meant. */
export function Fresh({ field, text, counted, take }: FreshProps) {
  const meant = meantBy(field, counted, text);
  return (
    <p class="warning" role="alert">
      Nobody has “{text}” yet. Send it again if you mean it.{' '}
      {meant !== undefined && (
        <button type="button" class="outline small" onClick={() => take(meant)}>
          {`Take ${meant}`}
        </button>
      )}
    </p>
  );
}

/** The fields of a user. The service decides what is valid, and its sentences are shown. */
export function UserForm({ start, errors, isSaving, onSubmit, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const known = useCounted({}, onSubmit ? FEW_FIELDS : []);
  const [attributes, setAttributes] = useState(() => attributesOf(start));
  const all = (target: HTMLFormElement) => ({ ...entered(target), ...attributes });
  // New values that were asked about. Who sends them again means them.
  const [asked, setAsked] = useState<Entered>({});

  /** Sends what was entered, unless somebody has to say first that a new value is meant. */
  function submit(now: Entered): void {
    const changed = FEW_FIELDS.filter((field) => now[field] !== start[field]);
    const fresh = changed.filter((field) => isNew(now[field] ?? '', known.get(field)));
    if (fresh.every((field) => asked[field] === now[field])) onSubmit?.(now);
    setAsked(Object.fromEntries(fresh.map((field) => [field, now[field] ?? ''])));
  }

  /** Enters what was meant. */
  function take(field: string, text: string): void {
    const input = form.current?.elements.namedItem(field);
    if (input instanceof HTMLInputElement) input.value = text;
    if (form.current) onEdit(all(form.current));
    setAsked({});
  }

  const input = (field: FieldName) => {
    const [error, counted, text] = [errors?.[field], known.get(field), asked[field]];
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
        {text !== undefined && counted && <Fresh {...{ field, text, counted }} take={(meant) => take(field, meant)} />}
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
      onInput={({ currentTarget }) => onEdit(all(currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        submit(all(event.currentTarget));
      }}
    >
      {FIELD_NAMES.map(input)}
      <Attributes
        start={start}
        errors={errors ?? {}}
        isReadOnly={!onSubmit || isSaving}
        onEdit={(next) => {
          setAttributes(next);
          if (form.current) onEdit({ ...entered(form.current), ...next });
        }}
      />
      <div class="whole hstack">{children}</div>
    </form>
  );
}

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { enteredIn, FIELD_NAMES, type Fields, isRequired, textOf } from './edit.ts';
import { isAttribute, labelOf } from './filters.ts';
import { AttributeRow, FieldInput, isMeant } from './inputs.tsx';
import { Button } from './parts.tsx';

interface Props {
  /** What the form begins with. */
  start: Fields;
  /** What is wrong with which member of the body: `age`, `attributes/team`. */
  errors?: Readonly<Record<string, string>> | undefined;
  /** While what was entered is sent, nothing else can be entered. */
  isSaving: boolean;
  /** Without it the form can only be read. */
  onSubmit?: (() => void) | undefined;
  onEdit(entered: Fields): void;
  /** Its buttons. */
  children: ComponentChildren;
}

/** The fields of a user. The service decides what is valid, and its sentences are shown. */
export function UserForm({ start, errors = {}, isSaving, onSubmit, onEdit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const isReadOnly = !onSubmit || isSaving;

  // The properties of the attributes. Undefined: a row that was taken away.
  const [rows, setRows] = useState<readonly (string | undefined)[]>(() => [...start.keys()].filter(isAttribute));
  const read = () => form.current && !isReadOnly && onEdit(enteredIn(form.current, start));
  useEffect(() => void read(), [rows]);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [errors]);
  return (
    <form
      ref={form}
      class="boxes"
      onInput={read}
      onSubmit={(event) => {
        event.preventDefault();
        if (isMeant(event.currentTarget)) onSubmit?.();
      }}
    >
      {FIELD_NAMES.map((field) => (
        <FieldInput
          key={field}
          field={field}
          label={labelOf(field) + (isRequired(field) && onSubmit ? ' (required)' : '')}
          start={textOf(start.get(field))}
          error={errors[field]}
          isReadOnly={isReadOnly}
        />
      ))}
      <fieldset class="whole">
        <legend>Attributes</legend>
        {rows.map((property, index) =>
          property === undefined ? null : (
            <AttributeRow
              key={index}
              name={labelOf(property)}
              value={start.get(property)}
              isReadOnly={isReadOnly}
              remove={() => setRows(rows.with(index, undefined))}
            />
          ),
        )}
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

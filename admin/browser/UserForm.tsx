import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Draft, Row } from './draft.ts';
import { type Fields, KINDS, type Kind } from './edit.ts';
import { ATTRIBUTE, isAttribute, labelOf } from './filters.ts';
import { Icon } from './icons.tsx';
import { Button } from './parts.tsx';
import { whenReleased } from './useWindow.ts';
import { ValueInput } from './ValueInput.tsx';

interface Props {
  /** The form's name, for the buttons outside of it. */
  id: string;
  draft: Draft;
  /** The stored values. Absent: none. */
  base: Fields;
  /** The errors of members of the body, such as `age` or `attributes/team`. */
  errors: Readonly<Record<string, string>>;
  isReadOnly: boolean;
  onSubmit(): void;
}

interface RowProps extends Omit<Props, 'id' | 'onSubmit'> {
  row: Row;
}

/** The name and the kind of an attribute that is added. */
const AddedHead = ({ row, draft }: { row: Row; draft: Draft }) => (
  <>
    <input
      aria-label="Name of the attribute"
      placeholder="Name"
      autocomplete="off"
      maxLength={63}
      value={labelOf(row.property)}
      onInput={({ currentTarget }) => draft.change(row.key, { property: ATTRIBUTE + currentTarget.value.trim() })}
    />
    <select
      aria-label="Kind"
      value={row.kind}
      onChange={({ currentTarget }) => {
        const kind = currentTarget.value as Kind;
        draft.change(row.key, { kind, wasLeft: row.text !== '' });
      }}
    >
      {KINDS.map((kind) => (
        <option key={kind}>{kind}</option>
      ))}
    </select>
  </>
);

/** A field or an attribute: its label, its box, and what is wrong with it. */
function FieldRow({ row, draft, base, errors, isReadOnly }: RowProps) {
  const { key, property, isAdded, kind } = row;
  const isOwn = isAttribute(property);
  const id = `field-${key}`;
  const label = isAdded ? 'Value' : labelOf(property);
  const error = errors[isOwn ? `attributes/${labelOf(property)}` : property];
  const isRequired = property === 'name';
  return (
    <div
      class={`field ${isAdded ? 'added' : ''}`}
      data-property={isOwn ? 'attribute' : property}
      data-changed={(!isAdded && draft.changed.includes(property)) || undefined}
    >
      {isAdded ? (
        <AddedHead row={row} draft={draft} />
      ) : (
        <label for={id} dir="auto">
          {label}
          {isRequired && <span aria-hidden="true"> *</span>}
        </label>
      )}
      <div class="value">
        <ValueInput
          key={kind}
          id={id}
          entry={row}
          before={base.get(property)}
          meant={row.meant}
          label={label}
          isReadOnly={isReadOnly}
          isRequired={isRequired}
          fault={draft.faultOf(row) ?? error}
          onEntry={(change, meant) => draft.change(key, { ...change, meant })}
          onLeave={() => whenReleased(() => draft.change(key, { wasLeft: true }))}
        />
      </div>
      {isOwn && !isReadOnly && (
        <Button
          text={<Icon of="close" />}
          name={`Remove ${labelOf(property) || 'the attribute'}`}
          class="ghost"
          onClick={() => draft.remove(key)}
        />
      )}
    </div>
  );
}

/** The fields of a user. The service decides what is valid, and its sentences are shown. */
export function UserForm({ id, onSubmit, ...props }: Props) {
  const { draft, errors, isReadOnly } = props;
  const form = useRef<HTMLFormElement>(null);
  const added = useRef(0);
  const isOwn = ({ property }: Row) => isAttribute(property);
  // A value that nobody has stands first in line, as a wrong one does.
  const toFault = () => form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-doubt]')?.focus();
  useEffect(() => void toFault(), [errors, draft.tries]);
  // A letter that is typed at once is not lost.
  useLayoutEffect(() => {
    if (draft.rows.length > added.current && added.current > 0)
      form.current?.querySelector<HTMLElement>('.added:last-of-type input')?.focus();
    added.current = draft.rows.length;
  }, [draft.rows.length]);
  const others = Object.entries(errors).filter(
    ([member]) => !draft.rows.some(({ property }) => property.replace(ATTRIBUTE, 'attributes/') === member),
  );
  const lines = (rows: readonly Row[]) => rows.map((row) => <FieldRow key={row.key} row={row} {...props} />);
  return (
    <form
      ref={form}
      id={id}
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (draft.faulty > 0 || form.current?.querySelector('[data-doubt]')) draft.showFaults();
        else onSubmit();
      }}
    >
      {lines(draft.rows.filter((row) => !isOwn(row)))}
      <h3>Attributes</h3>
      {lines(draft.rows.filter(isOwn))}
      {others.map(([member, error]) => (
        <p key={member} class="fault" role="alert">
          {error}
        </p>
      ))}
      {!isReadOnly && (
        <Button
          text={
            <>
              <Icon of="plus" /> Attribute
            </>
          }
          class="ghost small"
          onClick={draft.add}
        />
      )}
    </form>
  );
}

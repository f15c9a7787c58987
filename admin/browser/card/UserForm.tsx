import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Page, read } from '../data/connection.ts';
import { type Fields, isRequired, KINDS, type Kind, shownKinds } from '../data/edit.ts';
import { ATTRIBUTE, isAttribute, labelOf } from '../data/filters.ts';
import { addressWith } from '../data/state.ts';
import { counted } from '../data/time.ts';
import { listOf } from '../data/view.ts';
import { Button, Select, Text } from '../parts/parts.tsx';
import { useReading } from '../parts/useReading.tsx';
import { whenReleased } from '../parts/useWindow.ts';
import { ValueInput } from '../values/ValueInput.tsx';
import type { Draft, Row } from './draft.ts';

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
  onAsked(): void;
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
      onInput={({ currentTarget }) => {
        const property = ATTRIBUTE + currentTarget.value.trim();
        // "tagsOld" was "tags" while it was typed.
        const kind = shownKinds.has(row.property) ? 'text' : row.kind;
        draft.change(row.key, { property, kind: shownKinds.get(property) ?? kind });
      }}
    />
    <Select
      label="Kind"
      value={row.kind}
      options={KINDS.map((kind) => [kind, kind])}
      onValue={(kind) => draft.change(row.key, { kind: kind as Kind, wasLeft: row.text !== '' })}
    />
  </>
);

/** The others who have an e-mail. Empty: nobody is asked for. */
function Others({ email }: { email: string }) {
  const question = { email, size: 1, fields: 'name' };
  const { value, failure, isLoading } = useReading(
    email,
    email === '' ? undefined : (signal) => read<Page>('', question, signal),
  );
  const [user] = value?.content ?? [];
  if (!value || !user || isLoading || failure) return null;
  const { totalElements } = value;
  return (
    <p class="hint" role="status">
      {totalElements > 1 ? (
        <a href={addressWith(listOf({ email: [email] }))}>{counted(totalElements, 'user')} have this address</a>
      ) : (
        <>
          One user has this address:{' '}
          <a href={addressWith({ user: String(user.id), at: '' })}>
            <Text text={user.name} />
          </a>
        </>
      )}
    </p>
  );
}

/** The name of a field. First and last name share a line, unless it is narrow. */
const Label = ({ property, id }: { property: string; id: string }) => (
  <label for={id} dir="auto">
    <span class={property === 'firstName' ? 'narrow' : undefined}>{labelOf(property)}</span>
    {property === 'firstName' && <span class="wide">First, last name</span>}
    {isRequired(property) && <span aria-hidden="true"> *</span>}
  </label>
);

/** A field or an attribute: its label, its box, and what is wrong with it. */
function FieldRow({ row, draft, base, errors, isReadOnly, onAsked }: RowProps) {
  const { key, property, isAdded, kind } = row;
  const isOwn = isAttribute(property);
  const id = `field-${key}`;
  const fault = draft.faultOf(row) ?? errors[isOwn ? `attributes/${labelOf(property)}` : property];
  const isNews = row.wasLeft === true && fault === undefined && row.text !== base.get(property);
  return (
    <div
      class={`field ${isAdded ? 'added' : ''}`}
      data-property={isOwn ? 'attribute' : property}
      data-changed={(base.size > 0 && !isAdded && draft.changed.includes(property)) || undefined}
    >
      {isAdded ? <AddedHead row={row} draft={draft} /> : <Label property={property} id={id} />}
      <div class="value">
        <ValueInput
          key={kind}
          id={id}
          entry={row}
          before={base.get(property)}
          label={isAdded ? 'Value' : labelOf(property)}
          isReadOnly={isReadOnly}
          fault={fault}
          onEntry={(change) => draft.change(key, { ...change, wasLeft: false })}
          onLeave={() => whenReleased(() => draft.change(key, { wasLeft: true }))}
          onAsked={onAsked}
        />
        {property === 'email' && <Others email={isNews ? row.text : ''} />}
      </div>
      {isOwn && !isReadOnly && (
        <Button
          sign="close"
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
  // The form is saved once it is known whether somebody has its values, unless something else is entered before.
  const isSavedLater = useRef(false);
  useEffect(() => {
    isSavedLater.current = false;
  }, [JSON.stringify([...draft.values])]);
  const onAsked = () => isSavedLater.current && form.current?.requestSubmit();
  const lines = (rows: readonly Row[]) =>
    rows.map((row) => <FieldRow key={row.key} row={row} {...props} onAsked={onAsked} />);
  return (
    <form
      ref={form}
      id={id}
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const isWrong = draft.faulty > 0 || form.current?.querySelector('[data-doubt="unknown"]') !== null;
        isSavedLater.current = !isWrong && form.current?.querySelector('[data-doubt]') !== null;
        if (isWrong) draft.showFaults();
        else if (!isSavedLater.current) onSubmit();
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
      {!isReadOnly && <Button sign="plus" text="Attribute" class="ghost small" onClick={draft.add} />}
    </form>
  );
}

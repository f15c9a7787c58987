import { useState } from 'preact/hooks';
import { FieldChanges } from './ChangeList.tsx';
import { priced } from './Costs.tsx';
import { ask, type Body, type EditPreview, type Query } from './connection.ts';
import { bodyOf, EMPTY, FIELD_NAMES, KINDS, rowsIn, valueIn } from './edit.ts';
import { ATTRIBUTE, isAttribute } from './filters.ts';
import { shared } from './state.ts';
import { numberOf } from './time.ts';
import { UserForm } from './UserForm.tsx';
import { useReading } from './useReading.tsx';

/** How long nobody has typed before it is asked what would happen. */
const TYPING_MS = 300;

/** A change of many gives them no name of their own elsewhere. */
const FIELDS = ['status', ...FIELD_NAMES.filter((field) => field !== 'status' && field !== 'externalId')];

/** The members of an edit that change lists among attributes. */
const OF_LISTS = new Map([
  ['add to list', 'add'],
  ['take from list', 'remove'],
]);

const ALL_KINDS = [...KINDS, ...OF_LISTS.keys()];

/** The change for all of them. Undefined: none is entered yet. An empty box takes nothing away, but for an attribute. */
function changeIn(form: HTMLFormElement): Body | undefined {
  if (new FormData(form).has('delete')) return { delete: true };
  const said = rowsIn(form).filter(
    ({ property, kind, text }) =>
      property !== ATTRIBUTE && (text !== '' || (isAttribute(property) && !OF_LISTS.has(kind))),
  );
  const members = Map.groupBy(said, ({ kind }) => OF_LISTS.get(kind) ?? 'patch');
  const bodies = [...members].map(([member, rows]) => [
    member,
    bodyOf(rows.map(({ property, kind, text }) => [property, valueIn(kind, text) ?? null])),
  ]);
  return said.length > 0 ? Object.fromEntries(bodies) : undefined;
}

interface Props {
  query: Query;
  run(body: Body): void;
}

/** Chooses what happens to some users, and says what it would do to them. */
export function Edit({ query, run }: Props) {
  const [change, setChange] = useState<Body>();

  const body = change && { ...change, everybody: Object.keys(query).length === 0 };
  const { value, failure, isLoading } = useReading(JSON.stringify([query, body]), async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    if (!body) return undefined;
    const answer = await ask('POST', '/edits', { query, json: { ...body, dryRun: true }, signal });
    return answer.json() as Promise<EditPreview>;
  });
  // A preview of another change does not count.
  const preview = isLoading || failure ? undefined : value;
  const isDelete = change !== undefined && 'delete' in change;

  return (
    <UserForm
      start={EMPTY}
      errors={{}}
      isReadOnly={false}
      fields={FIELDS}
      kinds={ALL_KINDS}
      onEdit={(form) => setChange(changeIn(form))}
      // Nothing is done that nobody has seen.
      onSubmit={() => body && preview && run({ ...body, atMost: preview.total })}
    >
      <label>
        <input type="checkbox" name="delete" /> Delete them
      </label>
      {preview?.examples.map(({ id, name, before, after }) => (
        <div key={id} class="text-light w-100">
          <bdi>{name}</bdi> {id}
          <FieldChanges before={before} after={after} />
        </div>
      ))}
      {preview && shared.hasCosts && <small>{priced(preview.units)}</small>}
      {failure && <p role="alert">{failure.message}</p>}
      <button
        type="submit"
        class="w-100"
        data-variant={isDelete ? 'danger' : undefined}
        disabled={!body}
        aria-busy={isLoading}
      >
        {isDelete ? 'Delete' : 'Change'} {preview ? numberOf(preview.total) : '…'}
      </button>
    </UserForm>
  );
}

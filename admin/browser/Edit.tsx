import { useEffect, useRef, useState } from 'preact/hooks';
import { FieldChanges } from './ChangeList.tsx';
import { priced } from './Costs.tsx';
import { ask, type Body, type EditPreview, type Query } from './connection.ts';
import { bodyOf, FIELD_NAMES, isRequired, KINDS, LIST, rowsIn, valueIn } from './edit.ts';
import { ATTRIBUTE, hasFewValues, labelOf } from './filters.ts';
import { AttributeRow, FieldInput, isMeant } from './inputs.tsx';
import { hasCosts } from './state.ts';
import { numberOf } from './time.ts';
import { useCounted } from './useCounted.ts';
import { useReading } from './useReading.tsx';

/** How long nobody has typed before it is asked what would happen. */
const TYPING_MS = 300;

/** A change of many gives them no name of their own elsewhere. */
const SET = ['status', ...FIELD_NAMES.filter((field) => field !== 'status' && field !== 'externalId')];

/** Before the name of a field that is taken away. */
const REMOVE = 'remove:';

/** What can be done to an attribute: the members of an edit. */
const OF_ATTRIBUTES = {
  patch: { text: 'Set an attribute, or remove it: empty', kinds: KINDS },
  add: { text: 'Add to a list', kinds: [LIST] },
  remove: { text: 'Remove from a list', kinds: [LIST] },
};

const isOfAttributes = (what: string): what is keyof typeof OF_ATTRIBUTES => what in OF_ATTRIBUTES;

/** What is to happen to all of them. Undefined: that is not said yet. An empty box takes nothing away, but for an attribute. */
function changeIn(form: HTMLFormElement, what: string): Body | undefined {
  if (what === 'delete') return { delete: true };
  if (what.startsWith(REMOVE)) return { patch: { [what.slice(REMOVE.length)]: null } };
  const [row] = rowsIn(form, isOfAttributes(what) ? [] : [what]);
  const value = row && valueIn(row.kind, row.text);
  if (!row || row.property === ATTRIBUTE || (value === undefined && what !== 'patch')) return undefined;
  return { [isOfAttributes(what) ? what : 'patch']: bodyOf([[row.property, value ?? null]]) };
}

interface Props {
  /** Whom it concerns. */
  query: Query;
  /** Begins with it. */
  run(body: Body): void;
}

/** Chooses what happens to some users, and says what it would do to them. */
export function Edit({ query, run }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [what, setWhat] = useState('status');
  const [change, setChange] = useState<Body>();
  const known = useCounted({}, [what].filter(hasFewValues)).get(what);
  const read = () => form.current && setChange(changeIn(form.current, what));
  useEffect(() => {
    read();
    form.current?.querySelector('input')?.focus();
  }, [what]);

  const body = change && { ...change, everybody: Object.keys(query).length === 0 };
  const asked = JSON.stringify([query, body]);
  const { value, failure, isLoading } = useReading(asked, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    if (!body) return undefined;
    const answer = await ask('POST', '/edits', { query, json: { ...body, dryRun: true }, signal });
    return { asked, preview: (await answer.json()) as EditPreview };
  });
  // What was said of something else does not count.
  const preview = value?.asked === asked && !failure ? value.preview : undefined;

  return (
    <form
      ref={form}
      class="vstack"
      onInput={read}
      onSubmit={(event) => {
        event.preventDefault();
        // Nothing is done that nobody has seen.
        if (body && preview && isMeant(event.currentTarget)) run({ ...body, atMost: preview.total });
      }}
    >
      <select aria-label="What" value={what} onInput={({ currentTarget }) => setWhat(currentTarget.value)}>
        {SET.map((field) => (
          <option key={field} value={field}>{`Set ${labelOf(field)}`}</option>
        ))}
        {Object.entries(OF_ATTRIBUTES).map(([each, { text }]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
        {SET.filter((field) => !isRequired(field)).map((field) => (
          <option key={field} value={REMOVE + field}>{`Remove ${labelOf(field)}`}</option>
        ))}
        <option value="delete">Delete them</option>
      </select>
      {isOfAttributes(what) && <AttributeRow key={what} kinds={OF_ATTRIBUTES[what].kinds} />}
      {SET.includes(what) && <FieldInput key={what} field={what} label="Value" counted={known} />}
      {preview?.examples.map(({ id, name, before, after }) => (
        <div key={id} class="text-light">
          <bdi>{name}</bdi> {id}
          <FieldChanges before={before} after={after} />
        </div>
      ))}
      {preview && hasCosts && <small>{priced(preview.units)}</small>}
      {failure && <p role="alert">{failure.message}</p>}
      <button
        type="submit"
        data-variant={what === 'delete' ? 'danger' : undefined}
        disabled={!body}
        aria-busy={isLoading}
      >
        {what === 'delete' ? 'Delete' : 'Change'} {preview ? numberOf(preview.total) : '…'}
      </button>
    </form>
  );
}

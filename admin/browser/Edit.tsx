import { useEffect, useRef, useState } from 'preact/hooks';
import { FieldChanges } from './ChangeList.tsx';
import { priced } from './Costs.tsx';
import { ask, type Body, type EditPreview, type Query } from './connection.ts';
import { bodyOf, FIELD_NAMES, isRequired, KINDS, LIST, rowsIn, valueIn } from './edit.ts';
import { ATTRIBUTE, labelOf } from './filters.ts';
import { AttributeRow, FieldInput, isMeant } from './inputs.tsx';
import { shared } from './state.ts';
import { numberOf } from './time.ts';
import { useReading } from './useReading.tsx';

/** How long nobody has typed before it is asked what would happen. */
const TYPING_MS = 300;

/** A change of many gives them no name of their own elsewhere. */
const SET = ['status', ...FIELD_NAMES.filter((field) => field !== 'status' && field !== 'externalId')];

/** What can happen to all of them: to a field, to an attribute that is of one of these kinds, or without any value. */
interface Way {
  text: string;
  member?: 'patch' | 'add' | 'remove';
  field?: string;
  kinds?: readonly string[];
  body?: Body;
}

const WAYS: readonly Way[] = [
  ...SET.map((field) => ({ text: `Set ${labelOf(field)}`, field })),
  { text: 'Set an attribute, or remove it: empty', kinds: KINDS },
  { text: 'Add to a list', member: 'add', kinds: [LIST] },
  { text: 'Remove from a list', member: 'remove', kinds: [LIST] },
  ...SET.filter((field) => !isRequired(field)).map((field) => ({
    text: `Remove ${labelOf(field)}`,
    body: { patch: { [field]: null } },
  })),
  { text: 'Delete them', body: { delete: true } },
];

/** Undefined: what is to happen is not said yet. An empty box takes nothing away, but for an attribute. */
function changeIn(form: HTMLFormElement, { member = 'patch', field, body }: Partial<Way>): Body | undefined {
  const [row] = rowsIn(form, field ? [field] : []);
  const value = row && valueIn(row.kind, row.text);
  if (!row || row.property === ATTRIBUTE || (value === undefined && (field || member !== 'patch'))) return body;
  return { [member]: bodyOf([[row.property, value ?? null]]) };
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
  const [at, setAt] = useState(0);
  const way: Partial<Way> = WAYS[at] ?? {};
  const [change, setChange] = useState<Body>();
  const { field = '', kinds } = way;
  const read = () => form.current && setChange(changeIn(form.current, way));
  useEffect(() => {
    read();
    form.current?.querySelector('input')?.focus();
  }, [at]);

  const body = change && { ...change, everybody: Object.keys(query).length === 0 };
  const { value, failure, isLoading } = useReading(JSON.stringify([query, body]), async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    if (!body) return undefined;
    const answer = await ask('POST', '/edits', { query, json: { ...body, dryRun: true }, signal });
    return answer.json() as Promise<EditPreview>;
  });
  // What was said of something else does not count.
  const preview = isLoading || failure ? undefined : value;
  const isDelete = change !== undefined && 'delete' in change;

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
      <select aria-label="What" onInput={({ currentTarget }) => setAt(currentTarget.selectedIndex)}>
        {WAYS.map(({ text }) => (
          <option key={text}>{text}</option>
        ))}
      </select>
      {kinds && <AttributeRow key={at} kinds={kinds} />}
      {field !== '' && <FieldInput key={at} field={field} label="Value" />}
      {preview?.examples.map(({ id, name, before, after }) => (
        <div key={id} class="text-light">
          <bdi>{name}</bdi> {id}
          <FieldChanges before={before} after={after} />
        </div>
      ))}
      {preview && shared.hasCosts && <small>{priced(preview.units)}</small>}
      {failure && <p role="alert">{failure.message}</p>}
      <button type="submit" data-variant={isDelete ? 'danger' : undefined} disabled={!body} aria-busy={isLoading}>
        {isDelete ? 'Delete' : 'Change'} {preview ? numberOf(preview.total) : '…'}
      </button>
    </form>
  );
}

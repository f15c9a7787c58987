import { useEffect, useRef, useState } from 'preact/hooks';
import { AttributeValue, jsonOf } from './Attributes.tsx';
import { FieldChanges } from './ChangeList.tsx';
import { priced } from './Costs.tsx';
import type { EditBody, Query } from './connection.ts';
import { FIELD_NAMES, isRequired, patchOf } from './edit.ts';
import { ATTRIBUTE, hasFewValues, labelOf } from './filters.ts';
import { useShared } from './shared.ts';
import { numberOf } from './time.ts';
import { Fresh, isNew, Offered } from './UserForm.tsx';
import { useCounted } from './useCounted.ts';
import { useReading } from './useReading.ts';

/** How long nobody has typed before it is asked what would happen. */
const TYPING_MS = 300;

/** A change of many gives them no name of their own elsewhere. */
const SET = ['status', ...FIELD_NAMES.filter((field) => field !== 'status' && field !== 'externalId')];

/** Before the name of a field that is taken away. */
const REMOVE = 'remove:';

/** What is entered for all: a field or an attribute, and its value. */
function useEntry() {
  const [what, setWhat] = useState('status');
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Parameters<typeof jsonOf>[0]>('text');
  const property = what === 'attribute' ? ATTRIBUTE + name : what;
  const value = what === 'attribute' ? jsonOf(kind, text) : text;

  const removed = what.replace(REMOVE, '');
  const isRemoved = removed !== what;
  const patch = isRemoved ? { [removed]: null } : patchOf({ [property]: value }, [property]);
  const body: EditBody = what === 'delete' ? { delete: true } : { patch };

  // An empty box takes nothing away: that is said. An attribute is named.
  const isWhole = what === 'delete' || isRemoved || (what === 'attribute' ? name : text) !== '';
  const hasBox = !isRemoved && what !== 'delete' && what !== 'attribute';
  return { what, setWhat, name, setName, text, setText, kind, setKind, body, isWhole, hasBox };
}

interface Props {
  /** Whom it concerns. */
  query: Query;
  /** Begins with it. @param total how many they are. Undefined: whoever is faster than the preview has not seen it */
  run(body: EditBody, total: number | undefined): void;
}

/** Chooses what happens to some users, and says what it would do to them. */
export function Edit({ query, run }: Props) {
  const { connection, hasCosts } = useShared();
  const entry = useEntry();
  const { what, name, text, kind, body, isWhole, hasBox } = entry;
  const box = useRef<HTMLInputElement>(null);

  // What others have, and what would happen.
  const counted = useCounted({}, [what].filter(hasFewValues)).get(what);
  const isFresh = hasBox && isNew(text, counted);
  const [fresh, setFresh] = useState('');
  useEffect(() => box.current?.focus(), [what, isFresh]);
  const asked = JSON.stringify([query, body, isWhole]);
  const { value, failure, isLoading } = useReading(asked, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    return { asked, preview: isWhole ? await connection.preview(query, body, signal) : undefined };
  });
  // What was said of something else does not count.
  const preview = value?.asked === asked && !failure ? value.preview : undefined;

  return (
    <form
      class="menu edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFresh && fresh !== text) setFresh(text);
        else run(body, preview?.total);
      }}
    >
      <select aria-label="What" value={what} onChange={({ currentTarget }) => entry.setWhat(currentTarget.value)}>
        {SET.map((field) => (
          <option key={field} value={field}>{`Set ${labelOf(field)}`}</option>
        ))}
        <option value="attribute">Set an attribute, or remove it: empty</option>
        {SET.filter((field) => !isRequired(field)).map((field) => (
          <option key={field} value={REMOVE + field}>{`Remove ${labelOf(field)}`}</option>
        ))}
        <option value="delete">Delete them</option>
      </select>
      {what === 'attribute' && (
        <div class="of-three">
          <input
            ref={box}
            aria-label="Name of the attribute"
            value={name}
            onInput={({ currentTarget }) => entry.setName(currentTarget.value.trim())}
          />
          <AttributeValue
            kind={kind}
            text={text}
            change={(nextKind, nextText) => {
              entry.setKind(nextKind);
              entry.setText(nextText);
            }}
          />
        </div>
      )}
      {hasBox && (
        <input
          ref={box}
          aria-label="Value"
          autocomplete="off"
          list={hasFewValues(what) ? 'edit-known' : undefined}
          {...{ value: text }}
          onInput={({ currentTarget }) => entry.setText(currentTarget.value)}
        />
      )}
      {counted && <Offered id="edit-known" field={what} counted={counted} />}
      {isFresh && counted && fresh === text && <Fresh {...{ field: what, text, counted }} take={entry.setText} />}
      {preview?.examples.map(({ id, before, after }) => (
        <div key={id} class="text-light">
          {id}
          <FieldChanges before={before} after={after} />
        </div>
      ))}
      {hasCosts && preview && (
        <small>{priced({ readUnits: preview.units.read, writeUnits: preview.units.write })}</small>
      )}
      {failure && <p role="alert">{failure.message}</p>}
      <button
        type="submit"
        data-variant={what === 'delete' ? 'danger' : undefined}
        disabled={!isWhole}
        aria-busy={isLoading}
      >
        {`${what === 'delete' ? 'Delete' : 'Change'} ${preview ? numberOf(preview.total) : '…'}`}
      </button>
    </form>
  );
}

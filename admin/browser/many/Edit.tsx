import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_LOOKED_AT } from '../../../schemas/limits.ts';
import { ask, type Body, type EditPreview, isOffline, type Query, toFailure } from '../data/connection.ts';
import { differing, type Fields, textOf, valuesOf } from '../data/edit.ts';
import { ATTRIBUTE, labelOf, valueText } from '../data/filters.ts';
import { readAnew, say, shared } from '../data/state.ts';
import { dropTask, runMany, setTask, tasks } from '../data/task.ts';
import { counted, numberOf } from '../data/time.ts';
import { keptUntil } from '../data/write.ts';
import { priced } from '../parts/Costs.tsx';
import { Panel } from '../parts/Panel.tsx';
import { Button, Select, Status, Text } from '../parts/parts.tsx';
import { NotSaved } from '../parts/Trouble.tsx';
import { useReading } from '../parts/useReading.tsx';
import { whenReleased } from '../parts/useWindow.ts';
import { ValueInput } from '../values/ValueInput.tsx';
import { changeIn, EDITED, type EditRow, faultOfRow, rowOf, type Way, waysOf } from './edits.ts';

/** How long nobody has typed before it is asked what would happen. */
const TYPING_MS = 300;

/** The number of users above which a deletion needs typed words. */
const FEW = 20;

interface Props {
  /** The filters that find them. */
  query: Query;
  /** How many they are, as the list says. */
  total: number;
  /** "All that match: Country Brazil" */
  whom: string;
  onClose(): void;
  /** Nothing is left to do. */
  onWhole(): void;
}

/** The preview of exactly this change. Undefined: no change, or not known yet. */
function usePreview(query: Query, change: Body | undefined) {
  // Without a filter it has to say that everybody is meant.
  const body = change && (Object.values(query).flat().length > 0 ? change : { ...change, everybody: true });
  const preview = async (signal: AbortSignal): Promise<EditPreview> => {
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    return (await ask('POST', '/edits', { query, json: { ...body, dryRun: true }, signal })).json();
  };
  const { value, isLoading, failure, reload } = useReading(JSON.stringify([query, body]), body && preview);
  if (isLoading) return { body, isLoading: body !== undefined, reload };
  return { body, isLoading, failure, preview: failure ? undefined : value, reload };
}

interface ManyProps extends Props {
  verb: 'Change' | 'Delete';
  change: Body | undefined;
  /** Whether something else is wanted before it may be done. */
  isHeld?(preview: EditPreview): boolean;
  /** Whether a click beside the panel leaves it open: something was entered. */
  isDirty?: boolean;
  /** The selector of the element that gets the focus at first. */
  first?: string;
  /** The part beside its buttons. */
  note?: ComponentChildren;
  /** @param onAsked has to be called once it is known whether somebody has a value that was entered */
  children(preview: EditPreview | undefined, isLoading: boolean, onAsked: () => void): ComponentChildren;
}

/** Whether nobody would change. Of more users some may, whom a preview does not look at. */
const isNobody = ({ total, examples }: EditPreview): boolean => examples.length === 0 && total <= MAX_LOOKED_AT;

/** The panel of a change of many. Only its button does it, and only what was shown. */
function Many({ verb, change, isHeld, isDirty, first = 'h2', note, children, ...props }: ManyProps) {
  const { query, total, whom, onClose, onWhole } = props;
  const { body, preview, failure, isLoading, reload } = usePreview(query, change);
  // True: the change was sent. A text: it was refused in these words.
  const [sent, setSent] = useState<true | string>();
  const users = counted(preview?.total ?? total, 'user');
  // Whether the button was pressed before it was known whether somebody has the values, and nothing else was entered since.
  const isLater = useRef(false);
  useEffect(() => {
    isLater.current = false;
  }, [JSON.stringify(change)]);

  /** Does it, which is told in a panel and in the list. */
  function run(): void {
    // It is said first of a value that nobody has it. Else it is done once that is known.
    isLater.current = document.querySelector('.edit-row [data-doubt="unasked"]') !== null;
    if (!preview || isLater.current) return;
    const json = { ...body, atMost: preview.total };
    const [doing, done] = verb === 'Change' ? ['Changing', 'Changed'] : ['Deleting', 'Deleted'];
    say();
    setSent(true);
    setTask({ isShown: true });
    const asked = { path: '/edits', asked: { query, json }, doing, done, whom, total: preview.total, onWhole };
    runMany(asked).then(onClose, (error: unknown) => {
      const { status, message } = toFailure(error);
      if (status !== 409 || !tasks.isShown) return onClose();
      // More match than were previewed, for example.
      dropTask();
      setSent(message);
      reload();
      readAnew();
    });
  }
  const onAsked = () => isLater.current && !document.querySelector('.edit-row [data-doubt]') && run();
  if (sent === true) return null;
  const isDeletion = verb === 'Delete';
  const buttons = [
    <Button
      key={verb}
      text={`${verb} ${users}`}
      class=""
      {...(isDeletion && { 'data-variant': 'danger' })}
      disabled={!preview || isNobody(preview) || isHeld?.(preview) || isOffline()}
      aria-busy={isLoading}
      onClick={run}
    />,
    <Button key="cancel" text="Cancel" onClick={onClose} />,
  ];
  const footer = (
    <>
      {/* A deletion without words is one key behind the way out. */}
      {isDeletion && total <= FEW ? buttons.toReversed() : buttons}
      {note}
    </>
  );
  return (
    <Panel
      title={`${verb} ${users}`}
      below={<p title={whom}>{whom}</p>}
      footer={footer}
      first={first}
      isModal
      isDirty={isDirty}
      onClose={onClose}
    >
      {sent && (
        <p class="note warning" role="alert">
          <q>{sent}</q> Look at the preview again.
        </p>
      )}
      {children(preview, isLoading, onAsked)}
      <NotSaved failure={failure} isTried isModal />
    </Panel>
  );
}

/** The values of some properties, one below the other. */
const Values = ({ of, properties }: { of: Fields; properties: readonly string[] }) => (
  <td>
    {properties.map((property) => (
      <div key={property}>
        {of.has(property) ? <Text text={valueText(property, textOf(of.get(property)))} /> : <em>none</em>}
      </div>
    ))}
  </td>
);

/** Some of them, each with the values that change. */
const Examples = ({ examples }: EditPreview) => (
  <table class="preview">
    <thead>
      <tr>
        {['Name', 'Before', 'After'].map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {examples.map(({ id, name, ...values }) => {
        const [before, after] = [valuesOf(values.before), valuesOf(values.after)];
        const properties = differing(before, after);
        return (
          <tr key={id}>
            <td>
              <Text text={name} />
            </td>
            <Values of={before} properties={properties} />
            <Values of={after} properties={properties} />
          </tr>
        );
      })}
    </tbody>
  </table>
);

interface RowProps {
  row: EditRow;
  fault: string | undefined;
  attributes: readonly string[];
  change(more: Partial<EditRow>): void;
  onAsked(): void;
  remove?: (() => void) | undefined;
}

/** A property, what becomes of it, and the value. */
function Row({ row, fault, attributes, change, onAsked, remove }: RowProps) {
  const { key, property, way, isNamed } = row;
  const name = labelOf(property);
  const fields = [...EDITED, ...attributes].map((each) => [each, labelOf(each)] as const);
  return (
    <div class="edit-row">
      <Select
        label="Field"
        value={isNamed ? ATTRIBUTE : property}
        options={[...fields, [ATTRIBUTE, 'Another attribute …']]}
        onValue={(next) => change({ ...rowOf(next, key), isNamed: next === ATTRIBUTE, wasLeft: false })}
      />
      <Select
        label="How"
        value={way}
        options={waysOf(property)}
        onValue={(next) => {
          const other = rowOf(property, key, next as Way);
          change({ ...other, text: row.text, items: other.kind === 'list' ? row.items : [] });
        }}
      />
      {isNamed && (
        <input
          aria-label="Name of the attribute"
          placeholder="Name of the attribute"
          autocomplete="off"
          maxLength={63}
          value={name}
          onInput={({ currentTarget }) => change({ property: ATTRIBUTE + currentTarget.value.trim() })}
        />
      )}
      {way !== 'none' && (
        <div class="value">
          <ValueInput
            key={`${property} ${way}`}
            entry={row}
            isPreviewed
            label={isNamed ? 'Value' : name}
            fault={row.wasLeft && fault ? fault : undefined}
            onEntry={(more) => change(more)}
            onAsked={onAsked}
            onLeave={() => whenReleased(() => change({ wasLeft: true }))}
          />
        </div>
      )}
      {remove && <Button sign="close" class="ghost" name={`Remove ${name}`} onClick={remove} />}
    </div>
  );
}

interface EditProps extends Props {
  attributes: readonly string[];
  /** The rows that it begins with. */
  start: readonly EditRow[];
}

/** The panel in which many users are changed. */
export function Edit({ attributes, start, ...props }: EditProps) {
  const [rows, setRows] = useState(start);
  const change = (key: number, more: Partial<EditRow>) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...more } : row)));
  const add = () => {
    const free = [...EDITED, ...attributes].find((each) => !rows.some(({ property }) => property === each));
    setRows([...rows, rowOf(free ?? ATTRIBUTE, Date.now())]);
  };
  const isEntered = rows.some(({ text, items }) => text !== '' || items.length > 0);
  const note = keptUntil() && <small class="end">Can be undone until {keptUntil()}</small>;
  return (
    <Many
      {...props}
      verb="Change"
      change={changeIn(rows)}
      isDirty={isEntered}
      first=".edit-row .value input"
      note={note}
    >
      {(preview, isLoading, onAsked) => (
        <>
          <h3>What changes</h3>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              fault={faultOfRow(row, rows)}
              attributes={attributes}
              change={(more) => change(row.key, more)}
              onAsked={onAsked}
              remove={rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : undefined}
            />
          ))}
          <Button sign="plus" text="Another field" class="ghost small" onClick={add} />
          <h3>
            What will happen{' '}
            {preview && preview.examples.length > 0 && <small>to {preview.examples.length} of them</small>}
          </h3>
          <div aria-live="polite">
            {!preview && <p>{isLoading ? 'Asking …' : 'Nothing yet.'}</p>}
            {preview?.examples.length === 0 && (
              <p>They have it already: {isNobody(preview) ? 'nobody' : 'hardly anybody'} changes.</p>
            )}
            {preview && preview.examples.length > 0 && <Examples {...preview} />}
            {preview && shared.hasCosts && <small>{priced(preview.units)}</small>}
          </div>
        </>
      )}
    </Many>
  );
}

/** Letters and digits alone count. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const focus = (box: HTMLElement | null) => box?.focus();

/** The panel in which many users are deleted. */
export function DeleteMany(props: Props) {
  const [typed, setTyped] = useState('');
  const wordsOf = ({ total }: EditPreview) => `delete ${numberOf(total)}`;
  const isHeld = (preview: EditPreview) => preview.total > FEW && bare(typed) !== bare(wordsOf(preview));
  return (
    <Many {...props} verb="Delete" change={{ delete: true }} isHeld={isHeld}>
      {(preview) => (
        <>
          <p class="note danger">
            <b>They leave every list at once.</b>
            {keptUntil() && ` What happened can bring them back, with their IDs, until ${keptUntil()}.`}
          </p>
          {preview && (
            <>
              <h3>{preview.examples.length} of them</h3>
              <ul class="failures unstyled">
                {preview.examples.map(({ id, name, before }) => (
                  <li key={id} class="hstack">
                    <div>
                      <Text text={name} />
                      <small>
                        <Text text={before.email ?? ''} />
                      </small>
                    </div>
                    {before.status && <Status text={before.status} />}
                  </li>
                ))}
              </ul>
            </>
          )}
          {preview && preview.total > FEW && (
            <label>
              Type <kbd>{wordsOf(preview)}</kbd>
              <input
                ref={focus}
                autocomplete="off"
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
              <small>Commas and spaces do not count. Enter does nothing here.</small>
            </label>
          )}
        </>
      )}
    </Many>
  );
}

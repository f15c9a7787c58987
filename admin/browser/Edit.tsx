import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { priced } from './Costs.tsx';
import { ask, type Body, type EditPreview, isOffline, type Query } from './connection.ts';
import { differing, textOf, type Value, valuesOf } from './edit.ts';
import { changeIn, EDITED, type EditRow, faultOfRow, rowOf, type Way, waysOf } from './edits.ts';
import { ATTRIBUTE, labelOf, valueText } from './filters.ts';
import { Icon } from './icons.tsx';
import { keptUntil } from './kept.ts';
import { Panel } from './Panel.tsx';
import { Button, Status } from './parts.tsx';
import { shared } from './state.ts';
import { NotSaved } from './Trouble.tsx';
import { runMany, setTask } from './task.ts';
import { counted, numberOf } from './time.ts';
import { useReading } from './useReading.tsx';
import { whenReleased } from './useWindow.ts';
import { ValueInput } from './ValueInput.tsx';

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
  /** It was done to all of them. */
  onDone(): void;
}

/** The preview of exactly this change. Undefined: no change, or not known yet. */
function usePreview(query: Query, change: Body | undefined) {
  // Without a filter it has to say that everybody is meant.
  const body = change && (Object.values(query).flat().length > 0 ? change : { ...change, everybody: true });
  const { value, isLoading, failure } = useReading(JSON.stringify([query, body]), async (signal) => {
    if (!body) return undefined;
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    signal.throwIfAborted();
    const answer = await ask('POST', '/edits', { query, json: { ...body, dryRun: true }, signal });
    return answer.json() as Promise<EditPreview>;
  });
  const preview = isLoading || failure ? undefined : value;
  return { body, preview, failure: isLoading ? undefined : failure, isLoading: isLoading && body !== undefined };
}

/** Does it, which is told in a panel and in the list. */
function run({ query, whom, onClose, onDone }: Props, doing: string, done: string, body: Body, total: number): void {
  const json = { ...body, atMost: total };
  onClose();
  setTask({ isShown: true });
  runMany({ path: '/edits', asked: { query, json }, doing, done, whom, total }).then(onDone, () => undefined);
}

const shown = (property: string, value: Value | undefined) =>
  value === undefined ? <i>none</i> : <bdi>{valueText(property, textOf(value))}</bdi>;

/** Some of them, each with the values that change. */
function Examples({ preview }: { preview: EditPreview }) {
  const examples = preview.examples.map(({ id, name, before, after }) => {
    const [old, now] = [valuesOf(before), valuesOf(after)];
    return { id, name, old, now, properties: differing(old, now) };
  });
  if (examples.length === 0) return <p class="text-light">They have it already: nobody changes.</p>;
  const cell = (values: (typeof examples)[number]['old'], properties: string[]) =>
    properties.map((property) => <div key={property}>{shown(property, values.get(property))}</div>);
  return (
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
        {examples.map(({ id, name, old, now, properties }) => (
          <tr key={id}>
            <td dir="auto">{name}</td>
            <td>{cell(old, properties)}</td>
            <td>{cell(now, properties)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  row: EditRow;
  fault: string | undefined;
  attributes: readonly string[];
  change(more: Partial<EditRow>): void;
  remove?: (() => void) | undefined;
}

/** The choice that stands for an attribute which nobody shown has. */
const OTHER = 'other';

/** A property, what becomes of it, and the value. */
function Row({ row, fault, attributes, change, remove }: RowProps) {
  const { key, property, way, isNamed } = row;
  const name = labelOf(property);
  return (
    <div class="edit-row">
      <select
        aria-label="Field"
        value={isNamed ? OTHER : property}
        onChange={({ currentTarget }) => {
          const isOther = currentTarget.value === OTHER;
          change({ ...rowOf(isOther ? ATTRIBUTE : currentTarget.value, key), isNamed: isOther, wasLeft: false });
        }}
      >
        {[...EDITED, ...attributes].map((each) => (
          <option key={each} value={each}>
            {labelOf(each)}
          </option>
        ))}
        <option value={OTHER}>Another attribute …</option>
      </select>
      <select
        aria-label="How"
        value={way}
        onChange={({ currentTarget }) =>
          change({ ...rowOf(property, key, currentTarget.value as Way), text: row.text })
        }
      >
        {[...waysOf(property)].map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
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
            onLeave={() => whenReleased(() => change({ wasLeft: true }))}
          />
        </div>
      )}
      {remove && <Button text={<Icon of="close" />} class="ghost" name={`Remove ${name}`} onClick={remove} />}
    </div>
  );
}

interface EditProps extends Props {
  attributes: readonly string[];
  /** The rows that it begins with. */
  start: readonly EditRow[];
}

/** The panel in which many users are changed. Only its button does it, and only what was shown. */
export function Edit({ attributes, start, ...props }: EditProps) {
  const { query, whom, total, onClose } = props;
  const [rows, setRows] = useState(start);
  const { body, preview, failure, isLoading } = usePreview(query, changeIn(rows));
  const change = (key: number, more: Partial<EditRow>) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...more } : row)));
  const users = counted(preview?.total ?? total, 'user');
  const footer = (
    <>
      <Button
        text={`Change ${users}`}
        class=""
        disabled={!preview || preview.total === 0 || isOffline()}
        aria-busy={isLoading}
        onClick={() => {
          // It is said first of a value that nobody has it.
          const isAsked = !document.querySelector('.edit-row [data-doubt="unasked"]');
          if (preview && body && isAsked) run(props, 'Changing', 'Changed', body, preview.total);
        }}
      />
      <Button text="Cancel" onClick={onClose} />
      {keptUntil() && <small class="end">Can be undone until {keptUntil()}</small>}
    </>
  );
  return (
    <Panel
      title={`Change ${users}`}
      below={<p class="text-light">{whom}</p>}
      footer={footer}
      first=".edit-row .value input"
      isModal
      onClose={onClose}
    >
      <h3>What changes</h3>
      {rows.map((row) => (
        <Row
          key={row.key}
          row={row}
          fault={faultOfRow(row, rows)}
          attributes={attributes}
          change={(more) => change(row.key, more)}
          remove={rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : undefined}
        />
      ))}
      <Button
        text={
          <>
            <Icon of="plus" /> Another field
          </>
        }
        class="ghost small"
        onClick={() => {
          const free = [...EDITED, ...attributes].find((each) => !rows.some(({ property }) => property === each));
          setRows([...rows, rowOf(free ?? ATTRIBUTE, Date.now())]);
        }}
      />
      <h3>What will happen {preview && preview.examples.length > 0 && <small>to {few(preview)} of them</small>}</h3>
      <div aria-live="polite">
        {preview ? <Examples preview={preview} /> : <p class="text-light">{isLoading ? 'Asking …' : 'Nothing yet.'}</p>}
        {preview && shared.hasCosts && <small>{priced(preview.units)}</small>}
      </div>
      <NotSaved failure={failure} />
    </Panel>
  );
}

const WORDS = ['none', 'one', 'two', 'three', 'four', 'five'];

const few = ({ examples }: EditPreview): string => WORDS[examples.length] ?? numberOf(examples.length);

/** Letters and digits alone count. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The panel in which many users are deleted. */
export function DeleteMany(props: Props) {
  const { query, whom, total, onClose } = props;
  const { body, preview, failure } = usePreview(query, { delete: true });
  const [typed, setTyped] = useState('');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), [preview !== undefined]);
  const users = counted(preview?.total ?? total, 'user');
  const words = `delete ${numberOf(preview?.total ?? total)}`;
  const isSaid = preview !== undefined && (preview.total <= FEW || bare(typed) === bare(words));
  const footer: ComponentChildren = (
    <>
      <Button
        text={`Delete ${users}`}
        class=""
        data-variant="danger"
        disabled={!isSaid || preview.total === 0 || isOffline()}
        onClick={() => preview && body && run(props, 'Deleting', 'Deleted', body, preview.total)}
      />
      <Button text="Cancel" onClick={onClose} />
    </>
  );
  return (
    <Panel title={`Delete ${users}`} below={<p class="text-light">{whom}</p>} footer={footer} isModal onClose={onClose}>
      <p class="note danger">
        <b>They leave every list at once.</b>
        {keptUntil() && ` What happened can bring them back, with their IDs, until ${keptUntil()}.`}
      </p>
      {preview && (
        <>
          <h3>{few(preview).replace(/^./, (letter) => letter.toUpperCase())} of them</h3>
          <ul class="failures unstyled">
            {preview.examples.map(({ id, name, before }) => (
              <li key={id} class="hstack">
                <div>
                  <bdi>{name}</bdi>
                  <small dir="auto">{before.email}</small>
                </div>
                {before.status && <Status text={before.status} />}
              </li>
            ))}
          </ul>
        </>
      )}
      {preview && preview.total > FEW && (
        <label>
          Type <kbd>{words}</kbd>
          <input
            ref={box}
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <small>Commas and spaces do not count. Enter does nothing here.</small>
        </label>
      )}
      <NotSaved failure={failure} />
    </Panel>
  );
}

import { useState } from 'preact/hooks';
import type { Entered } from './edit.ts';
import { ATTRIBUTE, isAttribute, labelOf } from './filters.ts';

/** What the value of an attribute can be. */
const KINDS = ['text', 'number', 'true or false', 'list'] as const;
type Kind = (typeof KINDS)[number];

/** Those of what was entered. */
export const attributesOf = (entered: Entered): Entered =>
  Object.fromEntries(Object.entries(entered).filter(([property]) => isAttribute(property)));

/** A row: what was entered, and the JSON of it. Of what nobody has touched that is as it came. */
interface Row {
  name: string;
  kind: Kind;
  text: string;
  json: string;
}

/** The JSON of a value that was entered. Nothing, if it is empty. The service says what is wrong with what is no number. */
export function jsonOf(kind: Kind, text: string): string {
  if (text === '') return '';
  if (kind === 'list') return JSON.stringify([...new Set(text.split(',').map((part) => part.trim()))].filter(Boolean));
  if (kind === 'number' && Number.isFinite(Number(text))) return String(Number(text));
  return kind === 'true or false' && /^(true|false)$/.test(text) ? text : JSON.stringify(text);
}

/** A value as it came, as it is shown. */
function rowOf(name: string, json: string): Row {
  const value: unknown = JSON.parse(json);
  if (Array.isArray(value)) return { name, json, kind: 'list', text: value.join(', ') };
  const kinds = { number: 'number', boolean: 'true or false' } as const;
  return { name, json, kind: kinds[typeof value as keyof typeof kinds] ?? 'text', text: String(value) };
}

interface ValueProps {
  kind: Kind;
  /** As it was entered. A list has commas. */
  text: string;
  isReadOnly?: boolean;
  change(kind: Kind, text: string): void;
}

/** The kind and the value of an attribute. */
export const AttributeValue = ({ kind, text, isReadOnly = false, change }: ValueProps) => (
  <>
    <select
      aria-label="Kind"
      value={kind}
      disabled={isReadOnly}
      onChange={({ currentTarget }) => change(currentTarget.value as Kind, text)}
    >
      {KINDS.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </select>
    <input
      aria-label="Value"
      dir="auto"
      placeholder={kind === 'list' ? 'One, another' : undefined}
      value={text}
      readOnly={isReadOnly}
      onInput={({ currentTarget }) => change(kind, currentTarget.value)}
    />
  </>
);

interface Props {
  /** The JSON of each attribute, by its property. */
  start: Entered;
  /** What is wrong with which member of the body: `attributes/team`. */
  errors: Readonly<Record<string, string>>;
  isReadOnly: boolean;
  onEdit(entered: Entered): void;
}

/** The attributes of a user: a row each, of a name and a value. */
export function Attributes({ start, errors, isReadOnly, onEdit }: Props) {
  const [rows, setRows] = useState(() =>
    Object.entries(attributesOf(start)).map(([property, json]) => rowOf(labelOf(property), json)),
  );

  function edit(next: Row[]): void {
    setRows(next);
    onEdit(Object.fromEntries(next.map(({ name, json }) => [ATTRIBUTE + name, json])));
  }

  /** Of two rows with one name the last counts. */
  const replace = (index: number, row: Row) => edit(rows.map((other, at) => (at === index ? row : other)));
  return (
    <fieldset class="whole">
      <legend>Attributes</legend>
      {rows.map((row, index) => (
        <div key={index} class="of-three">
          <input
            aria-label="Name of the attribute"
            value={row.name}
            readOnly={isReadOnly}
            onInput={({ currentTarget }) => replace(index, { ...row, name: currentTarget.value.trim() })}
          />
          <AttributeValue
            {...row}
            isReadOnly={isReadOnly}
            change={(kind, text) => replace(index, { ...row, kind, text, json: jsonOf(kind, text) })}
          />
          {!isReadOnly && (
            <button
              type="button"
              class="ghost square"
              aria-label={`Remove ${row.name}`}
              onClick={() => edit(rows.filter((_, at) => at !== index))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {Object.entries(errors).map(([member, error]) =>
        member.startsWith('attributes') ? (
          <p key={member} class="error" role="alert">
            {error}
          </p>
        ) : null,
      )}
      {!isReadOnly && (
        <button
          type="button"
          class="outline small"
          onClick={() => edit([...rows, { name: '', kind: 'text', text: '', json: '' }])}
        >
          + Attribute
        </button>
      )}
    </fieldset>
  );
}

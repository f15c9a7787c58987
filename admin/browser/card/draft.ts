import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  differing,
  type Entry,
  entryOf,
  type Fields,
  faultOf,
  inOrder,
  isTouched,
  type Value,
  valuesIn,
} from '../data/edit.ts';
import { ATTRIBUTE } from '../data/filters.ts';
import { shared } from '../data/state.ts';
import { session } from '../session/session.ts';
import { areTexts, readStored } from '../session/stored.ts';

/** A line of a form. */
export interface Row extends Entry {
  key: number;
  /** Whether it was added here. Then it has a name and a kind to choose. */
  isAdded?: boolean;
  /** The values that are meant though nobody has them. */
  meant?: readonly string[];
  /** Whether it was left, as it is: then it says what is wrong with it. */
  wasLeft?: boolean;
}

const isBlank = ({ property, text, items }: Row): boolean =>
  property === ATTRIBUTE && text === '' && items.length === 0;

const rowsOf = (fields: Fields): Row[] =>
  inOrder(fields).map((property, key) => ({ ...entryOf(property, fields.get(property)), key }));

function faultIn(row: Row, rows: readonly Row[], values: Fields): string | undefined {
  const isMissing = row.isAdded && !values.has(row.property);
  const fault = faultOf(row, rows) ?? (isMissing ? 'A value is missing' : undefined);
  return fault && row.isAdded && fault.includes('Write') ? `${fault}, or choose text` : fault;
}

/** The entries that outlast the end of a sign-in: in this tab alone. */
interface Kept {
  /** The subject of the person who entered them: nobody else who signs in gets them. */
  by: string | undefined;
  rows: readonly Row[];
  /** The values that were stored then. */
  base: readonly [string, Value][];
}

const keptUnder = (form: string): string => `entered ${form}`;

const isKept = ({ rows, base }: Kept): boolean =>
  rows.every(({ property, kind, text, items }) => areTexts(property, kind, text, ...items)) &&
  base.every(([property]) => areTexts(property));

/** Takes what was kept of a form, with what is stored by now where nobody has entered anything. */
function takeKept(form: string, now: Fields): readonly Row[] | undefined {
  const kept = readStored<Kept>(sessionStorage, keptUnder(form), isKept);
  sessionStorage.removeItem(keptUnder(form));
  if (!kept || kept.by !== session.subject) return undefined;
  const { rows, base } = kept;
  const before = new Map(base);
  return rows.map((row) =>
    isTouched(row, before) ? row : { ...row, ...entryOf(row.property, now.get(row.property)) },
  );
}

/** Keeps what is entered over a sign-in, if the last one has ended. */
function useKeeping(form: string, kept: Kept, isChanged: boolean): void {
  useEffect(() => {
    const keep = () => {
      if (isChanged && shared.outage === 'expired') sessionStorage.setItem(keptUnder(form), JSON.stringify(kept));
    };
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  });
}

/**
 * The entries of a form.
 *
 * @param form whose it is: an id, or `new`
 * @param start what stands in it at first
 * @param base what is stored
 */
export function useDraft(form: string, start: Fields, base: Fields = start) {
  const [all, setRows] = useState<readonly Row[]>(() => takeKept(form, start) ?? rowsOf(start));
  // How often somebody has tried to save what has faults.
  const [tries, setTries] = useState(0);
  const rows = useMemo(() => all.filter((row) => !isBlank(row)), [all]);
  const values = valuesIn(rows, start);
  const faults = new Map(rows.map((row) => [row.key, faultIn(row, rows, values)]));
  const wrong = rows.filter((row) => faults.get(row.key) !== undefined);
  const touched = wrong.filter((row) => isTouched(row, base)).map(({ property }) => property);
  const changed = [...new Set([...differing(values, base), ...touched])];
  useKeeping(form, { by: session.subject, rows: all, base: [...base] }, changed.length > 0);
  const change = (key: number, more: Partial<Row>) =>
    setRows((before) => before.map((row) => (row.key === key ? { ...row, ...more } : row)));
  return {
    rows: all,
    values,
    /** The properties that differ from those that are stored, in what is entered or in what it stands for. */
    changed,
    /** How many rows have something wrong. */
    faulty: wrong.length,
    /** Says what is wrong with a row, once it was left, or somebody tried to save. */
    faultOf: ({ key, wasLeft }: Row) => (tries > 0 || wasLeft ? faults.get(key) : undefined),
    tries,
    showFaults: () => setTries(tries + 1),
    change,
    add: () => setRows([...all, { ...entryOf(ATTRIBUTE, undefined), key: Date.now(), isAdded: true }]),
    remove: (key: number) => setRows(all.filter((row) => row.key !== key)),
  };
}

export type Draft = ReturnType<typeof useDraft>;

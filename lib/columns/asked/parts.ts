/**
 * The parts that values count as, where these are not themselves: each text of an array, and the name that is read of a text. Each value is
 * looked at once in a question, however many users have it.
 */

import type { OverlayColumn } from '../changed/overlayColumn.ts';
import type { Column } from '../stored/column.ts';
import { type MemberNames, namesIn } from '../stored/memberNames.ts';
import { Texts } from '../stored/texts.ts';
import { folded, type Value } from '../values/definition.ts';
import { ARRAY, decoded, EDGE, encoded, isArray, type Mixed, TEXT } from '../values/mixed.ts';
import type { NumberIn } from '../values/text.ts';
import { compareCodePoints } from '../values/text.ts';
import { ticked, type Work } from '../work/chunks.ts';

/** Reads texts. Those whose numbers have the same name count together, in the order of the names; those without a name as no value. */
export interface Reading {
  readonly numberIn: NumberIn;
  nameOf(number: number): string | undefined;
}

/** Values that are counted, by number. */
interface Values {
  /** All numbers of the base, and all that were given, are below it. */
  end(): number;
  valueAt(number: number): Mixed | undefined;
  /** The order of values. */
  compare(a: number, b: number): number;
}

/** The parts of values, which have numbers of their own. */
export interface Parts extends Values {
  /** Adds the parts of the value with a number behind others, each once: that of no value, if there is none. */
  add(number: number, to: number[]): void;
}

/** A key that users are counted by: each user has a number on it, and each number a value. */
export interface GroupKey extends Values {
  /** By row of the base. */
  readonly numbers: Uint32Array;
  numberOf(slot: number): number;
  /** The parts of the values, if these are counted. */
  readonly parts?: Parts | undefined;
}

/** The codes of a base, that of no value, and behind them the codes of users who have changed. */
export interface Whole {
  readonly column: Column;
  readonly own: OverlayColumn;
  readonly valueAt: (number: number) => Value | undefined;
}

/** Whether somebody has an array, or had one since the base. */
export const hasArrays = ({ column, own }: Whole): boolean =>
  column.kind === 'mixed' &&
  (column.lowerBound(ARRAY) < column.size || own.values.some((value) => value !== undefined && isArray(String(value))));

/** Bytes of a name in a map and in a list, besides its characters: about. */
const NAME_BYTES = 120;

/** Numbers for names, in the order in which they come. */
class Numbers {
  readonly #first: Pick<MemberNames, 'names' | 'numbers'>;
  readonly #names: string[] = [];
  readonly #known = new Map<string, number>();
  readonly #work: Work;

  /** @param first names that have numbers */
  constructor(work: Work, first: Pick<MemberNames, 'names' | 'numbers'> = { names: [], numbers: new Map() }) {
    this.#work = work;
    this.#first = first;
  }

  get size(): number {
    return this.#first.names.length + this.#names.length;
  }

  at(number: number): string {
    const { names } = this.#first;
    return names[number] ?? this.#names[number - names.length] ?? '';
  }

  of(name: string): number {
    const known = this.#first.numbers.get(name) ?? this.#known.get(name);
    if (known !== undefined) return known;
    this.#work.hold?.(NAME_BYTES + name.length);
    const number = this.#first.names.length + this.#names.push(name) - 1;
    this.#known.set(name, number);
    return number;
  }
}

const addOnce = (number: number, to: number[], begin: number): void => {
  if (!to.includes(number, begin)) to.push(number);
};

/** The number of no value. */
const NONE = 0;

/** A user without a value is behind all others. */
const comparing =
  (compare: (a: number, b: number) => number) =>
  (a: number, b: number): number =>
    a === NONE || b === NONE ? Number(a === NONE) - Number(b === NONE) : compare(a, b);

function addKept({ starts, members }: MemberNames, code: number, to: number[]): void {
  const end = starts[code + 1] ?? 0;
  for (let at = starts[code] ?? 0; at < end; at++) to.push(1 + (members[at] ?? 0));
}

/** Each text, alone or in an array, by its own name, and other values by their encoded ones: these begin with a sign that no text has. */
export function membersOf({ column, valueAt }: Whole, work: Work): Parts {
  const kept = ticked(column.naming(), work);
  const found = new Numbers(work, kept);
  const keys: string[] = [];
  const isEncoded = (name: string): boolean => name !== '' && name < TEXT;
  const nameAt = (number: number): string => found.at(number - 1);
  const encodedAt = (number: number): string => {
    const name = nameAt(number);
    return isEncoded(name) ? name : encoded(name);
  };
  const namesAt = (number: number): readonly string[] => {
    const value = valueAt(number);
    return value === undefined ? [] : namesIn(String(value));
  };
  /** Folded once: most are compared with several. */
  const keyAt = (number: number): string => {
    keys[number] ??= folded('mixed', encodedAt(number));
    return keys[number];
  };
  return {
    end: () => 1 + found.size,
    add(number, to) {
      const first = to.length;
      if (kept && number < column.size) addKept(kept, number, to);
      else for (const name of namesAt(number)) addOnce(1 + found.of(name), to, first);
      if (to.length === first) to.push(NONE);
    },
    valueAt: (number) => (number === NONE ? undefined : decoded(encodedAt(number))),
    compare: comparing(
      (a, b) => compareCodePoints(keyAt(a), keyAt(b)) || compareCodePoints(encodedAt(a), encodedAt(b)),
    ),
  };
}

/** Passes the texts that some bytes are or have, each from one byte to another. */
type EachText = (bytes: Buffer, from: number, end: number, pass: (from: number, end: number) => void) => void;

const asItIs: EachText = (_, from, end, pass) => pass(from, end);

const encodedTexts: EachText = (bytes, from, end, pass) => {
  if ((bytes[from] ?? 0) < TEXT.charCodeAt(0)) return;
  const edge = EDGE.charCodeAt(0);
  // In front of its first text a value has two bytes.
  for (let at = from + 2; at < end; at++) {
    const first = at;
    while (at < end && bytes[at] !== edge) at++;
    pass(first, at);
  }
};

/** The names that are read of texts, those of arrays included. */
export function readOf({ column, valueAt }: Whole, { numberIn, nameOf }: Reading, work: Work): Parts {
  const found = new Numbers(work);
  const eachText = column.kind === 'mixed' ? encodedTexts : asItIs;
  const partBy = new Map<number, number>();
  const { bytes, ends } = column.values instanceof Texts ? column.values : { bytes: Buffer.alloc(0), ends: [] };
  const partOf = (number: number): number => {
    let part = partBy.get(number);
    if (part === undefined) {
      const name = nameOf(number);
      part = name === undefined ? NONE : 1 + found.of(name);
      partBy.set(number, part);
    }
    return part;
  };
  return {
    end: () => 1 + found.size,
    add(number, to) {
      const first = to.length;
      const addAt = (bytes: Buffer, from: number, end: number) =>
        eachText(bytes, from, end, (from, end) => {
          const read = numberIn(bytes, from, end);
          const part = read === undefined ? NONE : partOf(read);
          if (part !== NONE) addOnce(part, to, first);
        });
      const value = number < ends.length ? undefined : valueAt(number);
      if (number < ends.length) addAt(bytes, number === 0 ? 0 : (ends[number - 1] ?? 0) + 1, ends[number] ?? 0);
      else if (typeof value === 'string') addAt(Buffer.from(value), 0, Buffer.byteLength(value));
      if (to.length === first) to.push(NONE);
    },
    valueAt: (number) => (number === NONE ? undefined : found.at(number - 1)),
    compare: comparing((a, b) => compareCodePoints(found.at(a - 1), found.at(b - 1))),
  };
}

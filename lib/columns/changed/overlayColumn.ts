import type { Column } from '../stored/column.ts';
import {
  type Ask,
  type Compare,
  comparing,
  folded,
  type Kind,
  meetsWithout,
  testOf,
  type Value,
} from '../values/definition.ts';
import { arena } from '../work/arena.ts';
import type { Made } from '../work/kept.ts';

/** Behind all positions. */
const NEVER = 0x7fff_ffff;

/** Bytes of a value besides its characters, with its two texts and what is found of it, and of a slot: about. */
const [VALUE_BYTES, SLOT_BYTES] = [160, 8];

/** One field of the changed users: its distinct values as they came, and by slot which one it is. */
export class OverlayColumn implements Made {
  /** First that of users without one. */
  readonly values: (Value | undefined)[] = [undefined];
  readonly texts: string[] = [''];
  /** Those of a column of members have gaps. */
  readonly codes: number[] = [];
  /** How many codes were added. */
  filled = 0;
  readonly #kind: Kind;
  readonly #compareValues: Compare;
  /** By code: the positions between which it was found to sort among the values of the base, both included. */
  readonly #lowest: number[] = [0];
  readonly #highest: number[] = [NEVER];
  readonly #exact: number[] = [];
  /** By code: the row of the first user who has it, or where one would be. */
  readonly #rows: number[] = [0];
  readonly #codeOf = new Map<Value | undefined, number>([[undefined, 0]]);
  #characters = 0;
  readonly forget: () => void;

  /** @param forget takes it away, so that the next caller makes another one */
  constructor(kind: Kind, forget: () => void) {
    this.#kind = kind;
    this.#compareValues = comparing(kind);
    this.forget = forget;
  }

  get bytes(): number {
    return SLOT_BYTES * this.codes.length + VALUE_BYTES * this.values.length + this.#characters;
  }

  add(slot: number, value: Value | undefined, row: number): void {
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.texts.push(folded(this.#kind, value ?? ''));
      this.#lowest.push(0);
      this.#highest.push(NEVER);
      this.#rows.push(row);
      this.#codeOf.set(value, code);
      this.#characters += String(value).length + (this.texts[code]?.length ?? 0);
    }
    this.codes[slot] = code;
    this.filled++;
  }

  /** Whether the value of a slot meets an ask. Each value is tested once. */
  testing(ask: Ask): (slot: number) => boolean {
    const test = testOf(this.#kind, ask);
    const [no, yes] = [1, 2];
    const marks = arena.marks(this.values.length);
    const markOf = (code: number): number => {
      const value = this.values[code];
      const isMet = value === undefined ? meetsWithout(ask) : test(value, this.texts[code] ?? '');
      return isMet ? yes : no;
    };
    return (slot) => {
      const code = this.codes[slot] ?? 0;
      if (marks[code] === 0) marks[code] = markOf(code);
      return marks[code] === yes;
    };
  }

  /** Where the value of a slot sorts among those of the base. Looked up once. */
  position(column: Column, slot: number): number {
    const code = this.codes[slot] ?? 0;
    const known = this.#lowest[code] ?? 0;
    if (known === this.#highest[code]) return known;
    const position = column.positionOf(this.values[code], this.texts[code] ?? '');
    this.#lowest[code] = position;
    this.#highest[code] = position;
    return position;
  }

  /** Where the very value of a code is in a column, or would be: looked up once, if its user has not had it before. */
  exact(column: Column, code: number): number {
    if (this.#exact[code] !== undefined) return this.#exact[code];
    const value = this.values[code];
    const before = column.codeOf(this.#rows[code] ?? 0);
    const isSame = column.valueAt(before) === value;
    this.#exact[code] = isSame ? 2 * before + 1 : column.positionOf(value, this.texts[code] ?? '', true);
    return this.#exact[code];
  }

  compare(slotA: number, slotB: number): number {
    const b = this.codes[slotB] ?? 0;
    return this.#compare(this.codes[slotA] ?? 0, this.values[b], this.texts[b] ?? '');
  }

  #compare(code: number, value: Value | undefined, text: string): number {
    return this.#compareValues(this.values[code], this.texts[code] ?? '', value, text);
  }

  /**
   * Compares with a value that has a position among those of the base. A value that was found before is not compared again.
   *
   * @param text the folded value
   */
  compareTo(slot: number, position: number, value: Value | undefined, text: string): number {
    const code = this.codes[slot] ?? 0;
    const lowest = this.#lowest[code] ?? 0;
    const highest = this.#highest[code] ?? NEVER;
    if (highest < position) return -1;
    if (lowest > position) return 1;
    const difference = this.#compare(code, value, text);
    // At an even position are different values.
    const isOne = position % 2;
    if (difference <= 0) this.#highest[code] = Math.min(highest, difference < 0 ? position - isOne : position);
    if (difference >= 0) this.#lowest[code] = Math.max(lowest, difference > 0 ? position + isOne : position);
    return difference;
  }
}

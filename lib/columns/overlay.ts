import { arena } from './arena.ts';
import type { Base } from './base.ts';
import type { Steps } from './chunks.ts';
import { ticked } from './chunks.ts';
import type { Column } from './column.ts';
import {
  type Ask,
  canBeWord,
  compareValues,
  folded,
  idOf,
  type Kind,
  kindOf,
  meetsWithout,
  type Row,
  testOf,
  type Value,
  valueIn,
  type Work,
} from './definition.ts';
import { tailOf } from './derived.ts';
import type { Made } from './kept.ts';
import { plain } from './text.ts';

/** Above all slots: of what has not come yet. */
const NEVER = 0x7fff_ffff;

/** A tick is due at each number of a changed user that has none of these bits: some texts are compared with a hundred. */
const FEW = 0x3ff;

/** Slots that a step adds. */
const ADDED = 4_096;

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

  /** Writes the slots whose values meet an ask, and says how many: into `out`, which may be the slots. Each value is tested once. */
  keep(slots: Uint32Array, ask: Ask, out: Uint32Array, work: Work): number {
    const test = testOf(this.#kind, ask);
    const [no, yes] = [1, 2];
    const marks = arena.marks(this.values.length);
    const markOf = (code: number): number => {
      const value = this.values[code];
      const isMet = value === undefined ? meetsWithout(ask) : test(value, this.texts[code] ?? '');
      return isMet ? yes : no;
    };
    let count = 0;
    for (let i = 0; i < slots.length; i++) {
      if ((i & FEW) === 0) work.tick();
      const slot = slots[i] ?? 0;
      const code = this.codes[slot] ?? 0;
      if (marks[code] === 0) marks[code] = markOf(code);
      if (marks[code] === yes) out[count++] = slot;
    }
    return count;
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
    return compareValues(this.#kind, this.values[code], this.texts[code] ?? '', value, text);
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

/** The state of the first slots, up to a number of them. */
interface Last {
  readonly count: number;
  /** The slots of users who are there. */
  readonly there: Uint32Array;
  /** The rows of users who have changed. */
  readonly former: Uint32Array;
}

/**
 * The users that have changed since a base: a slot for each change, in the order in which they came. It is only added
 * to, and shared: a replica sees the first slots up to a number of its own, and of each user the last of these. So a replica's next one
 * costs what its changes cost, and leaves it as it was.
 */
export class Overlay {
  readonly base: Base;
  readonly ids: number[] = [];
  /** The user as changed; undefined if it is gone. */
  readonly users: (Row | undefined)[] = [];
  /** Of each id, as `positionOf` says. */
  readonly positions: number[] = [];
  /** By row: the first slot of its user. */
  readonly replacedBy: Uint32Array;
  /** The next slot of the same user. */
  readonly #later: number[] = [];
  readonly #last = new Map<number, number>();
  readonly #columns = new Map<string, OverlayColumn>();
  readonly #having = new Map<string, number[]>();
  /** How many slots were looked at for it. */
  #looked = 0;
  readonly #withMembers: readonly string[];
  readonly #plain = new Map<string, (string | undefined)[]>();
  #lastOf: Last = { count: 0, there: new Uint32Array(0), former: new Uint32Array(0) };

  constructor(base: Base) {
    this.base = base;
    this.replacedBy = new Uint32Array(base.size).fill(NEVER);
    this.#withMembers = Object.keys(base.kinds).filter((field) => base.kinds[field] === 'members');
  }

  get length(): number {
    return this.ids.length;
  }

  /** How many users have changed. */
  get size(): number {
    return this.#last.size;
  }

  /** 2 · row + 1 of an id in the base; 2 · row if it would be between that row and the one before. */
  positionOf(id: number): number {
    const row = this.base.rowOf(id);
    return 2 * row + Number(this.base.ids[row] === id);
  }

  /** @returns how many users more there are: 1, 0 or -1 */
  add(id: number, user: Row | undefined): number {
    const earlier = this.#last.get(id);
    const slot = this.ids.push(id) - 1;
    const position = this.positionOf(id);
    const row = position >> 1;
    const isInBase = position % 2 === 1;
    this.users.push(user);
    this.positions.push(position);
    this.#later.push(NEVER);
    this.#last.set(id, slot);
    if (earlier !== undefined) this.#later[earlier] = slot;
    else if (isInBase) this.replacedBy[row] = slot;
    const wasThere = earlier === undefined ? isInBase : this.users[earlier] !== undefined;
    return Number(user !== undefined) - Number(wasThere);
  }

  /** By the name of a column of members, the slots of users who have a value: those of all slots, when somebody asks. */
  *members(): Steps<ReadonlyMap<string, readonly number[]>> {
    while (this.#looked < this.length) {
      for (const field of this.#withMembers) {
        for (const member of Object.keys(this.users[this.#looked]?.[field] ?? {})) {
          const slots = this.#having.get(`${field}.${member}`) ?? [];
          slots.push(this.#looked);
          this.#having.set(`${field}.${member}`, slots);
        }
      }
      this.#looked++;
      if (this.#looked % ADDED === 0) yield;
    }
    return this.#having;
  }

  /** The last slot of each user, among the first ones. */
  slots(count: number): Uint32Array {
    const slots = new Uint32Array(count);
    let size = 0;
    for (let slot = 0; slot < count; slot++) if ((this.#later[slot] ?? 0) >= count) slots[size++] = slot;
    return slots.subarray(0, size);
  }

  /** Kept for the next question. */
  lastOf(count: number): Last {
    if (this.#lastOf.count !== count) {
      const slots = this.slots(count);
      const there = slots.filter((slot) => this.users[slot] !== undefined);
      const positions = slots.map((slot) => this.positions[slot] ?? 0).filter((position) => position % 2 === 1);
      this.#lastOf = { count, there, former: positions.map((position) => position >> 1) };
    }
    return this.#lastOf;
  }

  /** Adds the values of slots, or of all, that a column lacks. */
  *#fill(
    column: OverlayColumn,
    slots: readonly number[] | undefined,
    valueAt: (slot: number) => Value | undefined,
  ): Steps<void> {
    while (column.filled < (slots ?? this.ids).length) {
      const slot = slots ? (slots[column.filled] ?? 0) : column.filled;
      column.add(slot, valueAt(slot), (this.positions[slot] ?? 0) >> 1);
      if (column.filled % ADDED === 0) yield;
    }
  }

  /**
   * Others may fill it meanwhile.
   *
   * @param behind a character: then of what the field has behind the last of it
   */
  *filling(field: string, behind = ''): Steps<OverlayColumn> {
    const kind = kindOf(this.base.kinds, field) ?? 'text';
    const key = behind + field;
    const having = kind === 'mixed' ? ((yield* this.members()).get(field) ?? []) : undefined;
    const column = this.#columns.get(key) ?? new OverlayColumn(kind, () => this.#columns.delete(key));
    // Of names that nobody has nothing is kept.
    if (having?.length !== 0) this.#columns.set(key, column);
    const { filled } = column;
    yield* this.#fill(column, having, (slot) => {
      const value = valueIn(this.users[slot], field);
      return behind === '' ? value : tailOf(kind, value, behind);
    });
    if (having && column.filled > filled) this.base.kept.made(column);
    else this.base.kept.use(column);
    return column;
  }

  /** By slot: the plain texts of some fields, made when words are looked for first. */
  *#plainTexts(fields: readonly string[]): Steps<readonly (string | undefined)[]> {
    const key = fields.join();
    const texts = this.#plain.get(key) ?? [];
    this.#plain.set(key, texts);
    while (texts.length < this.length) {
      const user = this.users[texts.length];
      const own = fields.map((field) => user?.[field]).filter((value) => typeof value === 'string');
      // No word has a NUL.
      texts.push(own.length > 0 ? plain(own.join('\0')) : undefined);
      if (texts.length % ADDED === 0) yield;
    }
    return texts;
  }

  /** Writes the slots whose users have all of some words, and says how many: into `out`, which may be the slots. */
  keepWords(
    slots: Uint32Array,
    fields: readonly string[],
    words: readonly string[],
    out: Uint32Array,
    work: Work,
  ): number {
    const texts = ticked(this.#plainTexts(fields), work);
    const wanted = words.map((word) => ({ word, id: idOf(word), canBe: canBeWord(word) }));
    let count = 0;
    for (let i = 0; i < slots.length; i++) {
      if ((i & FEW) === 0) work.tick();
      const slot = slots[i] ?? 0;
      const hasAll = wanted.every(
        ({ word, id, canBe }) => this.ids[slot] === id || (canBe && texts[slot]?.includes(word)),
      );
      if (hasAll) out[count++] = slot;
    }
    return count;
  }
}

import type { Base } from '../stored/base.ts';
import { canBeWord, idOf, kindOf, type Row, type Value, valueOfColumn, type Words } from '../values/definition.ts';
import { plain } from '../values/text.ts';
import { overChunks, type Steps, ticked, type Work } from '../work/chunks.ts';
import { OverlayColumn } from './overlayColumn.ts';

/** Above all slots: of what has not come yet. */
const NEVER = 0x7fff_ffff;

/** Slots that a step adds. */
const ADDED = 4_096;

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

  /** Others may fill it meanwhile. */
  *filling(field: string): Steps<OverlayColumn> {
    const { kinds, kept } = this.base;
    const kind = kindOf(kinds, field) ?? 'text';
    const having = kind === 'mixed' ? ((yield* this.members()).get(field) ?? []) : undefined;
    const column = this.#columns.get(field) ?? new OverlayColumn(kind, () => this.#columns.delete(field));
    // Of names that nobody has nothing is kept.
    if (having?.length !== 0) this.#columns.set(field, column);
    const { filled } = column;
    yield* this.#fill(column, having, (slot) => valueOfColumn(kinds, this.users[slot], field));
    if (having && column.filled > filled) kept.made(column);
    else kept.use(column);
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

  /** Whether the user of a slot has all of some words. */
  testing({ fields, words }: Words, work: Work): (slot: number) => boolean {
    const texts = ticked(this.#plainTexts(fields), work);
    const wanted = words.map((word) => ({ word, id: idOf(word), canBe: canBeWord(word) }));
    return (slot) =>
      wanted.every(({ word, id, canBe }) => this.ids[slot] === id || (canBe && texts[slot]?.includes(word) === true));
  }

  /**
   * Writes those of some rows whose users have not changed before a slot, and says how many.
   *
   * @param kept where they are written, from the beginning: it may be the rows themselves
   */
  unchanged(before: number, rows: Uint32Array, kept: Uint32Array, work: Work): number {
    const { replacedBy } = this;
    let count = 0;
    overChunks(rows.length, work, (from, to) => {
      let at = count;
      for (let i = from; i < to; i++) {
        const row = rows[i] ?? 0;
        kept[at] = row;
        at += Number((replacedBy[row] ?? 0) >= before);
      }
      count = at;
    });
    return count;
  }
}

/** The most users that are looked at one by one, or sorted, the bins that divide more, and the most combinations that an array counts. Tests make all small. */
export interface Sizes {
  readonly few: number;
  readonly bins: number;
  readonly cells: number;
}

/** The inside of a replica: a base, and the first slots, up to a number, of the rows that have changed since. */
export interface View {
  readonly overlay: Overlay;
  readonly slots: number;
  readonly sizes: Sizes;
}

/** Groups of users by whole values, made groups by the parts of these: a user with arrays is in one for each combination of their texts. */

import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks } from '../work/chunks.ts';
import type { GroupKey } from './parts.ts';

/** By group: how many users are in it, perhaps none, and its number on a group key. */
export interface Groups {
  readonly counts: Uint32Array;
  numberIn(group: number, key: number): number;
}

/** Combinations from one tick to the next: two arrays of a user have hundreds. */
const TICKED = 1 << 15;

/** Bytes of a part in a list, and of a combination in a map: about. */
const [PART_BYTES, COMBINATION_BYTES] = [8, 96];

/** The parts of the numbers that some groups have on a group key. Without `starts` each number is its own part. */
interface Spread {
  /** All parts are below it. */
  readonly end: number;
  /** By number: where the parts stand, behind how many they are. */
  readonly starts?: Uint32Array;
  readonly parts: readonly number[];
}

function spreadOf({ counts, numberIn }: Groups, groupKey: GroupKey, key: number, work: Work): Spread {
  const { parts: of, end } = groupKey;
  if (!of) return { end: end(), parts: [] };
  const starts = arena.take(end()).fill(0);
  // Nothing begins at 0.
  const parts = [0];
  overChunks(counts.length, work, (from, to) => {
    const before = parts.length;
    for (let group = from; group < to; group++) {
      const number = numberIn(group, key);
      if (counts[group] === 0 || starts[number] !== 0) continue;
      const start = parts.push(0) - 1;
      starts[number] = start;
      of.add(number, parts);
      parts[start] = parts.length - start - 1;
    }
    work.hold?.((parts.length - before) * PART_BYTES);
  });
  return { end: of.end(), starts, parts };
}

/** A combination of parts is one whole number, its cell. */
export class Combinations implements Groups {
  readonly #groups: Groups;
  readonly #spreads: readonly Spread[];
  /** By group key: how many cells one of its parts has. */
  readonly #widths: readonly number[];
  readonly #work: Work;
  /** The cells of one group, and those of it with a group key less. */
  #own = new Float64Array(1);
  #before = new Float64Array(1);
  /** By combination that somebody has, its cell. undefined: the combinations are all cells, also those that nobody has. */
  #cells: number[] | undefined;
  counts: Uint32Array = new Uint32Array(0);

  /** @param most the most cells that are counted in an array: more are in a map, unless there is one group key */
  constructor(groups: Groups, groupKeys: readonly GroupKey[], most: number, work: Work) {
    this.#groups = groups;
    this.#work = work;
    this.#spreads = groupKeys.map((groupKey, key) => spreadOf(groups, groupKey, key, work));
    const product = (spreads: readonly Spread[]) => spreads.reduce((cells, { end }) => cells * end, 1);
    this.#widths = this.#spreads.map((_, key) => product(this.#spreads.slice(key + 1)));
    const cells = product(this.#spreads);
    if (groupKeys.length === 1 || cells <= most) this.#countInArray(cells);
    else this.#countInMap();
  }

  #countInArray(cells: number): void {
    const counts = arena.take(cells).fill(0);
    this.#each((own, length, count) => {
      for (let i = 0; i < length; i++) {
        const cell = (own[i] ?? 0) >>> 0;
        counts[cell] = (counts[cell] ?? 0) + count;
      }
    });
    this.counts = counts;
  }

  #countInMap(): void {
    const counts: number[] = [];
    const cells: number[] = [];
    const found = new Map<number, number>();
    this.#each((own, length, count) => {
      const before = cells.length;
      for (let i = 0; i < length; i++) {
        const cell = own[i] ?? 0;
        const known = found.get(cell);
        if (known !== undefined) counts[known] = (counts[known] ?? 0) + count;
        else {
          found.set(cell, cells.push(cell) - 1);
          counts.push(count);
        }
      }
      this.#work.hold?.((cells.length - before) * COMBINATION_BYTES);
    });
    this.counts = Uint32Array.from(counts);
    this.#cells = cells;
  }

  /** Passes the cells of each group: their array, of which the first `length` count, and the number of users. */
  #each(pass: (own: Float64Array, length: number, count: number) => void): void {
    const { counts } = this.#groups;
    let passed = 0;
    overChunks(counts.length, this.#work, (from, to) => {
      for (let group = from; group < to; group++) {
        const count = counts[group] ?? 0;
        if (count === 0) continue;
        const length = this.#fill(group);
        pass(this.#own, length, count);
        passed += length;
        if (passed < TICKED) continue;
        this.#work.tick();
        passed = 0;
      }
    });
  }

  /** Writes the cells of a group, and says how many there are. */
  #fill(group: number): number {
    let length = 1;
    this.#own[0] = 0;
    for (const [key, { end, starts, parts }] of this.#spreads.entries()) {
      const number = this.#groups.numberIn(group, key);
      const start = starts?.[number];
      length = start === undefined ? this.#extend(length, end, [number]) : this.#extend(length, end, parts, start);
    }
    return length;
  }

  /** Extends the first `length` cells with each of some parts, which stand behind their number, or are one. */
  #extend(length: number, end: number, parts: readonly number[], start = -1): number {
    const count = start < 0 ? 1 : (parts[start] ?? 0);
    [this.#own, this.#before] = [this.#before, this.#own];
    if (this.#own.length < length * count) this.#own = new Float64Array(2 * length * count);
    const [own, before] = [this.#own, this.#before];
    let to = 0;
    for (let i = 0; i < length; i++) {
      const cell = (before[i] ?? 0) * end;
      for (let part = 1; part <= count; part++) own[to++] = cell + (parts[start + part] ?? 0);
    }
    return to;
  }

  #cellOf(combination: number): number {
    return this.#cells ? (this.#cells[combination] ?? 0) : combination;
  }

  numberIn(combination: number, key: number): number {
    return Math.floor(this.#cellOf(combination) / (this.#widths[key] ?? 1)) % (this.#spreads[key]?.end ?? 1);
  }

  /** How many users have a combination beside some. */
  othersThan(combinations: readonly number[]): number {
    const shown = new Set(combinations.map((each) => this.#cellOf(each)));
    let others = 0;
    this.#each((own, length, count) => {
      for (let i = 0; i < length; i++) {
        if (shown.has(own[i] ?? 0)) continue;
        others += count;
        return;
      }
    });
    return others;
  }
}

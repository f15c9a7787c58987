/** Numbers of a block, as a power of two. */
const BLOCK = 10;

/**
 * Ascending numbers that never change. Whole ones that are close to those around them, as moments of many users are, take four bytes each: by how much
 * they are above the first one of their block. A block with others takes eight.
 */
export class Numbers {
  readonly length: number;
  readonly #firsts: Float64Array;
  readonly #steps: Uint32Array;
  /** Blocks as they are. */
  readonly #wide = new Map<number, Float64Array>();

  constructor(all: Float64Array) {
    this.length = all.length;
    this.#firsts = new Float64Array(Math.ceil(all.length / 2 ** BLOCK));
    this.#steps = new Uint32Array(all.length);
    for (let block = 0; block < this.#firsts.length; block++) this.#add(block, all);
  }

  #add(block: number, all: Float64Array): void {
    const from = block << BLOCK;
    const to = Math.min(from + 2 ** BLOCK, all.length);
    const first = all[from] ?? 0;
    this.#firsts[block] = first;
    for (let i = from; i < to; i++) {
      const number = all[i] ?? 0;
      this.#steps[i] = number - first;
      if (first + (this.#steps[i] ?? 0) === number) continue;
      this.#wide.set(block, all.slice(from, to));
      return;
    }
  }

  at(index: number): number {
    const block = index >> BLOCK;
    const wide = this.#wide.size > 0 ? this.#wide.get(block) : undefined;
    return wide ? (wide[index - (block << BLOCK)] ?? 0) : (this.#firsts[block] ?? 0) + (this.#steps[index] ?? 0);
  }

  all(): Float64Array {
    const all = new Float64Array(this.length);
    for (let i = 0; i < all.length; i++) all[i] = this.at(i);
    return all;
  }
}

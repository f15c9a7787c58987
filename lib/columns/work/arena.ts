/** Numbers that are kept, sixteen megabytes: enough for any page of a million users. */
const MOST = 1 << 22;

/**
 * The memory for the large arrays of one question, which the next question uses again: new ones of megabytes for each
 * question would bring on a garbage collection every few questions, and that takes longer than they do. A question is
 * answered without waiting, so there is one at a time. Values that outlive it, such as its page, are not of this memory.
 */
class Arena {
  #memory = new Uint32Array(0);
  #used = 0;
  /** The most that was used, if some of it is free again. */
  #most = 0;

  /** Begins a question: what the one before took is free. */
  begin(): void {
    const wanted = Math.min(Math.max(this.#used, this.#most), MOST);
    if (wanted > this.#memory.length) this.#memory = new Uint32Array(wanted);
    this.#used = 0;
    this.#most = 0;
  }

  /** Numbers of any value. */
  take(length: number): Uint32Array {
    const start = this.#used;
    this.#used += length;
    return this.#used > this.#memory.length ? new Uint32Array(length) : this.#memory.subarray(start, this.#used);
  }

  /** The memory that a part of a question takes is free when it ends. */
  during<Result>(run: () => Result): Result {
    const used = this.#used;
    const result = run();
    this.#most = Math.max(this.#most, this.#used);
    this.#used = used;
    return result;
  }

  /** Bytes that are all 0. */
  marks(length: number): Uint8Array {
    const { buffer, byteOffset } = this.take(Math.ceil(length / 4));
    return new Uint8Array(buffer, byteOffset, length).fill(0);
  }
}

export const arena = new Arena();

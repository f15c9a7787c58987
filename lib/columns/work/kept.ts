/**
 * The work of questions on the columns of members, which they can do again. There are hundreds of such columns, and a client chooses which: so all of it
 * is counted in bytes, and what was used longest ago is forgotten when there is too much, at the moment when something is made.
 */
export interface Made {
  /** Bytes that it takes beside the stored ones, about. */
  readonly bytes: number;
  /** The holder of a part of it goes on with that part. */
  forget(): void;
}

/** Bytes for each user: the codes and the order of eight columns with few values. Above that columns are forgotten. */
export const KEPT_A_USER = 64;

/** Bytes however few users there are. */
const LEAST = 1 << 24;

export class Kept {
  readonly #most: number;
  /** First what was used longest ago. */
  readonly #all = new Set<Made>();

  constructor(users: number) {
    this.#most = Math.max(LEAST, KEPT_A_USER * users);
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#all) sum += bytes;
    return sum;
  }

  /** Others are forgotten before it. */
  use(each: Made): void {
    if (this.#all.delete(each)) this.#all.add(each);
  }

  /** Something was made of it. It stays, whatever it takes. */
  made(last: Made): void {
    this.#all.delete(last);
    this.#all.add(last);
    let { bytes } = this;
    for (const each of this.#all) {
      if (bytes <= this.#most || each === last) return;
      bytes -= each.bytes;
      this.#all.delete(each);
      each.forget();
    }
  }
}

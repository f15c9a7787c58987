import { createHash } from 'node:crypto';

type Representation = Record<string, unknown>;

/** One text for the same members in any order. */
const canonical = (user: Representation): string =>
  JSON.stringify(
    Object.keys(user)
      .sort()
      .map((member) => [member, user[member]]),
  );

/** The first 64 bits of the SHA-256 hash of a user. */
const hashOf = (user: Representation): bigint =>
  createHash('sha256').update(canonical(user)).digest().readBigUInt64BE(0);

export interface Checksum {
  users: number;
  /** 16 hexadecimal digits. */
  sum: string;
}

/**
 * A checksum of users in any order: the sum of their hashes, modulo 2^64. With a sum, unlike an exclusive or, a user who comes
 * twice does not vanish.
 */
export async function checksumOf(users: AsyncIterable<Representation>): Promise<Checksum> {
  let [count, sum] = [0, 0n];
  for await (const user of users) {
    count++;
    sum = BigInt.asUintN(64, sum + hashOf(user));
  }
  return { users: count, sum: sum.toString(16).padStart(16, '0') };
}

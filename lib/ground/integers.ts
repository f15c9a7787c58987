/** Integers with seven bits per byte, the lowest bits first. The eighth bit says that another byte follows (LEB128). */

const SEVEN_BITS = 128;

export function packIntegers(integers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const integer of integers) {
    let left = integer;
    for (; left >= SEVEN_BITS; left = Math.floor(left / SEVEN_BITS)) bytes.push((left % SEVEN_BITS) + SEVEN_BITS);
    bytes.push(left);
  }
  return Uint8Array.from(bytes);
}

export function unpackIntegers(bytes: Uint8Array): number[] {
  const integers: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte % SEVEN_BITS) * scale;
    scale *= SEVEN_BITS;
    if (byte >= SEVEN_BITS) continue;
    integers.push(value);
    [value, scale] = [0, 1];
  }
  return integers;
}

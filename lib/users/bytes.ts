/** Integers with seven bits per byte, the lowest bits first. The eighth bit says that another byte follows (LEB128). */

const SEVEN_BITS = 128;

/** Collects bytes. */
export interface ByteWriter {
  integer(value: number): void;
  bytes(bytes: Uint8Array): void;
  /** The length of a text, then the text. */
  text(value: string): void;
  size(): number;
  finish(): Uint8Array;
}

export function createWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(4_096);
  let size = 0;
  const ensure = (more: number) => {
    if (size + more <= buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (size + more));
    buffer.copy(larger, 0, 0, size);
    buffer = larger;
  };
  const writer: ByteWriter = {
    integer(value) {
      ensure(8);
      let left = value;
      for (; left >= SEVEN_BITS; left = Math.floor(left / SEVEN_BITS))
        buffer[size++] = (left % SEVEN_BITS) + SEVEN_BITS;
      buffer[size++] = left;
    },
    bytes(bytes) {
      ensure(bytes.length);
      buffer.set(bytes, size);
      size += bytes.length;
    },
    text(value) {
      const bytes = Buffer.from(value);
      writer.integer(bytes.length);
      writer.bytes(bytes);
    },
    size: () => size,
    finish: () => Uint8Array.prototype.slice.call(buffer, 0, size),
  };
  return writer;
}

/** Reads what a writer collected. */
export interface ByteReader {
  integer(): number;
  bytes(length: number): Uint8Array;
  text(): string;
  hasMore(): boolean;
}

export function createReader(data: Uint8Array): ByteReader {
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  const reader: ByteReader = {
    integer() {
      let value = 0;
      for (let scale = 1; ; scale *= SEVEN_BITS) {
        const byte = buffer[at++] ?? 0;
        if (byte < SEVEN_BITS) return value + byte * scale;
        value += (byte - SEVEN_BITS) * scale;
      }
    },
    bytes(length) {
      at += length;
      return buffer.subarray(at - length, at);
    },
    text() {
      const length = reader.integer();
      at += length;
      return buffer.toString('utf8', at - length, at);
    },
    hasMore: () => at < buffer.length,
  };
  return reader;
}

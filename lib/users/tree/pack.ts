import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Row } from './rows.ts';

/** Raw deflate (RFC 1951): a node has no use for a header and a checksum. */
const LEVEL = { level: 9 };

/** A row as JSON: its key, then each bucket and its number. */
type Packed = [key: string, ...counts: (string | number)[]];

/** Rows as deflated JSON. They have been sorted: equal beginnings of keys that follow each other are stored once. */
export const pack = (rows: readonly Row[]): Uint8Array =>
  deflateRawSync(JSON.stringify(rows.map(({ key, counts }): Packed => [key, ...[...counts].flat()])), LEVEL);

export const unpack = (data: Uint8Array): Row[] =>
  (JSON.parse(inflateRawSync(data).toString()) as Packed[]).map(([key, ...flat]) => {
    const counts = new Map<string, number>();
    for (let i = 0; i < flat.length; i += 2) counts.set(String(flat[i]), Number(flat[i + 1]));
    return { key, counts };
  });

/** Sizes and units: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
import { isDeepStrictEqual } from 'node:util';
import type { Item } from './expressions.ts';
import { hasKey, isSameKey, type Rows } from './rows.ts';

const READ_BYTES = 4_096;
const WRITE_BYTES = 1_024;

/** A byte for two digits, zeros at the ends not counted, and one more. */
const sizeOfNumber = (value: number): number => {
  const digits = String(Math.abs(value)).replace(/e.*|\./g, '');
  return 1 + Math.ceil(digits.replace(/^0+|0+$/g, '').length / 2) + (value < 0 ? 1 : 0);
};

const sizeOfMembers = (members: object): number =>
  Object.entries(members).reduce((sum, [name, member]) => sum + Buffer.byteLength(name) + sizeOf(member), 0);

/** The bytes of a value. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return sizeOfNumber(value);
  if (value instanceof Uint8Array) return value.length;
  if (value === undefined) return 0;
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + 1 + sizeOf(each), 3);
  return 3 + Object.keys(value).length + sizeOfMembers(value);
}

/** The bytes of an item. */
export const sizeOfItem = (item: Item): number => sizeOfMembers(item);

/** The units of a read of a number of bytes. */
export const readUnits = (bytes: number, isStrong = false): number =>
  Math.max(1, Math.ceil(bytes / READ_BYTES)) / (isStrong ? 1 : 2);

const unitsOfWrite = (...items: (Item | undefined)[]): number =>
  Math.max(1, ...items.map((item) => Math.ceil(sizeOfItem(item ?? {}) / WRITE_BYTES)));

/** An index has an item only with both of its keys. A change of a key is a delete and a put. */
function unitsOfIndex(index: Rows, before: Item | undefined, after: Item | undefined): number {
  const [old, next] = [before, after].map((item) => (item && hasKey(index, item) ? item : undefined));
  if (isDeepStrictEqual(old, next)) return 0;
  if (!old || !next || isSameKey(index, old, next)) return unitsOfWrite(old, next);
  return unitsOfWrite(old) + unitsOfWrite(next);
}

/** The units of a write in a table and its indexes. @param times 2 in a transaction, for the table */
export const writeUnits = (
  indexes: readonly Rows[],
  before: Item | undefined,
  after: Item | undefined,
  times: 1 | 2,
): number =>
  indexes.reduce((sum, index) => sum + unitsOfIndex(index, before, after), times * unitsOfWrite(before, after));

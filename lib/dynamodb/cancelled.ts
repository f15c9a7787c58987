import { currentMeter } from '../metering.ts';
import type { TransactionItem } from './transact.ts';

const KIB = 1_024;

/** Roughly what DynamoDB counts: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 8;
  const members = value instanceof Set ? [...value] : Object.entries(value).flat();
  return members.reduce((sum: number, member) => sum + sizeOf(member), 3);
}

/** Only the new values of an update are known here. A deletion or a check has no values. */
const contentOf = ({ Put, Update }: TransactionItem): unknown => Put?.Item ?? Update?.ExpressionAttributeValues ?? {};

/** Each item costs one unit per KiB, at least one, and twice that in a transaction. */
export const unitsOfTransaction = (items: readonly TransactionItem[]): number =>
  items.reduce((sum, item) => sum + 2 * Math.max(1, Math.ceil(sizeOf(contentOf(item)) / KIB)), 0);

/**
 * DynamoDB charges for a cancelled transaction, but its response does not say how much. So the meter gets an estimate from the
 * sizes of the items. Indexes do not count: a cancelled transaction does not write them.
 */
export function meterCancelled(items: readonly TransactionItem[]): void {
  const meter = currentMeter();
  if (meter) meter.writeUnits += unitsOfTransaction(items);
}

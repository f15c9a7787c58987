import type { TableNames } from '../../dynamodb/tables.ts';
import type { TransactionItem } from '../../dynamodb/transact.ts';
import type { Row, RowContent } from '../statistics/rows.ts';
import { createRow, deleteRow, isJoining, isNumbers, type Pair, updateRow } from './correction.ts';
import type { Expected } from './tally.ts';

export type RowFault = 'missing' | 'superfluous' | 'wrong count' | 'missing zone';

/** What is wrong with a row, and the write towards putting it right. */
export interface Difference {
  fault: RowFault;
  /** By how much each count is off: this stays the same while others write to a row that is there. */
  drift: string;
  correction: TransactionItem;
}

/** What a row held when it was read; undefined when it was not there. */
export type Held = RowContent | undefined;

const isWithin = (part: ReadonlySet<number>, whole: unknown): boolean =>
  isNumbers(whole) && [...part].every((number) => whole.has(number));

const isRight = ({ held, expected }: Pair): boolean =>
  expected instanceof Set ? isWithin(expected, held) : held === expected;

function pairsOf(held: RowContent, expected: Expected): Pair[] {
  const { pk: _, sk: __, ...attributes } = held;
  const names = new Set([...Object.keys(attributes), ...expected.keys()]);
  return [...names].sort().map((attribute) => ({
    attribute,
    held: attributes[attribute],
    expected: expected.get(attribute),
  }));
}

const driftOf = (pairs: readonly Pair[]): string =>
  JSON.stringify(pairs.map(({ attribute, held, expected }) => [attribute, Number(held ?? 0) - Number(expected ?? 0)]));

/**
 * What is wrong with a row, if anything. The correction is a compare-and-set: refused when somebody has written since
 * the row was read.
 */
export function findDifference(
  tables: TableNames,
  { pk, sk }: Row,
  held: Held,
  expected: Expected | undefined,
): Difference | undefined {
  const row = { pk, sk };
  const pairs = pairsOf(held ?? {}, expected ?? new Map());
  const wrong = pairs.filter((pair) => !isRight(pair));
  const drift = driftOf(wrong.filter((pair) => !isJoining(pair)));
  const table = tables.directory;
  if (!held) {
    return expected && { fault: 'missing', drift, correction: createRow(table, row, expected) };
  }
  if (!expected) {
    return { fault: 'superfluous', drift, correction: deleteRow(table, row, pairs) };
  }
  if (wrong.length === 0) return undefined;
  const fault = wrong.every(isJoining) ? 'missing zone' : 'wrong count';
  return { fault, drift, correction: updateRow(table, row, pairs, wrong) };
}

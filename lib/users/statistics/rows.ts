import type { TableNames } from '../../dynamodb/tables.ts';
import type { TransactionItem } from '../../dynamodb/transact.ts';

/** The key of an item of the Directory table. */
export interface Row {
  pk: string;
  sk: string;
}

/** By how much a row changes: the users it counts, and the attributes that count those of each cell. */
export interface RowChange {
  row: Row;
  n: number;
  cells: Map<string, number>;
  /** Numbers that join a set of the row, by attribute. */
  sets: Map<string, Set<number>>;
}

const isEmpty = ({ n, cells, sets }: RowChange): boolean =>
  n === 0 && [...cells.values()].every((delta) => delta === 0) && sets.size === 0;

/** Adds up changes, so that each row is written once, as a transaction demands. */
export function createRowChanges() {
  const changes = new Map<string, RowChange>();
  const changeOf = (row: Row): RowChange => {
    const key = JSON.stringify([row.pk, row.sk]);
    const change = changes.get(key) ?? { row, n: 0, cells: new Map(), sets: new Map() };
    changes.set(key, change);
    return change;
  };
  return {
    add(row: Row, n: number, cell?: string): void {
      const change = changeOf(row);
      change.n += n;
      if (cell !== undefined) change.cells.set(cell, (change.cells.get(cell) ?? 0) + n);
    },
    join(row: Row, attribute: string, number: number): void {
      const { sets } = changeOf(row);
      sets.set(attribute, (sets.get(attribute) ?? new Set()).add(number));
    },
    /** Those that change anything. */
    all: (): RowChange[] => [...changes.values()].filter((change) => !isEmpty(change)),
  };
}

/** @param moreThan refuse the transaction unless the row counts more users than that */
export function updateRow(tables: TableNames, { row, n, cells, sets }: RowChange, moreThan?: number): TransactionItem {
  const deltas = [['n', n] as const, ...cells, ...sets].filter(([, delta]) => delta !== 0);
  return {
    Update: {
      TableName: tables.directory,
      Key: row,
      UpdateExpression: `ADD ${deltas.map((_, i) => `#a${i} :a${i}`).join(', ')}`,
      ...(moreThan !== undefined && { ConditionExpression: '#n > :moreThan' }),
      ExpressionAttributeNames: {
        ...Object.fromEntries(deltas.map(([attribute], i) => [`#a${i}`, attribute])),
        ...(moreThan !== undefined && { '#n': 'n' }),
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(deltas.map(([, delta], i) => [`:a${i}`, delta])),
        ...(moreThan !== undefined && { ':moreThan': moreThan }),
      },
    },
  };
}

/** Refuses the transaction when the row counts other than `n`; a row that is gone already is no reason to. */
export const deleteRow = (tables: TableNames, row: Row, n: number): TransactionItem => ({
  Delete: {
    TableName: tables.directory,
    Key: row,
    ConditionExpression: 'attribute_not_exists(n) OR n = :n',
    ExpressionAttributeValues: { ':n': n },
  },
});

import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { TableNames } from '../../dynamodb/tables.ts';
import type { TransactionItem } from '../../dynamodb/transact.ts';

/** The key of an item of the Directory table. */
export interface Row {
  pk: string;
  sk: string;
}

/** What a row holds: counts (`n` of all its users, and by cell), and sets of numbers. */
export type RowContent = Readonly<Record<string, unknown>>;

/** By how much the counts of a row change, and which numbers join its sets, by attribute. */
export interface RowChange {
  row: Row;
  counts: Map<string, number>;
  sets: Map<string, Set<number>>;
}

/** Adds up changes, so that each row is written once, as a transaction demands. */
export function createRowChanges() {
  const changes = new Map<string, RowChange>();
  const changeOf = (row: Row): RowChange => {
    const key = JSON.stringify([row.pk, row.sk]);
    const change = changes.get(key) ?? { row, counts: new Map(), sets: new Map() };
    changes.set(key, change);
    return change;
  };
  return {
    add(row: Row, delta: number, ...attributes: string[]): void {
      const { counts } = changeOf(row);
      for (const attribute of attributes) counts.set(attribute, (counts.get(attribute) ?? 0) + delta);
    },
    join(row: Row, attribute: string, number: number): void {
      const { sets } = changeOf(row);
      sets.set(attribute, (sets.get(attribute) ?? new Set()).add(number));
    },
    /** Those that change anything. */
    all: (): RowChange[] =>
      [...changes.values()]
        .map((change) => ({ ...change, counts: new Map([...change.counts].filter(([, delta]) => delta !== 0)) }))
        .filter(({ counts, sets }) => counts.size + sets.size > 0),
  };
}

/** D2. What a row holds, strongly consistent; nothing of a row that is not there. */
export async function readRow(dynamo: DynamoDBDocumentClient, tables: TableNames, row: Row): Promise<RowContent> {
  const key = { pk: row.pk, sk: row.sk };
  const { Item } = await dynamo.send(new GetCommand({ TableName: tables.directory, Key: key, ConsistentRead: true }));
  return Item ?? {};
}

/** Whether a count falls to nothing, given what the row held just before. */
const isEmptied = (held: RowContent, attribute: string, delta: number): boolean =>
  delta < 0 && Number(held[attribute] ?? 0) + delta <= 0;

const deleteRow = (tables: TableNames, row: Row, held: RowContent): TransactionItem => ({
  Delete: {
    TableName: tables.directory,
    Key: row,
    ConditionExpression: 'attribute_not_exists(n) OR n = :n',
    ExpressionAttributeValues: { ':n': held.n ?? 0 },
  },
});

/**
 * The item of a transaction that makes a change. A row whose last user goes is deleted, a count that falls to nothing is
 * removed. The conditions refuse the transaction when another writer has been there since the row was read, so that
 * neither a zero stays behind nor a user goes uncounted.
 *
 * @param held what the row held just before; needed where a count falls
 */
export function rowItem(tables: TableNames, { row, counts, sets }: RowChange, held: RowContent): TransactionItem {
  if (isEmptied(held, 'n', counts.get('n') ?? 0)) return deleteRow(tables, row, held);
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const [adds, removes, conditions]: [string[], string[], string[]] = [[], [], []];
  for (const [i, [attribute, change]] of [...counts, ...sets].entries()) {
    names[`#a${i}`] = attribute;
    if (typeof change === 'number' && isEmptied(held, attribute, change)) {
      removes.push(`#a${i}`);
      conditions.push(`(attribute_not_exists(#a${i}) OR #a${i} = :h${i})`);
      values[`:h${i}`] = held[attribute] ?? 0;
      continue;
    }
    adds.push(`#a${i} :a${i}`);
    values[`:a${i}`] = change;
    if (typeof change !== 'number' || change > 0) continue;
    conditions.push(`#a${i} > :h${i}`);
    values[`:h${i}`] = -change;
  }
  const clause = (verb: string, parts: string[]) => (parts.length > 0 ? [`${verb} ${parts.join(', ')}`] : []);
  return {
    Update: {
      TableName: tables.directory,
      Key: row,
      UpdateExpression: [...clause('ADD', adds), ...clause('REMOVE', removes)].join(' '),
      ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
}

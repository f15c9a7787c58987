/** PartiQL, as far as the service uses it: an INSERT. */
import type { BatchExecuteStatementCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Statement = NonNullable<BatchExecuteStatementCommandInput['Statements']>[number];

const INSERT = /^INSERT INTO "([\w.-]+)" VALUE \{('\w+': \?(?:, '\w+': \?)*)\}$/;

/** A statement as a Put. @throws when it is no INSERT with a key, or has not one value for each name */
export function parseStatement({ Statement: text = '', Parameters = [] }: Statement): Write {
  const [, TableName, list = ''] = INSERT.exec(text) ?? [];
  if (TableName === undefined) throw new Error(`Not a statement of the service: ${text}`);
  const names: readonly string[] = list.match(/\w+/g) ?? [];
  const isEach = names.length === Parameters.length && new Set(names).size === names.length;
  if (!isEach || Parameters.includes(undefined)) throw new Error(`Not a value for each of ${names}`);
  if (!['pk', 'sk'].every((name) => names.includes(name))) throw new Error('No key');
  const Item = Object.fromEntries(names.map((name, i) => [name, Parameters[i]]));
  return { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

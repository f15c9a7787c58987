/** PartiQL, as far as the service uses it: an INSERT, and an UPDATE of an item that has a known revision. Anything else throws. */
import type { BatchExecuteStatementCommandInput, TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
export type Statement = NonNullable<BatchExecuteStatementCommandInput['Statements']>[number];

/** A statement as an item of a transaction, and its error code if the condition fails. */
export interface StatementWrite {
  write: Write;
  refusal: 'DuplicateItem' | 'ConditionalCheckFailed';
}

const KEYS = ['pk', 'sk'];

const INSERT = /^INSERT INTO "([\w.-]+)" VALUE \{('\w+': \?(?:, '\w+': \?)*)\}$/;
const UPDATE =
  /^UPDATE "([\w.-]+)" SET ("\w+" = \?(?:, "\w+" = \?)*) WHERE "pk" = \? AND "sk" = \? AND "revision" = \?$/;

const namesIn = (list: string): string[] => list.match(/\w+/g) ?? [];

/** The values by the names of their attributes. @throws unless each name has one value */
function valuesOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const isEach = names.length === values.length && new Set(names).size === names.length;
  if (!isEach || values.includes(undefined)) throw new Error(`Not a value for each of ${names}`);
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

function insertOf(TableName: string, list: string, values: readonly unknown[]): StatementWrite {
  const Item = valuesOf(namesIn(list), values);
  if (!KEYS.every((name) => name in Item)) throw new Error('No key');
  return {
    write: { Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } },
    refusal: 'DuplicateItem',
  };
}

function updateOf(TableName: string, list: string, values: readonly unknown[]): StatementWrite {
  const names = namesIn(list);
  const changes = valuesOf(names, values.slice(0, names.length));
  const { pk, sk, revision } = valuesOf([...KEYS, 'revision'], values.slice(names.length));
  if (KEYS.some((name) => name in changes)) throw new Error('A key cannot change');
  const Update = {
    TableName,
    Key: { pk, sk },
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
    ConditionExpression: '#revision = :read',
    ExpressionAttributeNames: Object.fromEntries([...names, 'revision'].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [`:${name}`, value])),
      ':read': revision,
    },
  };
  return { write: { Update }, refusal: 'ConditionalCheckFailed' };
}

/** @throws when the statement has neither of the two forms, or a question mark without a value */
export function parseStatement({ Statement: text = '', Parameters = [] }: Statement): StatementWrite {
  const [, into, items = ''] = INSERT.exec(text) ?? [];
  if (into !== undefined) return insertOf(into, items, Parameters);
  const [, table, changes = ''] = UPDATE.exec(text) ?? [];
  if (table !== undefined) return updateOf(table, changes, Parameters);
  throw new Error(`Not a statement of the service: ${text}`);
}

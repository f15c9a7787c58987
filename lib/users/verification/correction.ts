import type { TransactionItem } from '../../dynamodb/transact.ts';
import type { Row } from '../statistics/rows.ts';
import type { Expected } from './tally.ts';

/** An attribute as it is and as it has to be. */
export interface Pair {
  attribute: string;
  held: unknown;
  expected: number | ReadonlySet<number> | undefined;
}

/** An expression has 4 KB, and a row of a common name has an attribute for each of hundreds of statuses and countries. */
const MAX_CORRECTED = 50;
const MAX_GUARDED = 120;

export const isNumbers = (value: unknown): value is ReadonlySet<number> =>
  value instanceof Set && [...value].every((element) => typeof element === 'number');

/** Zones can only be too few; they join what is there, whatever that has become. */
export const isJoining = ({ held, expected }: Pair): boolean =>
  expected instanceof Set && (held === undefined || isNumbers(held));

/** The names and values of an expression, numbered as they come. */
function createPlaceholders() {
  const names = new Map<string, string>();
  const values: Record<string, unknown> = {};
  return {
    name(attribute: string): string {
      const name = names.get(attribute) ?? `#a${names.size}`;
      names.set(attribute, name);
      return name;
    },
    value(value: unknown): string {
      const name = `:v${Object.keys(values).length}`;
      values[name] = value;
      return name;
    },
    all: () => ({
      ExpressionAttributeNames: Object.fromEntries([...names].map(([attribute, name]) => [name, attribute])),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    }),
  };
}

type Placeholders = ReturnType<typeof createPlaceholders>;

/**
 * Holds as long as nobody has written to the row. Every user that comes or goes changes `n` or, within a row of a last
 * name, the attributes of two cells; what is corrected comes first, should there be no room for all.
 */
function guard(pairs: readonly Pair[], wrong: readonly Pair[], { name, value }: Placeholders): string {
  const ordered = new Set([...pairs.filter(({ attribute }) => attribute === 'n'), ...wrong, ...pairs]);
  const compared = [...ordered].filter((pair) => !isJoining(pair) && !isNumbers(pair.held)).slice(0, MAX_GUARDED);
  const clauses = compared.map(({ attribute, held }) =>
    held === undefined ? `attribute_not_exists(${name(attribute)})` : `${name(attribute)} = ${value(held)}`,
  );
  return clauses.join(' AND ');
}

function updateExpression(wrong: readonly Pair[], { name, value }: Placeholders): string {
  const clause = (verb: string, pairs: readonly Pair[], part: (pair: Pair) => string) =>
    pairs.length > 0 ? [`${verb} ${pairs.map(part).join(', ')}`] : [];
  const joining = wrong.filter(isJoining);
  const set = wrong.filter((pair) => !isJoining(pair) && pair.expected !== undefined);
  return [
    ...clause('SET', set, ({ attribute, expected }) => `${name(attribute)} = ${value(expected)}`),
    ...clause('ADD', joining, ({ attribute, expected }) => `${name(attribute)} ${value(expected)}`),
    ...clause(
      'REMOVE',
      wrong.filter(({ expected }) => expected === undefined),
      ({ attribute }) => name(attribute),
    ),
  ].join(' ');
}

/** The row as it has to be, unless somebody else has made one. */
export const createRow = (TableName: string, row: Row, expected: Expected): TransactionItem => ({
  Put: {
    TableName,
    Item: { ...row, ...Object.fromEntries(expected) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Nothing any more, unless somebody has written to the row. */
export function deleteRow(TableName: string, Key: Row, pairs: readonly Pair[]): TransactionItem {
  const placeholders = createPlaceholders();
  // A user that comes gives the row an `n`, also where there is none.
  const n: Pair = { attribute: 'n', held: undefined, expected: undefined };
  const known = pairs.some(({ attribute }) => attribute === 'n') ? pairs : [n, ...pairs];
  return { Delete: { TableName, Key, ConditionExpression: guard(known, [], placeholders), ...placeholders.all() } };
}

/**
 * What is wrong put right, unless somebody has written to the row; nothing else, so that nothing is taken from a writer who
 * went unnoticed. Of hundreds of wrong counts, some at a time.
 */
export function updateRow(
  TableName: string,
  Key: Row,
  pairs: readonly Pair[],
  wrong: readonly Pair[],
): TransactionItem {
  const corrected = wrong.slice(0, MAX_CORRECTED);
  const placeholders = createPlaceholders();
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: updateExpression(corrected, placeholders),
      ConditionExpression: guard(pairs, corrected, placeholders),
      ...placeholders.all(),
    },
  };
}

import type { AttributeDefinition, GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';

/** The part of a table's definition that has its indexes. */
export interface Indexes {
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: { AttributeName: string }[];
  GlobalSecondaryIndexes: GlobalSecondaryIndex[];
}

export interface Step {
  table: Indexes;
  /** The indexes that are left for later deployments. */
  left: string[];
}

const namesOf = (indexes: readonly { IndexName?: string | undefined }[]): string[] =>
  indexes.flatMap(({ IndexName }) => IndexName ?? []);

/** DynamoDB refuses definitions of attributes that no key uses. */
function withIndexes(wanted: Indexes, indexes: GlobalSecondaryIndex[], known: AttributeDefinition[]): Indexes {
  const keys = [...wanted.KeySchema, ...indexes.flatMap(({ KeySchema = [] }) => KeySchema)];
  const used = new Set(keys.map(({ AttributeName }) => AttributeName));
  const definitions = new Map([...wanted.AttributeDefinitions, ...known].map((one) => [one.AttributeName, one]));
  return {
    ...wanted,
    AttributeDefinitions: [...definitions.values()].filter(({ AttributeName }) => used.has(AttributeName)),
    GlobalSecondaryIndexes: indexes,
  };
}

/** The definition in the form of a template. */
const defined = ({ IndexName, KeySchema, Projection }: GlobalSecondaryIndex) => ({ IndexName, KeySchema, Projection });

/**
 * The indexes of a table after one deployment: DynamoDB makes or deletes one index per update. New indexes are made first,
 * because the next version may read them. Then unused ones are deleted.
 *
 * @param deployed what the table has
 */
export function nextStep(wanted: Indexes, deployed: Partial<Indexes>): Step {
  const there = deployed.GlobalSecondaryIndexes ?? [];
  const missing = wanted.GlobalSecondaryIndexes.filter(({ IndexName = '' }) => !namesOf(there).includes(IndexName));
  const surplus = there.filter(({ IndexName = '' }) => !namesOf(wanted.GlobalSecondaryIndexes).includes(IndexName));
  const later = [...missing.slice(1), ...surplus.slice(missing.length === 0 ? 1 : 0)];
  const kept = wanted.GlobalSecondaryIndexes.filter((index) => !missing.slice(1).includes(index));
  const staying = surplus.filter((index) => later.includes(index)).map(defined);
  const table = withIndexes(wanted, [...kept, ...staying], deployed.AttributeDefinitions ?? []);
  return { table, left: namesOf(later) };
}

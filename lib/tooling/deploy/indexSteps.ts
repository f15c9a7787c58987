import type { AttributeDefinition, GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';

/** The part of a table that its indexes are in. */
export interface Indexes {
  AttributeDefinitions: AttributeDefinition[];
  KeySchema: { AttributeName: string }[];
  GlobalSecondaryIndexes: GlobalSecondaryIndex[];
}

export interface Step {
  table: Indexes;
  /** The indexes that are left for the deployments after this one. */
  left: string[];
}

const namesOf = (indexes: readonly { IndexName?: string | undefined }[]): string[] =>
  indexes.flatMap(({ IndexName }) => IndexName ?? []);

/** DynamoDB refuses definitions of attributes that are in no key. */
function withIndexes(wanted: Indexes, indexes: GlobalSecondaryIndex[], known: AttributeDefinition[]): Indexes {
  const used = new Set(
    [...wanted.KeySchema, ...indexes.flatMap(({ KeySchema = [] }) => KeySchema)].map(
      ({ AttributeName }) => AttributeName,
    ),
  );
  const definitions = new Map([...wanted.AttributeDefinitions, ...known].map((one) => [one.AttributeName, one]));
  return {
    ...wanted,
    AttributeDefinitions: [...definitions.values()].filter(({ AttributeName }) => used.has(AttributeName)),
    GlobalSecondaryIndexes: indexes,
  };
}

/** As a template has it. */
const defined = ({ IndexName, KeySchema, Projection }: GlobalSecondaryIndex): GlobalSecondaryIndex => ({
  IndexName,
  KeySchema,
  Projection,
});

/**
 * How far one deployment brings the indexes of a table: DynamoDB makes or deletes one an update. New ones come first, as
 * what is deployed next may ask them; then those go that nothing asks any more.
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

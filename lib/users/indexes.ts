import type { ExactField } from './user.ts';

/** An index of the Users table: the users of one value, or all of them, by id. It serves the cursor variant only. */
export interface UsersIndex {
  name: string;
  /** The attribute that is the partition key. */
  partitionKey: ExactField | 'entity';
}

/** Fields need none: all but walks by id is answered from the replica. */
export const USERS_INDEXES = [
  { name: 'byId', partitionKey: 'entity' },
  { name: 'byStatus', partitionKey: 'status' },
  { name: 'byCountry', partitionKey: 'country' },
] as const satisfies readonly UsersIndex[];

const keyOf = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });

/** The part of the table's definition that follows from the indexes, in the form of CloudFormation and CreateTable. */
export const usersTableSchema = () => ({
  AttributeDefinitions: ['id', ...USERS_INDEXES.map(({ partitionKey }) => partitionKey)].map((AttributeName) => ({
    AttributeName,
    AttributeType: AttributeName === 'id' ? 'N' : 'S',
  })),
  KeySchema: [keyOf('id', 'HASH')],
  GlobalSecondaryIndexes: USERS_INDEXES.map(({ name, partitionKey }) => ({
    IndexName: name,
    KeySchema: [keyOf(partitionKey, 'HASH'), keyOf('id', 'RANGE')],
    Projection: { ProjectionType: 'ALL' },
  })),
});

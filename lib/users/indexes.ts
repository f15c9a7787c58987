import {
  type ExactField,
  FIELDS,
  FIELDS_LISTED_IN_EVERY_ORDER,
  KEYED_FIELDS,
  ORDERED_FIELDS,
  type OrderedField,
} from './fields.ts';

/**
 * An index of the Users table. It has one partition per combination of filter values, or one for all users if it has
 * no filters. Each partition is in the order of a field or of ids; users with the same order text are in the order of ids.
 */
export interface UsersIndex {
  name: string;
  /** A name of one or two characters, for what every list reads. */
  short: string;
  filters: readonly ExactField[];
  order: OrderedField | 'id';
  partitionKey: string;
  sortKey: string;
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The short names of fields are letters. */
const SHORT_ID = '#';

/** The attribute that holds the order key of a field. */
export const orderAttribute = (field: OrderedField): string => `${FIELDS[field].short}Key`;

/** The attribute that holds the values of some filters. Without filters it holds a constant. */
export const partitionAttribute = (filters: readonly ExactField[]): string =>
  filters.length === 0 ? 'k' : `${filters.map((field) => FIELDS[field].short).join('')}Part`;

const indexOf = (filters: readonly ExactField[], order: OrderedField | 'id'): UsersIndex => ({
  name: `by${[...filters, order].map(capitalized).join('And')}`,
  short: [...filters, order].map((each) => (each === 'id' ? SHORT_ID : FIELDS[each].short)).join(''),
  filters,
  order,
  partitionKey: partitionAttribute(filters),
  sortKey: order === 'id' ? 'id' : orderAttribute(order),
});

/**
 * All users by id and by each ordered field, and the users of each value of some fields by each other field. A filter is a part
 * of such an index: the users with one text. DynamoDB allows 20 indexes by default.
 */
const indexesBy = (ordered: readonly OrderedField[]): UsersIndex[] => [
  indexOf([], 'id'),
  ...ordered.map((field) => indexOf([], field)),
  ...FIELDS_LISTED_IN_EVERY_ORDER.flatMap((filter) =>
    ordered.filter((field) => field !== filter).map((field) => indexOf([filter], field)),
  ),
];

/** The indexes that listings read. */
export const USERS_INDEXES: readonly UsersIndex[] = indexesBy(ORDERED_FIELDS);

/** The indexes that the table has, also while they are still being filled. */
const TABLE_INDEXES: readonly UsersIndex[] = indexesBy(KEYED_FIELDS);

/** The part of the table's definition that follows from the indexes, in the form of CloudFormation and CreateTable. */
export const usersTableSchema = () => ({
  AttributeDefinitions: [...new Set(TABLE_INDEXES.flatMap(({ partitionKey, sortKey }) => [sortKey, partitionKey]))].map(
    (AttributeName) => ({ AttributeName, AttributeType: AttributeName === 'id' ? 'N' : 'S' }),
  ),
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: TABLE_INDEXES.map(({ name, partitionKey, sortKey }) => ({
    IndexName: name,
    KeySchema: [
      { AttributeName: partitionKey, KeyType: 'HASH' },
      { AttributeName: sortKey, KeyType: 'RANGE' },
    ],
    // The whole user, with any future fields, but none of the order keys: a page of 20 costs about one read unit.
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['v', 'f'] },
  })),
});

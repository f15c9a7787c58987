import { expect, test } from 'vitest';
import { USERS_INDEXES, usersTableSchema } from '../../../lib/users/indexes.ts';
import { indexKeys } from '../../../lib/users/keys.ts';

test('indexes have all users in an order, or those of a country, and short names that are no name of an index', () => {
  const told = USERS_INDEXES.map((each) => [each.name, each.short, each.partitionKey, each.sortKey].join(' '));
  expect(told).toEqual(
    expect.arrayContaining([
      'byId # k id',
      'byName n k nKey',
      'byCountry c k cKey',
      'byCountryAndStatus cs cPart sKey',
    ]),
  );
  const all = USERS_INDEXES.flatMap(({ name, short }) => [name, short]);
  expect(new Set(all).size).toBe(all.length);
});

test('the schema of the table defines every attribute that is a key, a user has all of them, and indexes have all fields', () => {
  const { AttributeDefinitions, GlobalSecondaryIndexes } = usersTableSchema();
  const defined = AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`);
  const written = Object.keys(indexKeys({ id: 1, version: 1, name: 'Ann' })).map((attribute) => `${attribute} S`);
  expect(defined.toSorted()).toEqual([...written, 'id N'].toSorted());
  for (const { Projection } of GlobalSecondaryIndexes)
    expect(Projection).toEqual({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['v', 'f'] });
});

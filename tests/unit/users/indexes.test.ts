import { describe, expect, test } from 'vitest';
import { USERS_INDEXES, usersTableSchema } from '../../../lib/users/indexes.ts';
import { indexKeys } from '../../../lib/users/keys.ts';

describe('indexes', () => {
  test('are these', () => {
    expect(USERS_INDEXES.map(({ name, partitionKey, sortKey }) => `${name}: ${partitionKey}, ${sortKey}`)).toEqual([
      'byId: k, id',
      'byName: k, nKey',
      'byEmail: k, eKey',
      'byAge: k, aKey',
      'byFirstName: k, fKey',
      'byLastName: k, lKey',
      'byStatus: k, sKey',
      'byCountry: k, cKey',
      'byCountryAndName: cPart, nKey',
      'byCountryAndEmail: cPart, eKey',
      'byCountryAndAge: cPart, aKey',
      'byCountryAndFirstName: cPart, fKey',
      'byCountryAndLastName: cPart, lKey',
      'byCountryAndStatus: cPart, sKey',
    ]);
  });
});

test('short names of indexes are unique, and no name of an index', () => {
  const all = USERS_INDEXES.flatMap(({ name, short }) => [name, short]);
  expect(new Set(all).size).toBe(all.length);
  expect(all.join()).toMatch(/^byId,#,byName,n,.*,byCountryAndStatus,cs$/);
});

describe('the schema of the table', () => {
  const schema = usersTableSchema();

  test('defines every attribute that is a key, and a user has all of them', () => {
    const defined = schema.AttributeDefinitions.map(
      ({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`,
    );
    const written = Object.keys(indexKeys({ id: 1, version: 1, name: 'Ann' })).map((attribute) => `${attribute} S`);
    expect(defined.toSorted()).toEqual([...written, 'id N'].toSorted());
    expect(defined).toHaveLength(10);
  });

  test('projects all fields as one attribute', () => {
    expect(schema.GlobalSecondaryIndexes).toHaveLength(14);
    for (const { Projection } of schema.GlobalSecondaryIndexes) {
      expect(Projection).toEqual({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['v', 'f'] });
    }
  });
});

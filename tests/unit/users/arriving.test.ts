import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('../../../lib/users/fields.ts');
  vi.resetModules();
});

/** Loads the modules as they are while the indexes of the field age are being made. */
async function whileAgeArrives() {
  vi.resetModules();
  vi.doMock('../../../lib/users/fields.ts', async (load) => {
    const fields = await load<typeof import('../../../lib/users/fields.ts')>();
    return { ...fields, ORDERED_FIELDS: fields.ORDERED_FIELDS.filter((field) => field !== 'age') };
  });
  const [indexes, keys, lists, listingRules] = await Promise.all([
    import('../../../lib/users/indexes.ts'),
    import('../../../lib/users/keys.ts'),
    import('../../../lib/users/lists.ts'),
    import('../../../lib/http/listingRules.ts'),
  ]);
  return { ...indexes, ...keys, ...lists, ...listingRules };
}

const USER = { id: 7, version: 1, name: 'Ann', age: 30 };

test('an arriving field has indexes and keys, but no listing uses it', async () => {
  const { usersTableSchema, indexKeys, ANY_FIELD, USERS_INDEXES, indexesOf, LISTINGS } = await whileAgeArrives();
  const made = usersTableSchema().GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  expect(made).toEqual(expect.arrayContaining(['byAge', 'byCountryAndAge']));
  expect(indexKeys(USER)).toHaveProperty('aKey');
  const used = [...USERS_INDEXES, ...Object.values(LISTINGS).flatMap((rules) => indexesOf(rules))].map(
    ({ name }) => name,
  );
  expect(used.filter((name) => name.includes('Age'))).toEqual([]);
  expect(ANY_FIELD.properties).not.toContain('age');
});

import { expect, test } from 'vitest';
import { systemRuntime } from '../../../../lib/runtime.ts';
import { USERS_INDEXES } from '../../../../lib/users/indexes.ts';
import { listOf } from '../../../../lib/users/lists.ts';
import { SIZES } from '../../../../lib/users/sizes.ts';
import { publish, readSegmented } from '../../../../lib/users/statistics/segmented.ts';
import { FakeStore, TABLES } from '../../../support/fake/store.ts';

const COUNTRIES = Array.from({ length: 150 }, (_, i) =>
  String.fromCharCode(65 + (i % 26), (i % 2 === 0 ? 65 : 97) + Math.floor(i / 26)),
);
const STATUSES = ['active', 'locked', 'Z'];

const ALWAYS = {
  ConditionCheck: {
    TableName: TABLES.directory,
    Key: { pk: 'nobody', sk: '-' },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
};

test('the level of each list stays known, also beside lists whose values begin like its own', async () => {
  const store = new FakeStore({ now: () => 1_790_000_000_000 });
  const database = { dynamo: store.client(), tables: TABLES, runtime: systemRuntime, sizes: SIZES };
  const values = STATUSES.flatMap((status) => COUNTRIES.map((country) => ({ status, country })));
  const lists = [
    ...new Map(
      values
        .flatMap((each) => USERS_INDEXES.map((index) => listOf(index, each)))
        .map((list) => [`${list.index.name}:${list.partition}`, list]),
    ).values(),
  ];
  for (const [i, list] of lists.entries()) {
    expect(await publish(database, ALWAYS, list, i % 2 === 0 ? 1 : 2, [])).toBe('committed');
  }
  expect(store.itemsOf('directory').length).toBeGreaterThan(2);
  const levelOf = await readSegmented(database);
  expect(lists.length).toBeGreaterThan(400);
  expect(lists.filter((list, i) => levelOf(list) !== (i % 2 === 0 ? 1 : 2))).toEqual([]);
});

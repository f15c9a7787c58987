import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { countsOf, recountOf } from '../../support/recount.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

type Item = Record<string, unknown>;

async function itemsOf({ dynamo, tables }: TestService, table: 'users' | 'directory'): Promise<Item[]> {
  const items: Item[] = [];
  const input = { TableName: tables[table], ConsistentRead: true };
  let ExclusiveStartKey: Item | undefined;
  do {
    const response = await dynamo.send(new ScanCommand({ ...input, ExclusiveStartKey }));
    items.push(...(response.Items ?? []));
    ExclusiveStartKey = response.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items;
}

test('statistics equal a recount after 700 parallel writes of 25 writers, and no update is lost', async () => {
  const service = await serviceOn.embedded();
  const { users } = service;
  const statuses = ['active', 'locked', undefined];
  const countries = ['DE', 'FR'];
  const pick = <Value>(values: Value[], n: number) => values[n % values.length] as Value;
  const fields = (n: number) => {
    const status = pick(statuses, n);
    return {
      name: `User ${n}`,
      lastName: pick(['Lee', 'Ley', 'Øst', `Rare${n}`], n),
      country: pick(countries, n),
      ...(status !== undefined && { status }),
    };
  };
  const shared = (await users.createMany(Array.from({ length: 10 }, (_, n) => ({ ...fields(n), age: 0 })))).map(
    ({ id }) => id,
  );
  let increments = 0;
  let kept = shared.length;
  async function writer(w: number): Promise<void> {
    for (let n = 0; n < 5; n++) {
      const { id } = await users.create(fields(w + n));
      await users.update(id, () => fields(w + n + 1));
      if (n % 2 === 0) await users.delete(id);
      else kept++;
      await users.update(pick(shared, w + n), (current) => ({
        ...current,
        age: (current.age ?? 0) + 1,
        ...fields(w * n),
      }));
      increments++;
    }
  }
  const folds = [service, await serviceOn.embedded({ tables: service.tables })];
  const writers = Promise.all(Array.from({ length: 25 }, (_, w) => writer(w)));
  await Promise.all([writers, ...folds.map(({ fold }) => fold())]);
  await service.fold();

  const items = await itemsOf(service, 'users');
  const directory = await itemsOf(service, 'directory');
  expect(items).toHaveLength(kept);
  expect(directory.filter(({ pk }) => pk === 'journal').map(({ sk }) => sk)).toEqual(['#head']);
  expect(countsOf(directory)).toMatchObject({ counts: recountOf(items), total: kept });
  const ages = await Promise.all(shared.map(async (id) => (await users.get(id)).age ?? 0));
  expect(ages.reduce((sum, age) => sum + age, 0)).toBe(increments);
});

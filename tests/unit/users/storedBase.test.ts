import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { people } from '../../../bench/people.ts';
import { unavailable } from '../../../lib/errors.ts';
import { readHead } from '../../../lib/users/journal/items.ts';
import { loadBase } from '../../../lib/users/storedBase.ts';
import { serviceOn } from '../../support/service.ts';

const service = serviceOn.memory({ limits: { partBytes: 500, basePartitions: 16 } });
const source = people(1);
await service.users.createMany(Array.from({ length: 300 }, () => source.next().value));
await service.fold();
const { base: stored } = (await readHead(service)) ?? {};

/** What a load ends with, and how each of its calls was consistent, if some answers lack an item. */
async function load(lacks: (isStrong: boolean) => boolean) {
  const strong: boolean[] = [];
  let lost = 0;
  const database = service.databaseOf(async ({ input }, execute) => {
    const isStrong = (input as QueryCommandInput).ConsistentRead === true;
    strong.push(isStrong);
    const page = (await execute()) as { Items: unknown[] };
    const isWhole = !lacks(isStrong) || lost++ % 16 > 0;
    return isWhole ? page : { ...page, Items: page.Items.slice(1) };
  });
  const found = stored ? await loadBase(database, stored) : 'missing';
  return { users: typeof found === 'string' ? found : found.size, strong };
}

const WEAK = Array(16).fill(false);
const STRONG = Array(16).fill(true);

test('the parts of a base are read eventually consistent, and all again, strongly, if one is missing', async () => {
  expect(stored?.parts).toBeGreaterThan(16);
  expect(await load(() => false)).toEqual({ users: 300, strong: WEAK });
  expect(await load((isStrong) => !isStrong)).toEqual({ users: 300, strong: [...WEAK, ...STRONG] });
  expect(await load(() => true)).toEqual({ users: 'missing', strong: [...WEAK, ...STRONG] });
});

test('parts that a table refuses for as long as a function has are read in the end, and none of them twice', async () => {
  let calls = 0;
  const database = service.databaseOf(async (_, execute) => {
    if (++calls <= 16 * 30) throw unavailable('The table has no units left');
    return execute();
  });
  const found = stored && (await loadBase(database, stored));
  expect([typeof found === 'object' && found.size, calls]).toEqual([300, 16 * 31]);
});

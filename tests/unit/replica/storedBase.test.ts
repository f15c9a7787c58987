import type { BatchGetCommandInput, BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../../lib/dynamodb/index.ts';
import { unavailable } from '../../../lib/ground/index.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { loadBase } from '../../../lib/replica/storedBase.ts';
import { people } from '../../../tools/samples/people.ts';
import { serviceOn } from '../../support/service.ts';

const service = serviceOn.memory({ limits: { partBytes: 500, basePartitions: 16 } });
const source = people(1);
await service.users.createMany(Array.from({ length: 300 }, () => source.next().value));
await service.fold();
const { base: stored } = (await readHead(service)) ?? {};
const { parts = 0 } = stored ?? {};

const partOf = ({ sk }: Item) => Number(String(sk).slice(-6));
type Read = (keys: readonly Item[]) => Promise<BatchGetCommandOutput>;

/** The result of a load whose calls are answered by `answer`: each reads some of the parts that it is asked for. */
async function load(answer: (keys: readonly Item[], isStrong: boolean, read: Read) => Promise<unknown>) {
  const database = service.databaseOf(({ command, input }) => {
    const { Keys: asked = [], ConsistentRead } = (input as BatchGetCommandInput).RequestItems?.directory ?? {};
    const inputOf = (Keys: readonly Item[]) => ({ RequestItems: { directory: { Keys, ConsistentRead } } });
    const read = (keys: readonly Item[]) => service.store.execute({ command, input: inputOf(keys) });
    return answer(asked, ConsistentRead === true, read as Read);
  });
  const found = stored ? await loadBase(database, stored) : 'missing';
  return typeof found === 'string' ? found : found.total;
}

test.each([
  ['as they were some time ago', [], 300, [parts, 0]],
  ['all again, strongly, if one is missing', [false], 300, [parts - 1, parts]],
  ['no third time', [false, true], 'missing', [parts - 1, parts - 1]],
])('the parts of a base are read %s', async (_, lacking, users, counts) => {
  const found = [0, 0];
  const result = await load(async (keys, isStrong, read) => {
    const output = await read(keys);
    const items = output.Responses?.directory ?? [];
    if (lacking.includes(isStrong) && found[Number(isStrong)] === 0) items.pop();
    found[Number(isStrong)] = (found[Number(isStrong)] ?? 0) + items.length;
    return output;
  });
  expect([parts > 16, result, found]).toEqual([true, users, counts]);
});

test('parts that a table refuses for as long as a function has are read in the end, two calls at a time, and none of the others twice', async () => {
  const asked = Array<number>(parts).fill(0);
  const calls = { now: 0, most: 0 };
  const isRefused = (key: Item) => partOf(key) % 10 === 3 && (asked[partOf(key)] ?? 0) < 31;
  const users = await load(async (keys, _, read) => {
    for (const key of keys) asked[partOf(key)] = (asked[partOf(key)] ?? 0) + 1;
    calls.most = Math.max(calls.most, ++calls.now);
    await Promise.resolve();
    calls.now--;
    const isWhole = keys.every((key) => partOf(key) === 13 && isRefused(key));
    if (isWhole) throw unavailable('The partition has no units left');
    const output = await read(keys.filter((key) => !isRefused(key)));
    const Keys = [...(output.UnprocessedKeys?.directory?.Keys ?? []), ...keys.filter(isRefused)];
    return { ...output, UnprocessedKeys: { directory: { Keys } } };
  });
  const others = asked.filter((_, part) => part % 10 !== 3);
  expect([users, asked[3], asked[13], Math.max(...others), calls.most]).toEqual([300, 31, 31, 2, 2]);
});

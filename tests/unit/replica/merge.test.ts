import { describe, expect, test } from 'vitest';
import { putItems } from '../../../lib/dynamodb/index.ts';
import { deltaKey } from '../../../lib/replica/deltas.ts';
import type { HeadWithBase } from '../../../lib/replica/head.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { isMergeDue } from '../../../lib/replica/merge.ts';
import type { Limits } from '../../../lib/users/database.ts';
import { named } from '../../support/fake/steps.ts';
import { askNames } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;
const AT = 1_790_000_000_000;

test.each<[what: string, isDue: boolean, users: number, changed: number, since: number, mergeAsked?: number]>([
  ['two thousand of few users have changed', true, 100, 2_000, 1],
  ['fewer have', false, 100, 1_999, 1],
  ['five percent of many users have changed', true, 100_000, 5_000, 1],
  ['fewer have', false, 100_000, 4_999, 1],
  ['two and a half percent of very many have', true, 600_000, 15_001, 1],
  ['fewer have', false, 600_000, 14_999, 1],
  ['five percent of fewer have not', false, 499_999, 24_999, 1],
  ['a week is over, and one user has changed', true, 100, 1, WEEK_MS + 1],
  ['a week is not over', false, 100, 1, WEEK_MS],
  ['an erasure is five minutes old', true, 100, 1, 6 * MINUTE_MS, AT + MINUTE_MS],
  ['an erasure is younger: the entries may be in the journal still', false, 100, 1, 5 * MINUTE_MS, AT + MINUTE_MS],
  ['people have been erased for fifteen minutes', true, 100, 1, 16 * MINUTE_MS, AT + 15 * MINUTE_MS],
  ['the base was made after an erasure', false, 100, 1, MINUTE_MS, AT - 5 * MINUTE_MS],
])('of a base, when %s: %s', (_, isDue, users, changed, since, mergeAsked = 0) => {
  const { database } = serviceOn.memory();
  const base = { name: 'b', epoch: 7, users, parts: 1, checksum: 0, unpacked: 0, at: AT };
  const head = { base, epoch: 8, changed, mergeAsked } as HeadWithBase;
  expect(isMergeDue(database, head, AT + since)).toBe(isDue);
  expect(isMergeDue(database, { ...head, epoch: 7 }, AT + since)).toBe(false);
});

const partitions = ({ store }: MemoryService) =>
  store
    .itemsOf('directory')
    .flatMap(({ pk }) => (/^(base|deltas)/.test(String(pk)) ? [String(pk)] : []))
    .sort();

const baseOf = async ({ database }: MemoryService) => (await readHead(database))?.base;

/** A stage with a base of nobody, and a delta with users that are enough for the next base. */
async function stage(limits: Partial<Limits> = {}) {
  const service = serviceOn.memory({ limits: { mergeLeast: 2, ...limits } });
  await service.fold();
  const empty = await baseOf(service);
  await service.users.createMany(named('a', 'b'));
  return { ...service, empty };
}

describe('the next base', () => {
  test('has all users until its epoch, and what was before is swept ten minutes later', async () => {
    const service = await stage();
    const { fold, pass, empty, listing } = service;
    await fold();
    const base = await baseOf(service);
    expect([empty?.users, base?.users, base?.epoch]).toEqual([0, 2, (empty?.epoch ?? 0) + 1]);
    expect(partitions(service)).toEqual(['base:0', 'base:0', 'deltas']);
    pass(10 * MINUTE_MS - 1);
    await fold();
    expect(partitions(service)).toHaveLength(3);
    pass(1);
    await fold();
    expect(partitions(service)).toEqual(['base:0']);
    expect(await askNames(listing)).toMatchObject({ total: 2 });
    expect(await readHead(service.database)).toMatchObject({ base, changed: 0 });
  });

  test('is made once, also where its merge has found entries: who goes on counts from it', async () => {
    const { database, fold, users } = serviceOn.memory({ limits: { mergeLeast: 2, batchEntries: 2 } });
    await fold();
    await users.createMany(named('a', 'b', 'c'));
    await fold();
    expect(await readHead(database)).toMatchObject({ base: { users: 3 }, changed: 1 });
  });

  test('is swept with the parts of the one after it, also if no head has ever named it', async () => {
    const service = await stage();
    const { fold, pass, database, empty, users } = service;
    const sk = `${String(empty?.epoch).padStart(16, '0')}-dead-000007`;
    await putItems(database, 'directory', [{ pk: 'base:7', sk }]);
    await fold();
    pass(10 * MINUTE_MS);
    await fold();
    expect(partitions(service)).toEqual(['base:0']);
    await users.createMany(named('c'));
    await fold();
    expect(partitions(service)).toEqual(['base:0', 'deltas']);
  });

  test('is swept with all copies of deltas, wherever a version with other limits has put them', async () => {
    const service = await stage({ manyUsers: 0 });
    const { fold, pass, database, empty } = service;
    await fold();
    await putItems(database, 'directory', [{ pk: 'deltas:15', sk: deltaKey(Number(empty?.epoch), 0) }]);
    expect(partitions(service)).toEqual([
      'base:0',
      'base:0',
      'deltas',
      expect.stringMatching(/^deltas:\d+$/),
      'deltas:15',
    ]);
    pass(10 * MINUTE_MS);
    await fold();
    expect(partitions(service)).toEqual(['base:0']);
  });
});

test('the epoch of a new head is above that of a copy of a delta, too: it must not pass for one of its own', async () => {
  const { database, fold } = serviceOn.memory();
  await putItems(database, 'directory', [{ pk: 'deltas:7', sk: deltaKey(AT + 9_000, 0) }]);
  await fold();
  expect(await readHead(database)).toMatchObject({ epoch: AT + 9_001 });
});

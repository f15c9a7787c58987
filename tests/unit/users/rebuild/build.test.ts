import { describe, expect, test } from 'vitest';
import { treeOf } from '../../../../lib/users/counts/maps.ts';
import { SEGMENT_MAPS } from '../../../../lib/users/counts/segments.ts';
import { buildGeneration, listsIn } from '../../../../lib/users/rebuild/build.ts';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { rowsOf } from '../../../../lib/users/tree/read.ts';
import { partitionOf } from '../../../../lib/users/tree/tree.ts';
import type { User } from '../../../../lib/users/user.ts';
import { NOTHING_WRONG } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

/** Many users with the same last name, different statuses, and twenty countries: one row with many numbers. */
const alike = Array.from(
  { length: 60 },
  (_, i): User => ({
    id: i + 1,
    version: 1,
    name: `n${i % 7}`,
    lastName: 'Lee',
    status: `s${i}`,
    country: `C${i % 20}`,
  }),
);

describe('statistics that are built for some users', () => {
  test('have sums that begin where a node of segments or a list begins', async () => {
    const { database, store } = serviceOn.memory({ sizes: { nodeBytes: 100, segmentUsers: 4, sumUsers: 12 } });
    const tree = treeOf(database, 'new');
    await buildGeneration(database, tree, 1, alike, () => {});
    for (const { index, level, map } of SEGMENT_MAPS.filter((each) => each.level === 'sums')) {
      const partition = partitionOf('new', `segments:${index.name}`);
      const bounds = store.itemsOf('directory').flatMap(({ pk, sk }) => (pk === partition ? [sk] : []));
      const starts =
        index.filters.length === 0 ? ['\0'] : listsIn(index, alike).map(({ list }) => `${list.partition}\0`);
      const sums = rowsOf(await readNodes(tree, map.name, WHOLE_MAP));
      expect(sums.length).toBeGreaterThan(1);
      expect([level, sums.filter(({ key }) => !bounds.includes(key) && !starts.includes(key))]).toEqual(['sums', []]);
    }
  });

  test('are not overwritten by an attempt that arrives after a fold has added to them', async () => {
    const given = serviceOn.memory();
    await given.users.createMany(['Lee', 'Li'].map((lastName) => ({ name: 'Ann', lastName })));
    await given.fold();
    const late: (() => Promise<unknown>)[] = [];
    const slow = given.databaseOf((call, execute) => {
      if (call.command === 'BatchExecuteStatementCommand' || call.command === 'BatchWriteCommand') late.push(execute);
      return execute();
    });
    await verify(slow, { always: true, keepOldMs: 1_000 });
    await given.users.createMany([{ name: 'Ann', lastName: 'Lo', status: 'new' }]);
    await given.fold();
    expect(late.length).toBeGreaterThan(0);
    for (const again of late) await again().catch(() => {});
    expect(await verify(given.database)).toMatchObject({ users: 3, ...NOTHING_WRONG });
  });
});

import { expect, test } from 'vitest';
import { treeOf } from '../../../../lib/users/counts/maps.ts';
import { countBefore, readTotals } from '../../../../lib/users/counts/totals.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { encodeOptional } from '../../../../lib/users/keys.ts';
import { serviceOn } from '../../../support/service.ts';

test('the number of users with an earlier value is not told where it would cost more than a read unit', async () => {
  const { users, fold, database } = serviceOn.memory({ sizes: { nodeBytes: 60 } });
  const values = Array.from({ length: 60 }, (_, n) => `status ${String(n).padStart(2, '0')}`);
  await users.createMany(values.map((status) => ({ name: 'a', status, country: 'FR' })));
  await fold();
  await withJournal(database, async (journal) => {
    const tree = treeOf(database, journal.generation);
    const earlier = (within: object, text: string) => countBefore(tree, journal, 'status', within, text);
    expect(await earlier({}, 'status 03')).toBe(3);
    expect(await earlier({ country: 'FR' }, 'status 03')).toBe(3);
    expect(await earlier({}, 'status 59')).toBeUndefined();
    expect(await earlier({ country: 'FR' }, 'status 59')).toBeUndefined();
  });
});

test('totals of neighbours are in one node, and those of other nodes are read side by side', async () => {
  const { users, fold, databaseOf } = serviceOn.memory({ sizes: { nodeBytes: 60 } });
  const values = Array.from({ length: 40 }, (_, n) => `status ${String(n).padStart(2, '0')}`);
  await users.createMany(
    values.flatMap((status, n) => Array.from({ length: 1 + (n % 3) }, () => ({ name: 'a', status }))),
  );
  await fold();
  let calls = 0;
  const database = databaseOf((_, execute) => {
    calls++;
    return execute();
  });
  const read = (asked: string[]) =>
    withJournal(database, async (journal) => {
      calls = 0;
      const tree = treeOf(database, journal.generation);
      return {
        totals: await readTotals(
          tree,
          journal,
          asked.map((status) => ({ status: encodeOptional(status) })),
        ),
        calls,
      };
    });
  expect(await read(['status 01', 'status 00'])).toEqual({ totals: [2, 1], calls: 1 });
  const all = await read([...values.toReversed(), 'nobody']);
  expect(all.totals).toEqual([...values.map((_, n) => 1 + (n % 3)).toReversed(), 0]);
  expect(all.calls).toBeGreaterThan(5);
  expect(await read([])).toEqual({ totals: [], calls: 0 });
});

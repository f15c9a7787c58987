import { expect, test } from 'vitest';
import { treeOf } from '../../../../lib/users/counts/maps.ts';
import { countBefore } from '../../../../lib/users/counts/totals.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
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

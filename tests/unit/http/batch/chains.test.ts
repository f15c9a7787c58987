import { expect, test } from 'vitest';
import { chainsOf } from '../../../../lib/http/batch/chains.ts';

test('operations that name the same user are in one chain, in their order; one that names two users joins their chains', () => {
  const operations = [
    ...[{ id: 1 }, { externalId: '1' }, { id: 2 }, { user: { externalId: 'b' } }, { externalId: 'b' }],
    ...[{ id: 1, patch: { externalId: '1' } }, null, { id: 1 }, { user: { name: 'Ann' } }],
  ];
  const chains = chainsOf(operations).toSorted(([a = 0], [b = 0]) => a - b);
  expect(chains).toEqual([[0, 1, 5, 7], [2], [3, 4], [6], [8]]);
});

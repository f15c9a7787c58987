import { expect, test } from 'vitest';
import type { SortKey } from '../../../../lib/columns/asked/sortKey.ts';
import { topK } from '../../../../lib/columns/asked/topK.ts';
import { arena } from '../../../../lib/columns/work/arena.ts';
import { NO_LIMIT } from '../../../../lib/columns/work/chunks.ts';

const ROWS = 20_000;

test('a page in the middle of an order is found in a few passes of the rows, of which only some are sorted', () => {
  let looks = 0;
  const keyOf = (row: number): number => {
    looks++;
    return (row * 7_919) % ROWS;
  };
  const sortKey = { descending: false, end: 2 * ROWS + 2, keyOf, keysFor: () => undefined } as Partial<SortKey>;
  const sorting = {
    size: ROWS,
    sortKeys: [sortKey as SortKey],
    sizes: { few: 64, bins: 256, cells: 1 },
    work: NO_LIMIT,
  };
  const items = Uint32Array.from({ length: ROWS }, (_, row) => row);
  arena.begin();
  const page = topK(sorting, { items, rank: 0, lowest: 0, end: 2 * ROWS + 2 }, [10_000, 10_020]);
  expect(Array.from(page, keyOf)).toEqual(Array.from({ length: 20 }, (_, i) => 10_000 + i));
  expect(looks).toBeLessThan(2 * ROWS);
});

import { describe, expect, test } from 'vitest';
import { createNodeCache } from '../../../../lib/users/tree/cache.ts';
import type { Node } from '../../../../lib/users/tree/tree.ts';

const node = (sk: string, end?: string, revision = 1, pk = 'g1:a'): Node => ({
  pk,
  sk,
  end,
  epoch: 1,
  revision,
  data: new Uint8Array(),
});

describe('a cache of nodes', () => {
  test('keeps the newest state of a node until it is told to forget it', () => {
    const cache = createNodeCache();
    for (const revision of [1, 3, 2]) cache.keep(node('\0', undefined, revision));
    expect(cache.floor('g1:a', 'b')?.revision).toBe(3);
    for (const each of [node('\0'), node('\0'), node('x', undefined, 1, 'g1:unknown')]) cache.forget(each);
    expect(cache.floor('g1:a', 'b')).toBeUndefined();
    cache.keep(node('\0', undefined, 1));
    expect(cache.floor('g1:a', 'b')?.revision).toBe(1);
  });

  test('drops the map that was not used for the longest time, so that it does not grow without end', () => {
    const cache = createNodeCache(10_000);
    const fill = (pk: string) => {
      for (let i = 0; i < 5; i++) cache.keep(node(String(i), String(i + 1), 1, pk));
    };
    const kept = () => ['g1:a', 'g1:b', 'g1:c'].filter((pk) => cache.floor(pk, '3'));
    for (const pk of ['g1:a', 'g1:b', 'g1:c']) fill(pk);
    expect(kept()).toEqual(['g1:a', 'g1:b', 'g1:c']);
    cache.floor('g1:a', '0');
    fill('g1:d');
    expect(kept()).toEqual(['g1:a', 'g1:c']);
    cache.keep({ ...node('0', undefined, 1, 'g1:e'), data: new Uint8Array(10_000) });
    expect(kept()).toEqual([]);
  });
});

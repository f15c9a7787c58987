import { describe, expect, test } from 'vitest';
import { createNodeCache } from '../../../../lib/users/tree/cache.ts';
import { readFloor, readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { pack } from '../../../../lib/users/tree/pack.ts';
import { rowsOf } from '../../../../lib/users/tree/read.ts';
import type { Row } from '../../../../lib/users/tree/rows.ts';
import type { Node, Tree } from '../../../../lib/users/tree/tree.ts';
import { addBatch, insertNodes, newNodes, replaceRows } from '../../../../lib/users/tree/write.ts';
import { isTransaction } from '../../../support/fake/steps.ts';
import type { Call } from '../../../support/fake/store.ts';
import {
  BY_KEY,
  BY_RANGE,
  letters,
  one,
  plain,
  rowsFrom,
  setUpTree,
  splitAt,
  text,
} from '../../../support/fake/tree.ts';

const NAME = BY_KEY.name;

/** With nodes of so many bytes, eight letters are two nodes. */
const SMALL = 30;

const isWrite = ({ command }: Call): boolean => command !== 'QueryCommand';

const nodeOf = async (tree: Tree, map = NAME): Promise<Node> => {
  const node = await readFloor(tree, map, '\0');
  if (!node) throw new Error(`${map} has no nodes`);
  return node;
};

describe('a batch that is added to a map', () => {
  test('makes its first node, with the epoch of the batch and no end', async () => {
    const given = setUpTree();
    await given.add(3, letters('ba'));
    expect(given.stored()).toEqual([{ sk: '\0', end: undefined, epoch: 3, revision: 1, keys: ['a', 'b'] }]);
  });

  test('leaves a node alone that has it or a later batch', async () => {
    const given = setUpTree();
    await given.add(3, letters('ab'));
    await given.add(3, letters('ab'));
    await given.add(2, letters('ab'));
    expect(text(await given.rows())).toBe('a n1, b n1');
    expect(given.stored().map(({ epoch, revision }) => [epoch, revision])).toEqual([[3, 1]]);
  });

  test('reaches the nodes that lack it after a fold died between two nodes', async () => {
    const given = setUpTree(SMALL);
    await given.add(1, letters('abcdefgh'));
    const batch = letters('abgh');
    let statements = 0;
    const dying = given.treeOf(
      (_, execute) => execute(),
      SMALL,
      async () => {
        if (statements++ === 0) throw new Error('killed');
      },
    );
    await expect(given.add(2, batch, BY_KEY, dying)).rejects.toThrow('killed');
    expect(
      given
        .stored()
        .map(({ epoch }) => epoch)
        .toSorted(),
    ).toEqual([1, 2]);
    await given.add(2, batch);
    expect(text(await given.rows())).toBe('a n2, b n2, c n1, d n1, e n1, f n1, g n2, h n2');
  });

  test('is added to what another writer wrote in the meantime', async () => {
    const given = setUpTree();
    await given.add(1, letters('ab'));
    let isFirst = true;
    const late = given.treeOf(async (call, execute) => {
      if (isWrite(call) && isFirst) {
        isFirst = false;
        await splitAt({ ...given.tree, nodeBytes: 18 }, BY_KEY, '\0');
      }
      return execute();
    });
    await given.add(2, letters('ab'), BY_KEY, late);
    expect(given.stored().map(({ sk, epoch }) => [sk, epoch])).toEqual([
      ['\0', 2],
      ['b', 2],
    ]);
    expect(text(await given.rows())).toBe('a n2, b n2');
  });

  test('is added once by two folds at the same time', async () => {
    const given = setUpTree(SMALL);
    await given.add(1, letters('abcdefgh'));
    await Promise.all([given.add(2, letters('aceg')), given.add(2, letters('aceg'))]);
    expect(text(await given.rows())).toBe('a n2, b n1, c n2, d n1, e n2, f n1, g n2, h n1');
  });

  test('splits the nodes that have grown', async () => {
    const given = setUpTree(SMALL);
    await given.add(1, letters('abcdefgh'));
    expect(given.stored().map(({ sk, end, keys }) => [sk, end, keys.join('')])).toEqual([
      ['\0', 'e', 'abcd'],
      ['e', undefined, 'efgh'],
    ]);
  });

  test.each([
    ['in one transaction', 4_000, 1],
    ['after cutting it, if there are very many changes', 12_000, 4],
  ])('turns one node into several, %s', async (_, length, transactions) => {
    const given = setUpTree(2_000);
    await given.add(1, letters('m'));
    const texts = Array.from(
      { length },
      (_, i) => `${Math.imul(i + 1, 0x9e3779b1) >>> 0}:${Math.imul(i + 7, 0x85ebca6b) >>> 0}:${i}`,
    );
    const writes: string[] = [];
    const noting = given.treeOf((call, execute) => {
      if (isWrite(call)) writes.push(call.command);
      return execute();
    }, 2_000);
    const deltas = texts.map((text) => one(text));
    await given.add(2, deltas, BY_KEY, noting);
    expect(writes).toEqual(Array(transactions).fill('TransactWriteCommand'));
    const nodes = await readNodes(given.tree, NAME, WHOLE_MAP);
    expect(nodes.length).toBeGreaterThan(16);
    expect(nodes.slice(1).every(({ epoch }) => epoch === 2)).toBe(true);
    expect(rowsOf(BY_KEY, nodes)).toHaveLength(length + 1);
    await given.add(2, deltas);
    expect((await given.rows()).every(([, { n }]) => n === 1)).toBe(true);
  });

  test('does not read a cached node, unless another writer has changed it', async () => {
    const given = setUpTree();
    let queries = 0;
    const counting = given.treeOf((call, execute) => {
      if (call.command === 'QueryCommand') queries++;
      return execute();
    });
    const cache = createNodeCache();
    const add = (epoch: number) => addBatch(counting, cache, epoch, [{ map: BY_KEY, deltas: letters('a') }]);
    await add(1);
    const first = queries;
    await add(2);
    expect(queries).toBe(first);
    await given.add(3, letters('a'));
    await add(4);
    expect(queries).toBe(first + 1);
    expect(text(await given.rows())).toBe('a n4');
  });

  test('reports the changed rows of a map of ranges, and no others', async () => {
    const given = setUpTree();
    await given.add(1, [one('x/a'), one('y/a')], BY_RANGE);
    const changed: Row[] = [];
    const onRow = (row: Row) => void changed.push(row);
    await addBatch(given.tree, createNodeCache(), 2, [{ map: BY_RANGE, deltas: [one('y/b'), one('z/a')], onRow }]);
    expect(text(changed)).toBe('y/ n2, z/ n1');
  });
});

describe('the row of a list that has no users any more', () => {
  test('is dropped, unless its list goes on in the next node', async () => {
    const given = setUpTree(1);
    const rows = rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }], ['y/', { n: 1 }], ['z/', { n: 1 }]);
    await insertNodes(given.tree, newNodes(given.tree, BY_RANGE, 1, rows));
    expect(given.stored(BY_RANGE).map(({ sk }) => sk)).toEqual(['\0', 'x/m', 'y/', 'z/']);
    await given.add(2, [one('x/a', -1), one('x/n', -1), one('y/a', -1)], BY_RANGE);
    expect(text(await given.rows(BY_RANGE))).toBe('x/, x/m, z/ n1');
    await given.add(3, [one('y/b')], BY_RANGE);
    expect(text((await given.rows(BY_RANGE)).slice(2))).toBe('y/ n1, z/ n1');
  });

  test('stays if it is the first of its map', async () => {
    const given = setUpTree();
    await given.add(1, [one('a')], BY_RANGE);
    await given.add(2, [one('b', -1)], BY_RANGE);
    expect(text(await given.rows(BY_RANGE))).toBe('\0');
  });
});

describe('a new node', () => {
  test('is made by one of two writers, and the other one adds to it', async () => {
    const given = setUpTree();
    let isFirst = true;
    const late = given.treeOf(async (call, execute) => {
      if (isWrite(call) && isFirst) {
        isFirst = false;
        await given.add(1, letters('a'));
      }
      return execute();
    });
    await given.add(2, letters('b'), BY_KEY, late);
    expect((await given.rows()).map(([key]) => key)).toEqual(['a', 'b']);
  });
});

describe('a node that is split', () => {
  test('is whole for readers at any moment: all parts are written in one transaction', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefghijklmnop'));
    const before = await given.rows();
    const commands: string[] = [];
    const noting = given.treeOf(async ({ command }, execute) => {
      commands.push(command);
      expect(await given.rows()).toEqual(before);
      const response = await execute();
      expect(await given.rows()).toEqual(before);
      return response;
    }, 20);
    await splitAt(noting, BY_KEY, '\0');
    expect(commands).toEqual(['QueryCommand', 'TransactWriteCommand']);
    expect(given.stored().length).toBeGreaterThan(4);
  });

  test('gives its epoch to its parts, and its end to the last one', async () => {
    const given = setUpTree(SMALL);
    await given.add(1, letters('abcdefgh'));
    await given.add(5, [one('a', 3)]);
    await splitAt({ ...given.tree, nodeBytes: 20 }, BY_KEY, '\0');
    expect(given.stored().map(({ sk, end, epoch, revision }) => [sk, end, epoch, revision])).toEqual([
      ['\0', 'b', 5, 3],
      ['b', 'c', 5, 1],
      ['c', 'e', 5, 1],
      ['e', undefined, 1, 1],
    ]);
  });

  test('is not split by somebody who read it before another writer wrote it', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    const late = given.treeOf(async (call, execute) => {
      if (isTransaction(call)) await given.add(2, letters('ah'));
      return execute();
    }, SMALL);
    await splitAt(late, BY_KEY, '\0');
    expect(given.stored()).toHaveLength(1);
    expect(text(await given.rows())).toBe('a n2, b n1, c n1, d n1, e n1, f n1, g n1, h n2');
  });

  test('is not split again by somebody who read it before it was split', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    const late = given.treeOf(async (call, execute) => {
      if (isTransaction(call)) {
        await splitAt({ ...given.tree, nodeBytes: SMALL }, BY_KEY, '\0');
        await given.add(2, letters('h'));
      }
      return execute();
    }, 20);
    await splitAt(late, BY_KEY, '\0');
    expect(given.stored().map(({ sk }) => sk)).toEqual(['\0', 'e']);
    expect((await given.rows()).at(-1)).toEqual(['h', { n: 2 }]);
  });

  test('stays as it is if it is small, or has only one row', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    await splitAt(given.tree, BY_KEY, '\0');
    await given.add(1, [one('x/a')], BY_RANGE);
    await splitAt({ ...given.tree, nodeBytes: 1 }, BY_RANGE, '\0');
    expect([given.stored().length, given.stored(BY_RANGE).length]).toEqual([1, 1]);
  });
});

describe('the nodes of a new map', () => {
  test('follow each other without gaps, from the first bound to no end', () => {
    const { tree } = setUpTree(200);
    const rows = rowsFrom(
      ...Array.from({ length: 700 }, (_, i) => [String(i).padStart(4, '0'), { n: i + 1 }] as const),
    );
    const nodes = newNodes(tree, BY_KEY, 7, rows);
    expect(nodes.length).toBeGreaterThan(10);
    expect(nodes.map(({ sk }) => sk)).toEqual(['\0', ...nodes.slice(0, -1).map(({ end }) => end)]);
    expect(nodes.at(-1)?.end).toBeUndefined();
    expect(
      nodes.every(
        ({ data, epoch, revision, pk }) => data.length <= 200 && epoch === 7 && revision === 1 && pk === `g1:${NAME}`,
      ),
    ).toBe(true);
    expect(plain(rowsOf(BY_KEY, nodes))).toEqual(plain(rows));
  });

  test('are none for a map without rows', () => {
    expect(newNodes(setUpTree().tree, BY_KEY, 1, [])).toEqual([]);
  });
});

describe('a node whose rows are replaced', () => {
  async function twoLists() {
    const given = setUpTree();
    await given.add(1, [one('x/a', 5), one('y/a', 2)], BY_RANGE);
    return { ...given, node: await nodeOf(given.tree, BY_RANGE.name) };
  }
  const parts = rowsFrom(['x/', { n: 2 }], ['x/m', { n: 3 }], ['y/', { n: 2 }]);

  test('has the new rows', async () => {
    const { tree, node, rows, stored } = await twoLists();
    expect(await replaceRows(tree, BY_RANGE, node, parts)).toBe(true);
    expect(text(await rows(BY_RANGE))).toBe('x/ n2, x/m n3, y/ n2');
    expect(stored(BY_RANGE).map(({ epoch, revision }) => [epoch, revision])).toEqual([[1, 2]]);
  });

  test('keeps its rows if it has changed since it was read', async () => {
    const { tree, node, rows, add } = await twoLists();
    await add(2, [one('y/b')], BY_RANGE);
    expect(await replaceRows(tree, BY_RANGE, node, parts)).toBe(false);
    expect(text(await rows(BY_RANGE))).toBe('x/ n5, y/ n3');
  });

  test('is split if the new rows are larger', async () => {
    const { tree, node, rows, stored } = await twoLists();
    const bytes = pack(rowsFrom(['x/', { n: 2 }], ['x/m', { n: 3 }])).length;
    await replaceRows({ ...tree, nodeBytes: bytes }, BY_RANGE, node, parts);
    expect(stored(BY_RANGE).length).toBeGreaterThan(1);
    expect((await rows(BY_RANGE)).map(([key]) => key)).toEqual(['x/', 'x/m', 'y/']);
  });
});

test('a node that is split into more parts than one transaction can write keeps all numbers of a row, and later batches add to them', async () => {
  const given = setUpTree(60);
  const buckets = Array.from({ length: 4_000 }, (_, i) => `bucket ${i}`);
  const batch = buckets.map((bucket, i) => one('a', i + 1, bucket));
  await given.add(1, batch);
  await given.add(2, batch);
  await given.add(3, batch);
  const [[key, counts] = ['', {}], ...others] = await given.rows();
  expect([key, others]).toEqual(['a', []]);
  expect(counts).toEqual(Object.fromEntries(buckets.map((bucket, i) => [bucket, 3 * (i + 1)])));
});

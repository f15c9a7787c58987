import { describe, expect, test } from 'vitest';
import { addBatch } from '../../../../lib/users/tree/add.ts';
import { createNodeCache } from '../../../../lib/users/tree/cache.ts';
import { insertNodes, newNodes } from '../../../../lib/users/tree/make.ts';
import { readFloor, readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { pack } from '../../../../lib/users/tree/pack.ts';
import { rowsOf } from '../../../../lib/users/tree/read.ts';
import type { Tree } from '../../../../lib/users/tree/tree.ts';
import { replaceRows } from '../../../../lib/users/tree/write.ts';
import { chanceOf } from '../../../support/fake/scheduler.ts';
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

type Given = ReturnType<typeof setUpTree>;

/** The tree of a writer who is late: somebody else does something just before its first write. */
function lateTree(given: Given, meddle: () => Promise<unknown>, nodeBytes?: number): Tree {
  let isFirst = true;
  const around = async (call: Call, execute: () => Promise<unknown>) => {
    if (isWrite(call) && isFirst) {
      isFirst = false;
      await meddle();
    }
    return execute();
  };
  return given.treeOf(around, nodeBytes);
}

describe('a batch that is added to a map', () => {
  test('makes its first node, which it leaves alone from then on, and so does an earlier batch', async () => {
    const given = setUpTree();
    for (const epoch of [3, 3, 2]) await given.add(epoch, letters('ba'));
    expect(given.stored()).toEqual([{ sk: '\0', end: undefined, epoch: 3, revision: 1, keys: ['a', 'b'] }]);
    expect(text(await given.rows())).toBe('a n1, b n1');
  });

  test.each<[string, (given: Given) => Promise<unknown>, before: string, after: string[], nodes: string[]]>([
    ['split', ({ tree }) => splitAt({ ...tree, nodeBytes: 18 }, BY_KEY, '\0'), 'ab', ['a n2', 'b n2'], ['\0', 'b']],
    ['made', ({ add }) => add(1, letters('a')), '', ['a n2', 'b n1'], ['\0']],
  ])('is added to a node that another writer has %s in the meantime', async (_, meddle, before, after, nodes) => {
    const given = setUpTree();
    if (before) await given.add(1, letters(before));
    await given.add(
      2,
      letters('ab'),
      BY_KEY,
      lateTree(given, () => meddle(given)),
    );
    expect(given.stored().map(({ sk, epoch }) => [sk, epoch])).toEqual(nodes.map((sk) => [sk, 2]));
    expect(text(await given.rows())).toBe(after.join(', '));
  });

  test.each([
    ['in one transaction', 300, 1],
    ['after cutting it, if there is very much to add', 900, 4],
  ])('turns one node into several, %s', async (_, length, transactions) => {
    const given = setUpTree();
    await given.add(1, letters('m'));
    const chance = chanceOf(length);
    // Keys that cannot be packed: nodes of ten of them.
    const text = () => Array.from({ length: 500 }, () => String.fromCharCode(33 + Math.floor(chance() * 90))).join('');
    const deltas = Array.from({ length }, () => one(text()));
    const writes: string[] = [];
    const noting = given.treeOf((call, execute) => {
      if (isWrite(call)) writes.push(call.command);
      return execute();
    }, 5_000);
    await given.add(2, deltas, BY_KEY, noting);
    expect(writes).toEqual(Array(transactions).fill('TransactWriteCommand'));
    const nodes = await readNodes(given.tree, NAME, WHOLE_MAP);
    expect(nodes.length).toBeGreaterThan(16);
    expect(nodes.slice(1).every(({ epoch }) => epoch === 2)).toBe(true);
    expect(rowsOf(nodes)).toHaveLength(length + 1);
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

  test('writes no node twice at a time, even if the cache has it as it was before it was split', async () => {
    const given = setUpTree();
    const cache = createNodeCache();
    await given.add(1, letters('abcdef'));
    const [whole] = await readNodes(given.tree, NAME, WHOLE_MAP);
    if (whole) cache.keep(whole);
    await splitAt({ ...given.tree, nodeBytes: 18 }, BY_KEY, '\0');
    const [, ...parts] = await readNodes(given.tree, NAME, WHOLE_MAP);
    for (const part of parts) cache.keep(part);
    const deltas = parts.map(({ sk }) => one(sk));
    expect(deltas.length).toBeGreaterThan(1);
    await given.add(2, deltas);
    await addBatch(given.tree, cache, 3, [{ map: BY_KEY, deltas }]);
    expect((await given.rows()).filter(([, { n }]) => n === 3)).toHaveLength(deltas.length);
  });
});

test('the row of a list that has no users any more is dropped, unless its list goes on in the next node', async () => {
  const given = setUpTree(1);
  const rows = rowsFrom(['x/', { n: 1 }], ['x/m', { n: 1 }], ['y/', { n: 1 }], ['z/', { n: 1 }]);
  await insertNodes(given.tree, newNodes(given.tree, BY_RANGE, 1, rows));
  expect(given.stored(BY_RANGE).map(({ sk }) => sk)).toEqual(['\0', 'x/m', 'y/', 'z/']);
  await given.add(2, [one('x/a', -1), one('x/n', -1), one('y/a', -1)], BY_RANGE);
  expect(text(await given.rows(BY_RANGE))).toBe('x/, x/m, z/ n1');
  await given.add(3, [one('y/b')], BY_RANGE);
  expect(text((await given.rows(BY_RANGE)).slice(2))).toBe('y/ n1, z/ n1');
});

describe('a node that is split', () => {
  test('is whole for readers at any moment: all parts are written in one transaction', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefghijklmnop'));
    const before = await given.rows();
    const commands: string[] = [];
    const noting = given.treeOf(async ({ command }, execute) => {
      commands.push(command);
      const response = await execute();
      expect(await given.rows()).toEqual(before);
      return response;
    }, 20);
    await splitAt(noting, BY_KEY, '\0');
    expect(commands).toEqual(['QueryCommand', 'TransactWriteCommand']);
    expect(given.stored().length).toBeGreaterThan(4);
  });

  test.each<[string, (given: Given) => Promise<unknown>, nodes: string[]]>([
    ['written', async () => {}, ['\0']],
    ['split', ({ tree }) => splitAt({ ...tree, nodeBytes: SMALL }, BY_KEY, '\0'), ['\0', 'e']],
  ])('is not split by somebody who read it before another writer has %s it', async (_, meddle, nodes) => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    const late = lateTree(given, () => meddle(given).then(() => given.add(2, letters('ah'))), 20);
    await splitAt(late, BY_KEY, '\0');
    expect(given.stored().map(({ sk }) => sk)).toEqual(nodes);
    expect(text(await given.rows())).toBe('a n2, b n1, c n1, d n1, e n1, f n1, g n1, h n2');
  });
});

test('the nodes of a new map follow each other without gaps, from the first bound to no end', () => {
  const { tree } = setUpTree(200);
  const rows = rowsFrom(...Array.from({ length: 700 }, (_, i) => [String(1_000 + i), { n: i + 1 }] as const));
  const nodes = newNodes(tree, BY_KEY, 7, rows);
  expect(nodes.length).toBeGreaterThan(10);
  expect(nodes.map(({ sk }) => sk)).toEqual(['\0', ...nodes.slice(0, -1).map(({ end }) => end)]);
  expect(nodes.at(-1)?.end).toBeUndefined();
  for (const { data, ...node } of nodes) {
    expect(node).toMatchObject({ epoch: 7, revision: 1, pk: `g1:${NAME}` });
    expect(data.length).toBeLessThanOrEqual(200);
  }
  expect(plain(rowsOf(nodes))).toEqual(plain(rows));
  expect(newNodes(tree, BY_KEY, 1, [])).toEqual([]);
});

test('a node whose rows are replaced has the new ones, unless it has changed, and is split if they are larger', async () => {
  const given = setUpTree();
  const stored = () => given.stored(BY_RANGE).map(({ epoch, revision }) => [epoch, revision]);
  await given.add(1, [one('x/a', 5), one('y/a', 2)], BY_RANGE);
  const node = await readFloor(given.tree, BY_RANGE.name, '\0');
  if (!node) throw new Error('There is no node');
  const parts = rowsFrom(['x/', { n: 2 }], ['x/m', { n: 3 }], ['y/', { n: 2 }]);
  expect(await replaceRows(given.tree, node, parts)).toBe(true);
  expect(text(await given.rows(BY_RANGE))).toBe('x/ n2, x/m n3, y/ n2');
  expect(stored()).toEqual([[1, 2]]);
  expect(await replaceRows(given.tree, node, rowsFrom(['z/', { n: 1 }]))).toBe(false);
  expect(stored()).toEqual([[1, 2]]);
  const written: number[] = [];
  const noting = given.treeOf(
    (call, execute) => {
      if (isWrite(call)) written.push((call.input as { TransactItems?: unknown[] }).TransactItems?.length ?? 1);
      return execute();
    },
    pack(parts.slice(0, 2)).length,
  );
  await replaceRows(noting, { ...node, revision: 2 }, parts);
  // First all rows at their place, which a reader of the whole map sees at one moment.
  expect(written).toEqual([1, stored().length]);
  expect(stored().length).toBeGreaterThan(1);
  expect(text(await given.rows(BY_RANGE))).toBe('x/ n2, x/m n3, y/ n2');
});

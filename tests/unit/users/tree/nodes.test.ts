import { describe, expect, test } from 'vitest';
import { JournalMoved } from '../../../../lib/users/journal/journal.ts';
import { readFloor, readFloorToWrite, readNodes, type Stretch, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { AT_REST, type Overlay, readRanges, readRows, rowsOf } from '../../../../lib/users/tree/read.ts';
import type { Delta } from '../../../../lib/users/tree/rows.ts';
import { generationOf, partitionOf } from '../../../../lib/users/tree/tree.ts';
import { replaceRows } from '../../../../lib/users/tree/write.ts';
import { settled } from '../../../support/fake/steps.ts';
import type { Call } from '../../../support/fake/store.ts';
import {
  BY_KEY,
  BY_RANGE,
  LISTS,
  letters,
  one,
  rowsFrom,
  setUpTree,
  splitAt,
  text,
} from '../../../support/fake/tree.ts';

const NAME = BY_KEY.name;

async function oneNode() {
  const given = setUpTree();
  await given.add(1, letters('abcdefgh'));
  return { ...given, split: () => splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0') };
}

/** The letters of two nodes: `a` to `d`, and from `e`. */
async function twoNodes() {
  const given = await oneNode();
  await given.split();
  expect(given.stored().map(({ sk, end, keys }) => [sk, end, keys.join('')])).toEqual([
    ['\0', 'e', 'abcd'],
    ['e', undefined, 'efgh'],
  ]);
  return given;
}

const isFloor = ({ input }: Call) => (input as { ScanIndexForward?: boolean }).ScanIndexForward === false;

test('a partition tells its generation, and others have none', () => {
  expect(partitionOf('1', 'segments:byId')).toBe('g1:segments:byId');
  const generations = ['g1:segments:byId', 'g1', 'journal', 'names:g1:', 'names:a'].map(generationOf);
  expect(generations).toEqual(['1', undefined, undefined, undefined, undefined]);
});

describe('the node of a position', () => {
  test('is the last one that begins at or before it, in its map and generation', async () => {
    const { tree } = await twoNodes();
    const floorOf = async (at: string, map = NAME, generation = '1') =>
      (await readFloor({ ...tree, generation }, map, at))?.sk;
    const floors = await Promise.all(['\0', 'a', 'd\uFFFF', 'e', 'z'].map((at) => floorOf(at)));
    expect(floors).toEqual(['\0', '\0', '\0', 'e', 'e']);
    expect([await floorOf('a', 'other'), await floorOf('a', NAME, '2')]).toEqual([undefined, undefined]);
  });

  test('is read by a writer as it was a moment ago, unless it was missing then, or ended before the position', async () => {
    const given = setUpTree();
    const read = async (at: string) => (await readFloorToWrite(given.tree, NAME, at, 1))[0];
    given.setLag(() => 10_000);
    await given.add(1, letters('abcdefgh'));
    expect(await read('g')).toMatchObject({ sk: '\0', revision: 1 });
    given.pass(20_000);
    await given.add(2, letters('a'));
    expect(await read('g')).toMatchObject({ sk: '\0', revision: 1 });
    expect((await readFloor(given.tree, NAME, 'g'))?.revision).toBe(2);
    given.pass(20_000);
    // The first node arrives with its new end before the second one.
    const lags = [0, 10_000];
    given.setLag(() => lags.shift() ?? 0);
    await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
    expect([(await read('d'))?.sk, (await read('g'))?.sk]).toEqual(['\0', 'e']);
  });
});

describe('the nodes of a stretch', () => {
  test.each<[what: string, Stretch, queries: number, bounds: string[]]>([
    ['the whole map', WHOLE_MAP, 1, ['\0', 'e']],
    ['within a node', { from: 'b', to: 'c' }, 2, ['\0']],
    ['a key', { from: 'b', to: 'b' }, 1, ['\0']],
    ['over a bound', { from: 'b', to: 'f' }, 2, ['\0', 'e']],
    ['to the end', { from: 'f', to: undefined }, 2, ['e']],
    ['from a bound', { from: 'e', to: undefined }, 2, ['e']],
    ['from a bound that is known to be one', { from: 'e', to: undefined, isBound: true }, 1, ['e']],
    ['as few as expected, from a bound', { from: 'e', to: 'g', nodes: 1 }, 1, ['e']],
    ['as few as expected, to a bound', { from: 'b', to: 'e', nodes: 4 }, 1, ['\0']],
    ['as few as expected, over a bound', { from: 'b', to: 'f', nodes: 2 }, 1, ['\0', 'e']],
    ['as few as expected, to the end', { from: 'b', to: undefined, nodes: 4 }, 1, ['\0', 'e']],
    ['more than expected', { from: 'b', to: 'f', nodes: 1 }, 3, ['\0', 'e']],
  ])('are those in which its positions can lie: %s, %j, takes %d queries', async (_, stretch, queries, bounds) => {
    const { treeOf } = await twoNodes();
    let calls = 0;
    const counting = treeOf((_, execute) => {
      calls++;
      return execute();
    });
    expect((await readNodes(counting, NAME, stretch)).map(({ sk }) => sk)).toEqual(bounds);
    expect(calls).toBe(queries);
  });

  test('are read again when a node is split while they are read', async () => {
    const given = await oneNode();
    let floors = 0;
    const reading = given.treeOf(async (call, execute) => {
      // What begins above the position was read a moment ago.
      if (isFloor(call) && floors++ === 0) {
        await settled();
        await given.split();
      }
      return execute();
    });
    const nodes = await readNodes(reading, NAME, { from: 'b', to: undefined });
    expect(nodes.map(({ sk }) => sk)).toEqual(['\0', 'e']);
    expect(floors).toBe(2);
  });

  test('are refused after ten readings if one is missing, be it the last one or between two others', async () => {
    const given = await twoNodes();
    await splitAt({ ...given.tree, nodeBytes: 15 }, BY_KEY, 'e');
    const bounds = given.stored().map(({ sk }) => String(sk));
    expect(bounds.length).toBeGreaterThan(2);
    for (const lost of bounds.slice(1)) {
      given.store.tables.directory?.delete({ pk: `g1:${NAME}`, sk: lost });
      const refusal = { status: 503, message: expect.stringContaining('letters were split 10 times') };
      const answer = readNodes(given.tree, NAME, WHOLE_MAP);
      await expect(answer).rejects.toMatchObject({ ...refusal, headers: { 'retry-after': '1' } });
      await expect(readNodes(given.tree, NAME, { from: 'b', to: 'z', nodes: 4 })).rejects.toMatchObject(refusal);
    }
    expect(await readNodes(given.tree, NAME, { from: 'a', to: 'c' })).toHaveLength(1);
  });
});

const overlay = (epoch: number, batch: readonly Delta[], fresh: readonly Delta[] = []): Overlay => ({
  epoch,
  batch,
  fresh,
  expect(own) {
    if (own > epoch) throw new JournalMoved();
  },
});

describe('the rows of a stretch', () => {
  const batch = [one('b', 10), one('f', 10)];
  const fresh = [one('b', 100), one('bb'), one('h', -1)];

  test.each<[what: string, Stretch, Overlay, expected: string]>([
    ['have a batch once', { from: 'b', to: 'g' }, overlay(2, batch), 'b n11, c n1, d n1, e n1, f n11'],
    ['have what is in no batch yet', { from: 'b', to: 'c' }, overlay(2, batch, fresh), 'b n111, bb n1'],
    ['are one row for a key', { from: 'f', to: 'f' }, overlay(2, batch, [one('ff')]), 'f n11'],
  ])('%s, in nodes that have the batch and in nodes that lack it', async (_, stretch, changes, expected) => {
    const given = await twoNodes();
    // A fold that has written the first of two nodes.
    await given.add(2, batch.slice(0, 1));
    expect(given.stored().map(({ epoch }) => epoch)).toEqual([2, 1]);
    expect(text(await readRows(given.tree, BY_KEY, stretch, changes))).toBe(expected);
  });

  test('are those of the journal alone in a map without nodes', async () => {
    const { tree } = setUpTree();
    const changes = overlay(1, [one('a', 2)], [one('b')]);
    expect(text(await readRows(tree, BY_KEY, WHOLE_MAP, changes))).toBe('a n2, b n1');
  });

  test('in a map of ranges have a change in the row and the node that its key belongs to', async () => {
    const given = setUpTree();
    await given.add(1, [one('x/a'), one('y/a'), one('z/a')], BY_RANGE);
    await splitAt({ ...given.tree, nodeBytes: 20 }, BY_RANGE, '\0');
    expect(given.stored(BY_RANGE).length).toBeGreaterThan(1);
    await given.add(2, [one('z/b')], BY_RANGE);
    const rows = await readRows(given.tree, BY_RANGE, WHOLE_MAP, overlay(2, [one('x/b'), one('z/b')]));
    expect(text(rows)).toBe('x/ n2, y/ n1, z/ n2');
  });

  test('are refused when a node is newer than the journal', async () => {
    const given = await twoNodes();
    await given.add(3, [one('f')]);
    const before = overlay(2, [one('b')]);
    await expect(readRows(given.tree, BY_KEY, { from: 'e', to: undefined }, before)).rejects.toThrow(JournalMoved);
    // The first node is as old as the journal knows it.
    expect(text(await readRows(given.tree, BY_KEY, { from: 'b', to: 'b' }, before))).toBe('b n2');
  });

  test('of a node that was split after it was read end where the next node begins', async () => {
    const given = await oneNode();
    const before = await readNodes(given.tree, NAME, WHOLE_MAP);
    await given.split();
    const [, second] = await readNodes(given.tree, NAME, WHOLE_MAP);
    const keys = (nodes: typeof before) => rowsOf(BY_KEY, nodes).map(({ key }) => key);
    expect(keys(before)).toEqual([...'abcdefgh']);
    expect(keys([...before, ...(second ? [second] : [])])).toEqual([...'abcdefgh']);
  });

  test('that parts of a node share are one row again', async () => {
    const given = setUpTree();
    const deltas = Array.from({ length: 40 }, (_, i) => one('k', 1, `s${i}`));
    await given.add(1, deltas);
    await splitAt({ ...given.tree, nodeBytes: 80 }, BY_KEY, '\0');
    expect(given.stored().map(({ keys }) => keys)).toEqual([['k'], ['k']]);
    const more = overlay(2, [], [one('k', 1, 's0'), one('k', 1, 's39')]);
    const [row, ...others] = await readRows(given.tree, BY_KEY, { from: 'k', to: 'l' }, more);
    expect([row?.counts.size, others]).toEqual([40, []]);
    expect(['s0', 's1', 's39'].map((bucket) => row?.counts.get(bucket))).toEqual([2, 1, 2]);
  });
});

test.each([
  ['by two queries side by side', { from: 'a/', to: 'a0' }, 'queries'],
  ['by one query, node by node', WHOLE_MAP, 'items'],
] as const)(
  'ranges that are read %s, while a row is replaced by its parts and their node is split, count nobody twice',
  async (_, stretch, between) => {
    const map = { ...BY_RANGE, ranges: LISTS };
    const { add, tree, treeOf } = setUpTree();
    await add(1, [one('a/c', 3), one('a/g', 3), one('a/x', 4)], map);
    const node = await readFloor(tree, map.name, 'a/');
    if (!node) throw new Error('There is no node');
    const parts = rowsFrom(['a/', { n: 3 }], ['a/f', { n: 3 }], ['a/m', { n: 4 }]);
    let replaced: Promise<boolean> | undefined;
    const replace = () => {
      replaced ??= replaceRows({ ...tree, nodeBytes: 20 }, map, node, parts);
      return replaced;
    };
    let queries = 0;
    const reader = treeOf(
      async (_call, execute) => {
        if (between === 'queries' && ++queries === 2) await replace();
        return execute();
      },
      880,
      async () => {
        if (between === 'items') await replace();
      },
    );
    const { rows } = await readRanges(reader, map, stretch, AT_REST);
    expect(text(rows)).toBe('a/ n3, a/f n3, a/m n4');
  },
);

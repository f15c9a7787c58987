import { describe, expect, test } from 'vitest';
import { JournalMoved } from '../../../../lib/users/journal/journal.ts';
import { readFloor, readFloorToWrite, readNodes, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
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

/** The letters of two nodes: `a` to `d`, and from `e`. */
async function twoNodes() {
  const given = setUpTree();
  await given.add(1, letters('abcdefgh'));
  await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
  expect(given.stored().map(({ sk, end, keys }) => [sk, end, keys.join('')])).toEqual([
    ['\0', 'e', 'abcd'],
    ['e', undefined, 'efgh'],
  ]);
  return given;
}

const isFloor = ({ input }: Call) => (input as { ScanIndexForward?: boolean }).ScanIndexForward === false;

test('a partition tells its generation, and others have none', () => {
  expect(partitionOf('1', 'segments:byId')).toBe('g1:segments:byId');
  expect(['g1:segments:byId', 'g1', 'journal', 'names:g1:', 'names:a'].map(generationOf)).toEqual([
    '1',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('the node of a position', () => {
  test('is the last one that begins at or before it', async () => {
    const { tree } = await twoNodes();
    const bounds = ['\0', 'a', 'd\uFFFF', 'e', 'z'].map(async (at) => (await readFloor(tree, NAME, at))?.sk);
    expect(await Promise.all(bounds)).toEqual(['\0', '\0', '\0', 'e', 'e']);
  });

  test('is none in a map without nodes, and in another generation', async () => {
    const { tree } = await twoNodes();
    expect(await readFloor(tree, 'other', 'a')).toBeUndefined();
    expect(await readFloor({ ...tree, generation: '2' }, NAME, 'a')).toBeUndefined();
  });

  test('is read as it was a moment ago by a writer, if it was there and had the position', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    given.setLag(() => 10_000);
    await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
    expect((await readFloor(given.tree, NAME, 'g'))?.sk).toBe('e');
    const [before] = await readFloorToWrite(given.tree, NAME, 'g', 1);
    expect([before?.sk, before?.end, before?.revision]).toEqual(['\0', undefined, 1]);
  });

  test('is read as it is by a writer who has not found it, or has found one that ends before the position', async () => {
    const given = setUpTree();
    given.setLag(() => 10_000);
    await given.add(1, letters('abcdefgh'));
    expect((await readFloorToWrite(given.tree, NAME, 'g', 1))[0]?.sk).toBe('\0');
    given.pass(20_000);
    // The first node arrives with its new end before the second one.
    const lags = [0, 10_000];
    given.setLag(() => lags.shift() ?? 0);
    await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
    expect((await readFloorToWrite(given.tree, NAME, 'd', 1))[0]?.sk).toBe('\0');
    expect((await readFloorToWrite(given.tree, NAME, 'g', 1))[0]?.sk).toBe('e');
  });
});

describe('the nodes of a stretch', () => {
  const bounds = async (given: Awaited<ReturnType<typeof twoNodes>>, stretch: Parameters<typeof readNodes>[2]) =>
    (await readNodes(given.tree, NAME, stretch)).map(({ sk }) => sk);

  test('are those in which its positions can lie', async () => {
    const given = await twoNodes();
    expect(await bounds(given, WHOLE_MAP)).toEqual(['\0', 'e']);
    expect(await bounds(given, { from: 'b', to: 'c' })).toEqual(['\0']);
    expect(await bounds(given, { from: 'b', to: 'b' })).toEqual(['\0']);
    expect(await bounds(given, { from: 'b', to: 'f' })).toEqual(['\0', 'e']);
    expect(await bounds(given, { from: 'f', to: undefined })).toEqual(['e']);
    expect(await bounds(given, { from: 'e', to: undefined, isBound: true })).toEqual(['e']);
    expect(await bounds(given, { from: 'e', to: undefined })).toEqual(['e']);
    expect(await bounds(given, { from: 'b', to: 'f', nodes: 1 })).toEqual(['\0', 'e']);
    expect(await bounds(given, { from: 'b', to: 'f', nodes: 2 })).toEqual(['\0', 'e']);
    expect(await bounds(given, { from: 'b', to: undefined, nodes: 4 })).toEqual(['\0', 'e']);
    expect(await bounds(given, { from: 'b', to: 'e', nodes: 4 })).toEqual(['\0']);
  });

  test('are one query if they are not more than were expected, and three otherwise', async () => {
    const given = await twoNodes();
    let queries = 0;
    const counting = given.treeOf((_, execute) => {
      queries++;
      return execute();
    });
    const asked = async (from: string, to: string, nodes: number) => {
      queries = 0;
      await readNodes(counting, NAME, { from, to, nodes });
      return queries;
    };
    expect(await asked('f', 'g', 1)).toBe(1);
    expect(await asked('b', 'f', 2)).toBe(1);
    expect(await asked('b', 'f', 1)).toBe(3);
    // A node begins where the stretch does.
    expect(await asked('e', 'g', 1)).toBe(1);
  });

  test('are read again when a node is split while they are read', async () => {
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    let floors = 0;
    const reading = given.treeOf(async (call, execute) => {
      // What begins above the position was read a moment ago.
      if (isFloor(call) && floors++ === 0) {
        await settled();
        await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
      }
      return execute();
    });
    const nodes = await readNodes(reading, NAME, { from: 'b', to: undefined });
    expect(nodes.map(({ sk }) => sk)).toEqual(['\0', 'e']);
    expect(floors).toBe(2);
  });

  test('are refused, too, if one is missing between two others', async () => {
    const given = await twoNodes();
    await splitAt({ ...given.tree, nodeBytes: 15 }, BY_KEY, 'e');
    const [, second, third] = given.stored();
    expect(third).toBeDefined();
    given.store.tables.directory?.delete({ pk: `g1:${NAME}`, sk: String(second?.sk) });
    await expect(readNodes(given.tree, NAME, WHOLE_MAP)).rejects.toMatchObject({ status: 503 });
    await expect(readNodes(given.tree, NAME, { from: 'b', to: 'z', nodes: 4 })).rejects.toThrow();
  });

  test('that stay in parts are refused after ten readings', async () => {
    const given = await twoNodes();
    given.store.tables.directory?.delete({ pk: `g1:${NAME}`, sk: 'e' });
    const refusal = {
      status: 503,
      message: expect.stringContaining('letters were split 10 times'),
      headers: { 'retry-after': '1' },
    };
    await expect(readNodes(given.tree, NAME, WHOLE_MAP)).rejects.toMatchObject(refusal);
    expect(await bounds(given, { from: 'a', to: 'c' })).toEqual(['\0']);
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
  test('have a batch exactly once, in nodes that have it and in nodes that lack it', async () => {
    const given = await twoNodes();
    const batch = [one('b', 10), one('f', 10)];
    // A fold that has written the first of two nodes.
    await given.add(2, batch.slice(0, 1));
    expect(given.stored().map(({ epoch }) => epoch)).toEqual([2, 1]);
    const rows = await readRows(given.tree, BY_KEY, { from: 'b', to: 'g' }, overlay(2, batch));
    expect(text(rows)).toBe('b n11, c n1, d n1, e n1, f n11');
  });

  test('have what is in no batch yet, whatever the epoch of a node', async () => {
    const given = await twoNodes();
    await given.add(2, [one('b', 10)]);
    const fresh = [one('b', 100), one('bb', 1), one('h', -1)];
    const rows = await readRows(given.tree, BY_KEY, { from: 'b', to: 'c' }, overlay(2, [], fresh));
    expect(text(rows)).toBe('b n111, bb n1');
  });

  test('are those of the journal alone in a map without nodes', async () => {
    const { tree } = setUpTree();
    const changes = overlay(1, [one('a', 2)], [one('b')]);
    expect(text(await readRows(tree, BY_KEY, WHOLE_MAP, changes))).toBe('a n2, b n1');
  });

  test('are the row of one key alone when the stretch ends where it begins', async () => {
    const { tree } = await twoNodes();
    const rows = await readRows(tree, BY_KEY, { from: 'd', to: 'd' }, overlay(1, [], [one('d'), one('dd')]));
    expect(text(rows)).toBe('d n2');
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
    const given = setUpTree();
    await given.add(1, letters('abcdefgh'));
    const [before] = await readNodes(given.tree, NAME, WHOLE_MAP);
    await splitAt({ ...given.tree, nodeBytes: 30 }, BY_KEY, '\0');
    const [, second] = await readNodes(given.tree, NAME, WHOLE_MAP);
    if (!before || !second) throw new Error('The node was not split');
    expect(rowsOf(BY_KEY, [before, second]).map(({ key }) => key)).toEqual([...'abcdefgh']);
    expect(rowsOf(BY_KEY, [before]).map(({ key }) => key)).toEqual([...'abcdefgh']);
  });

  test('that parts of a node share are one row again', async () => {
    const given = setUpTree();
    const deltas = Array.from({ length: 40 }, (_, i) => one('k', 1, `s${i}`));
    await given.add(1, deltas);
    await splitAt({ ...given.tree, nodeBytes: 80 }, BY_KEY, '\0');
    expect(given.stored().map(({ keys }) => keys)).toEqual([['k'], ['k']]);
    const [row, ...others] = rowsOf(BY_KEY, await readNodes(given.tree, NAME, WHOLE_MAP));
    expect([row?.counts.size, others]).toEqual([40, []]);
    const more = overlay(2, [], [one('k', 1, 's0'), one('k', 1, 's39')]);
    const [changed] = await readRows(given.tree, BY_KEY, { from: 'k', to: 'l' }, more);
    expect([changed?.counts.get('s0'), changed?.counts.get('s1'), changed?.counts.get('s39')]).toEqual([2, 1, 2]);
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
    let isReplaced = false;
    const replace = async () => {
      if (isReplaced) return;
      isReplaced = true;
      await replaceRows(
        { ...tree, nodeBytes: 20 },
        map,
        node,
        rowsFrom(['a/', { n: 3 }], ['a/f', { n: 3 }], ['a/m', { n: 4 }]),
      );
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

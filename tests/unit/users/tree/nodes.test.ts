import { describe, expect, test } from 'vitest';
import { JournalMoved } from '../../../../lib/users/journal/journal.ts';
import { readFloor, readFloorToWrite, readNodes, type Stretch, WHOLE_MAP } from '../../../../lib/users/tree/nodes.ts';
import { type Overlay, readRows } from '../../../../lib/users/tree/read.ts';
import type { Delta } from '../../../../lib/users/tree/rows.ts';
import { generationOf, partitionOf } from '../../../../lib/users/tree/tree.ts';
import { settled } from '../../../support/fake/steps.ts';
import type { Call } from '../../../support/fake/store.ts';
import { BY_KEY, letters, one, setUpTree, splitAt, text } from '../../../support/fake/tree.ts';

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
  test('are refused when a node is newer than the journal', async () => {
    const given = await twoNodes();
    await given.add(3, [one('f')]);
    const before = overlay(2, [one('b')]);
    await expect(readRows(given.tree, BY_KEY, { from: 'e', to: undefined }, before)).rejects.toThrow(JournalMoved);
    // The first node is as old as the journal knows it.
    expect(text(await readRows(given.tree, BY_KEY, { from: 'b', to: 'b' }, before))).toBe('b n2');
  });
});

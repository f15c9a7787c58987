import { expect, test } from 'vitest';
import { pack, replicaFrom } from '../../../../lib/columns/changed/compaction.ts';
import { baseOf, open } from '../../../../lib/columns/changed/replica.ts';
import { Texts } from '../../../../lib/columns/stored/texts.ts';
import { foldCase } from '../../../../lib/columns/values/text.ts';
import { made, type Steps } from '../../../../lib/columns/work/chunks.ts';

const KINDS = { more: 'members' } as const;

const VALUES = ['Ann', 'ann', 'Élan', ['a', 'b']];

test('a column of members counts the bytes of all that is made of it, and has none when it is forgotten', () => {
  const rows = Array.from({ length: 1_000 }, (_, id) => ({ id: id + 1, more: { tag: VALUES[id % 4] ?? '' } }));
  const { bytes, checksum } = pack(replicaFrom(KINDS, rows));
  const column = baseOf(open(KINDS, [bytes], checksum)).column('more.tag');
  const { values } = column;
  if (!(values instanceof Texts)) throw new Error('There are no texts');
  const steps: (() => Steps<unknown>)[] = [
    () => column.coding(),
    () => column.sorting(),
    () => column.tokenizing(),
    () => values.forming(foldCase),
    () => column.naming(),
    () => column.reading((text) => text[0]),
  ];
  const counted = steps.map((step) => {
    made(step());
    return column.bytes;
  });
  expect(counted.map((each, i) => each > (counted[i - 1] ?? 0))).toEqual(steps.map(() => true));
  column.forget();
  expect(column.bytes).toBe(0);
});

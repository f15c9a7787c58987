import { expect, test } from 'vitest';
import { cut, type Row } from '../../../../lib/users/tree/rows.ts';
import { rowsFrom } from '../../../support/fake/tree.ts';

// All else is asked for at random, in tests/property: few keys there are as long as a sort key of DynamoDB may be.
test('a cut begins no part at a key that is too long for a sort key of DynamoDB', () => {
  const isOne = (rows: Row[]) => rows.length <= 1;
  const longest = 'x/'.padEnd(1_020, 'm');
  // Two bytes for its last letter.
  const tooLong = `${'x/'.padEnd(1_019, 'n')}é`;
  const rows = rowsFrom(['x/', { n: 1 }], [longest, { n: 1 }], [tooLong, { n: 1 }], ['x/o', { n: 1 }]);
  expect(cut('\0', rows, isOne).map(({ from, rows: own }) => [from, own.length])).toEqual([
    ['\0', 1],
    [longest, 2],
    ['x/o', 1],
  ]);
});

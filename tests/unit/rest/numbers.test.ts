import { expect, test } from 'vitest';
import { parseExactly } from '../../../lib/rest/numbers.ts';

test.each([
  ['-1e-07', -1e-7],
  ['0.0000001', 1e-7],
  ['-0.00000050', -5e-7],
  ['-1.50E+3', -1500],
  ['-10000000000000000000e-19', -1],
])('%s is what it says, however a client writes a number', (source, value) => {
  // A text with an exponent is not what makes a number suspect.
  expect(parseExactly(`["6551e2c4",${source}]`)).toEqual(['6551e2c4', value]);
});

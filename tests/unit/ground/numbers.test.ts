import { expect, test } from 'vitest';
import { parseExactly } from '../../../lib/ground/numbers.ts';

test.each([
  ['-1e-07', -1e-7],
  ['0.0000001', 1e-7],
  ['-0.00000050', -5e-7],
  ['-1.50E+3', -1500],
  ['-10000000000000000000e-19', -1],
  ['0.10000000000000001', 0.1],
  ['-0.10000000000000001e+5', -10_000.000000000002],
  ['0.30000000000000004', 0.30000000000000004],
  ['52.520006599999997', 52.520006599999995],
])('%s is what it says, however a client writes a number', (source, value) => {
  // A text with an exponent is not what makes a number suspect.
  expect(parseExactly(`["6551e2c4",${source}]`)).toEqual(['6551e2c4', value]);
});

test.each([
  '0.100000000000000001',
  '0.99999999999999999',
  '2.0000000000000001',
  '9007199254740991.4',
  '9007199254740990.5e-1',
  '1e-131',
  '1e-400',
])('%s would be another number, and is none', (source) => {
  expect(parseExactly(source)).toBeNaN();
});

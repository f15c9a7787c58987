import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../support/bundles.ts';

/**
 * Lines of code, comments and blanks included, that a folder may have. Who needs more deletes first. Generated files and data are no
 * code. A folder above its aim may only shrink: then its number is lowered.
 */
const BUDGETS: [what: string, folders: string, most: number, aim: number][] = [
  ['what is served', '{functions,lib,schemas}', 12_792, 10_800],
  ['users and their store', 'lib/{users,dynamodb}', 7_858, 5_850],
  ['the page', 'admin', 2_700, 2_700],
  ['tools', 'tools', 5_000, 5_000],
  ['the benchmark', 'bench', 2_300, 2_300],
  ['tests', 'tests', 18_500, 18_500],
];

const linesOf = (folders: string): number =>
  globSync(`${folders}/**/*.{ts,tsx,cjs,mjs,py,css}`, { cwd: ROOT })
    .filter((file) => !/\.d\.ts$|node_modules/.test(file))
    .reduce((sum, file) => sum + readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1, 0);

test.each(BUDGETS)('%s (%s) has at most %i lines, with %i as the aim', (_, folders, most, aim) => {
  const lines = linesOf(folders);
  expect(lines).toBeGreaterThan(100);
  expect(lines).toBeLessThanOrEqual(most);
  expect(most, 'the aim is reached: lower the budget to it').toBeGreaterThanOrEqual(aim);
});

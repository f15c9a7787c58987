import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../support/bundles.ts';

/** Lines of code, comments and blanks included, that folders are meant to have. Generated files and data are no code. */
const BUDGETS: [what: string, folders: string, budget: number][] = [
  ['endpoints and schemas', '{functions,schemas}', 800],
  ['what is served', 'lib', 8_700],
  ['users, their replica and their store', 'lib/{users,dynamodb,replica}', 4_300],
  ['the page', 'admin', 2_700],
  ['tools', 'tools', 5_000],
  ['the benchmark', 'bench', 1_600],
  ['tests', 'tests', 15_800],
];

/** Whoever comes with a field is let in. */
const AIR = 1.03;

const linesOf = (folders: string): number =>
  globSync(`${folders}/**/*.{ts,tsx,cjs,mjs,py,css}`, { cwd: ROOT })
    .filter((file) => !/\.d\.ts$|node_modules/.test(file))
    .reduce((sum, file) => sum + readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1, 0);

test.each(BUDGETS)('%s (%s) have a budget of %i lines, with three percent of air', (_, folders, budget) => {
  const lines = linesOf(folders);
  expect(lines).toBeGreaterThan(100);
  expect(lines).toBeLessThanOrEqual(budget * AIR);
});

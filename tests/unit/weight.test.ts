import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../support/bundles.ts';

/**
 * Lines of code, comments and blanks included, that folders are meant to have, and, where that is less, what they should come to: such a folder
 * may only shrink. Generated files and data are no code.
 */
const BUDGETS: [what: string, folders: string, budget: number, aim: number][] = [
  ['endpoints and schemas', '{functions,schemas}', 800, 800],
  ['what is served', 'lib', 9_800, 9_800],
  ['users, their replica and their store', 'lib/{users,dynamodb,replica}', 5_470, 4_700],
  ['the page', 'admin', 2_900, 2_900],
  ['tools', 'tools', 5_900, 5_200],
  ['the benchmark', 'bench', 1_800, 1_800],
  ['tests', 'tests', 17_200, 16_500],
];

/** Whoever comes with a field is let in. */
const AIR = 1.03;

const linesOf = (folders: string): number =>
  globSync(`${folders}/**/*.{ts,tsx,cjs,mjs,py,css}`, { cwd: ROOT })
    .filter((file) => !/\.d\.ts$|node_modules|^bench\/people\//.test(file))
    .reduce((sum, file) => sum + readFileSync(`${ROOT}/${file}`, 'utf8').split('\n').length - 1, 0);

test.each(BUDGETS)(
  '%s (%s) have a budget of %i lines, with three percent of air; the aim is %i',
  (_, folders, budget, aim) => {
    const lines = linesOf(folders);
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThanOrEqual(budget * AIR);
    expect(budget, 'the aim is reached: lower the budget to it').toBeGreaterThanOrEqual(aim);
  },
);

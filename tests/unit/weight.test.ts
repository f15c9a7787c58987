import { extname } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesLike, read } from '../support/files.ts';

/**
 * What folders may have: lines of code, comments and blanks included, and names and values in a line, on average. The second is there
 * so that nobody packs lines to save some. Where the aim is less than the budget, the folder may only shrink. Generated files and data
 * are no code.
 */
const BUDGETS: { folders: string; lines: number; aim?: number; density: number }[] = [
  // Schemas have two thirds: attributes, batches and edits are a third of them.
  { folders: '{functions,schemas}', lines: 1_028, density: 3 },
  // lib/http has three thousand: what can be asked, each way of it a few lines. The document of the API has a thousand, tokens and events four
  // hundred each, an edit that happens once whatever process dies six hundred.
  { folders: 'lib', lines: 14_740, density: 3.3 },
  // The replica has three thousand seven hundred: columns, parts of texts and words, counts, and a merge in slices beside requests.
  // Changes have seven hundred, lists and the journal as many, attributes with their columns and names five hundred. Words with signs are looked
  // for by their pieces first: a hundred.
  { folders: 'lib/{users,dynamodb,replica}', lines: 9_500, aim: 4_700, density: 3.41 },
  // Changes of many, with their preview and their undo, have three hundred, stylesheets as many.
  { folders: 'admin', lines: 2_900, aim: 2_900, density: 3.5 },
  // The store in memory has a thousand, what an import looks for in the files of strangers four hundred, syncs and batches three hundred.
  { folders: 'tools', lines: 7_660, aim: 5_200, density: 3.4 },
  // A store that throttles, and what fifty containers, writers and a merge do on it, have 760: 360 are DynamoDB's rules, 120 a picture. The start
  // of a list at a million users, with the memory of a container, a hundred.
  // What a merge costs has sixty, and so have words, parts, walks, what is dear on purpose, and containers from a bundle.
  { folders: 'bench', lines: 3_100, density: 3.8 },
  // What happens beside writers, folds and clients that die, in any order, has two thousand, and attributes, batches, edits and syncs as much.
  { folders: 'tests', lines: 21_420, aim: 16_500, density: 4 },
];

/** Whoever comes with a field is let in. */
const AIR = 1.03;

const filesOf = (folders: string): { name: string; text: string }[] =>
  filesLike(`${folders}/**/*.{ts,tsx,cjs,mjs,py,css}`)
    .filter((name) => !/\.d\.ts$|node_modules|^bench\/people\//.test(name))
    .map((name) => ({ name, text: read(name) }));

const linesOf = (text: string): number => text.split('\n').length - 1;

/** The names, literals and keywords that stand for values. */
function valuesIn(node: ts.Node): number {
  let values = 0;
  ts.forEachChild(node, (child) => {
    values += valuesIn(child);
  });
  return Math.max(values, 1);
}

test.each(BUDGETS)(
  '$folders has at most $lines lines and three percent',
  ({ folders, lines: budget, aim = budget }) => {
    const lines = filesOf(folders).reduce((sum, { text }) => sum + linesOf(text), 0);
    expect(lines).toBeGreaterThan(100);
    expect(lines, `delete in ${folders}, or raise its budget here and say why`).toBeLessThanOrEqual(budget * AIR);
    expect(budget, `${folders} has reached its aim: lower its budget`).toBeGreaterThanOrEqual(aim);
  },
);

test.each(BUDGETS)('$folders has at most $density names and values in a line', ({ folders, density }) => {
  const code = filesOf(folders).filter(({ name }) => /^\.(tsx?|[cm]js)$/.test(extname(name)));
  const values = code.map(({ name, text }) => valuesIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest)));
  const lines = code.reduce((sum, { text }) => sum + linesOf(text), 0);
  const found = values.reduce((sum, count) => sum + count, 0) / lines;
  expect(found, `lines of ${folders} are packed: give each idea its own`).toBeLessThanOrEqual(density);
});

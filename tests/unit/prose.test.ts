import { describe, expect, test } from 'vitest';
import { filesLike, read } from '../support/files.ts';

/** The pages that people read. Those of the catalogue of figures are generated. */
const PAGES = filesLike('{.,.github,docs,docs/decisions,bench,examples,tests,doors,doors/*,lib/*}/*.md').filter(
  (page) => page !== 'bench/figures.md',
);

/** The texts of a page without its code, links and marks: a sentence or a cell of a table each, by page and line. A heading keeps its #, as it is a title. */
const SENTENCES = PAGES.flatMap((page) => {
  let isCode = false;
  return read(page)
    .split('\n')
    .flatMap((line, i) => {
      if (/^\s*```/.test(line)) isCode = !isCode;
      const text = line
        .replaceAll(/`[^`]*`/g, '`…`')
        .replaceAll(/\]\([^)]*\)/g, '')
        .replaceAll(/[[*]/g, '')
        .replace(/^\s*(?:-|\d+\.) /, '');
      const sentences = isCode ? [] : text.split(/(?<=[.:;!?]) |\|/).map((sentence) => sentence.trim());
      return sentences.filter(Boolean).map((sentence) => ({ place: `${page}:${i + 1}: ${sentence}`, sentence }));
    });
});

const placesOf = (isWrong: (sentence: string) => boolean): string[] =>
  SENTENCES.flatMap(({ place, sentence }) => (isWrong(sentence) ? [place] : []));

describe('a sentence of a page', () => {
  test('has a noun as its subject, and no clause: it begins with What or Who only if it asks, or names What happened', () => {
    expect(SENTENCES.length).toBeGreaterThan(3_000);
    const begins = /^(?:What(?! happened\b)|Who|Whom|Whose|Which|Whatever|Whoever)\b/;
    expect(placesOf((sentence) => begins.test(sentence) && !sentence.endsWith('?'))).toEqual([]);
  });

  test('says a number with its unit, and has no dash for a parenthesis', () => {
    expect(placesOf((sentence) => /\bso many\b|\bwhoever\b|\S [–—] \S/i.test(sentence))).toEqual([]);
  });
});

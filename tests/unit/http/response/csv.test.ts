import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../../../lib/http/response/formulas.ts';
import { anyText } from '../../../support/arbitraries.ts';

const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
const HIDDEN = [
  ...['', ' ', '\u00A0', '\u200B', '\uFEFF', '\u2028', '\u3000', '\u00AD', '\u2060', '\u3164', '\t', ' \u200B\u3000'],
];

describe('a text that a spreadsheet would take for a formula', () => {
  test.each(HIDDEN)('gets an apostrophe, also after the invisible text %j, and after a semicolon', (hidden) => {
    for (const sign of SIGNS)
      expect(escapeFormula(`${hidden}${sign}1;a;${hidden}${sign}1`)).toBe(`'${hidden}${sign}1;a;'${hidden}${sign}1`);
    expect(escapeFormula(`'${hidden}=1`)).toBe(`''${hidden}=1`);
  });

  test.each(['', 'Ann', 'a=1', "O'Neil", "'Ann", "'", ' Ann', '\u200BAnn', '1-1', 'ann+tag@example.com'])(
    'is not %j, which stays as it is',
    (text) => {
      expect([escapeFormula(text), unescapeFormula(text)]).toEqual([text, text]);
    },
  );

  test('is restored exactly by a reader', () => {
    const unit = fc.oneof(fc.constantFrom("'", ';', ...SIGNS, ...HIDDEN, 'a', '\uD800'), anyText(2));
    const texts = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
    fc.assert(
      fc.property(texts, (text) => unescapeFormula(escapeFormula(text)) === text),
      { numRuns: 10_000 },
    );
  });
});

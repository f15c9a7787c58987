import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCsv } from '../../../../lib/http/response/csv.ts';
import { escapeFormula, unescapeFormula } from '../../../../lib/http/response/formulas.ts';
import { anyText } from '../../../support/arbitraries.ts';

const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const HIDDEN = [
  ...['', ' ', '\u00A0', '\u200B', '\uFEFF', '\u2028', '\u3000', '\u00AD', '\u2060', '\u3164', '\t', ' \u200B\u3000'],
];

describe('a text that a spreadsheet would take for a formula', () => {
  test.each(SIGNS.flatMap((sign) => HIDDEN.map((hidden) => `${hidden}${sign}1`)))('gets an apostrophe: %j', (text) => {
    expect(escapeFormula(text)).toBe(`'${text}`);
  });

  test.each([
    ["'=1", "''=1"],
    ["''\u200B@x", "'''\u200B@x"],
  ])('gets another apostrophe if it has one already: %j', (text, guarded) => {
    expect(escapeFormula(text)).toBe(guarded);
    expect(unescapeFormula(guarded)).toBe(text);
    expect(unescapeFormula(text)).not.toBe(text);
  });

  test.each(['', 'Ann', 'a=1', 'Ann-Lee', "O'Neil", "'Ann", "'", ' Ann', '\u200BAnn', '1-1', 'ann+tag@example.com'])(
    'is not %j, which stays as it is',
    (text) => {
      expect(escapeFormula(text)).toBe(text);
      expect(unescapeFormula(text)).toBe(text);
    },
  );

  test('is restored exactly by a reader', () => {
    const unit = fc.oneof(fc.constantFrom("'", ...SIGNS, ...HIDDEN, 'a', '\uD800'), anyText(2));
    const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
    fc.assert(
      fc.property(
        text,
        (value) =>
          unescapeFormula(escapeFormula(value)) === value &&
          escapeFormula(escapeFormula(value)).endsWith(escapeFormula(value)),
      ),
      { numRuns: 20_000 },
    );
  });
});

describe('CSV', () => {
  test('has apostrophes only in texts, and inside the quotes of a text', () => {
    const user = { id: 890301895272553, version: 1, name: '\u00A0=1+1', age: 30, lastName: ' @"x', email: '+a@b.de' };
    expect(toCsv([user], { header: false })).toBe(
      `890301895272553,'\u00A0=1+1,'+a@b.de,30,,"' @""x",2026-11-20T17:27:41.150Z,,\r\n`,
    );
  });

  test('distinguishes an empty text from no value', () => {
    const user = { id: 890301895272553, version: 1, name: 'Ann', firstName: '' };
    expect(toCsv([user], { header: false })).toBe('890301895272553,Ann,,,"",,2026-11-20T17:27:41.150Z,,\r\n');
  });
});

/**
 * A spreadsheet runs a text that begins like a formula, even after an apostrophe, white space or invisible characters:
 * https://owasp.org/www-community/attacks/CSV_Injection. An apostrophe in front makes it text. A text that already has apostrophes
 * before the formula also gets one more, so that a reader can tell which one was added. Where a comma is a decimal point, cells end at
 * semicolons, which are in no quotes here: what follows one is looked at as a text of its own.
 */
const FORMULA = /^'*[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

const APOSTROPHE = "'";

const inParts = (text: string, change: (part: string) => string): string => text.split(';').map(change).join(';');

export const escapeFormula = (text: string): string =>
  inParts(text, (part) => (FORMULA.test(part) ? APOSTROPHE + part : part));

/** Undoes `escapeFormula`: `unescapeFormula(escapeFormula(text))` is `text` for every text. */
export const unescapeFormula = (text: string): string =>
  inParts(text, (part) => (part.startsWith(APOSTROPHE) && FORMULA.test(part.slice(1)) ? part.slice(1) : part));

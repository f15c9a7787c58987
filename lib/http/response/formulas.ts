/**
 * A spreadsheet runs a text that begins like a formula, even after an apostrophe, white space or invisible characters:
 * https://owasp.org/www-community/attacks/CSV_Injection. One more apostrophe makes it text. A text that already has apostrophes
 * before the formula gets one more, too: so a reader can tell the added one from its own.
 */
const FORMULA = /^'*[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

const APOSTROPHE = "'";

export const escapeFormula = (text: string): string => (FORMULA.test(text) ? APOSTROPHE + text : text);

/** Undoes `escapeFormula`: `unescapeFormula(escapeFormula(text))` is `text` for every text. */
export const unescapeFormula = (text: string): string =>
  text.startsWith(APOSTROPHE) && FORMULA.test(text.slice(APOSTROPHE.length)) ? text.slice(APOSTROPHE.length) : text;

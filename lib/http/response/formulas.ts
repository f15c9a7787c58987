/**
 * A spreadsheet runs a text that begins like a formula, even after an apostrophe, white space or invisible characters:
 * https://owasp.org/www-community/attacks/CSV_Injection. An apostrophe in front makes it text. A text that already has apostrophes
 * before the formula also gets one more, so that a reader can tell which one was added.
 */
const FORMULA = /^'*[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

const APOSTROPHE = "'";

export const escapeFormula = (text: string): string => (FORMULA.test(text) ? APOSTROPHE + text : text);

/** Undoes `escapeFormula`: `unescapeFormula(escapeFormula(text))` is `text` for every text. */
export const unescapeFormula = (text: string): string =>
  text.startsWith(APOSTROPHE) && FORMULA.test(text.slice(APOSTROPHE.length)) ? text.slice(APOSTROPHE.length) : text;

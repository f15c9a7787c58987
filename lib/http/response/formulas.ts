/**
 * Spreadsheets take a text that begins like a formula for one, also after an apostrophe, white space or characters that do not show:
 * https://owasp.org/www-community/attacks/CSV_Injection. One apostrophe more makes it text. Those that stand there already
 * count as well, so that whoever reads the value again can tell a guard from an apostrophe of the value's own.
 */
const FORMULA = /^'*[\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠﹦﹢﹣﹫]/u;

const GUARD = "'";

export const guard = (text: string): string => (FORMULA.test(text) ? GUARD + text : text);

/** The text that was guarded: `unguard(guard(text))` is `text` for every text. */
export const unguard = (text: string): string =>
  text.startsWith(GUARD) && FORMULA.test(text.slice(GUARD.length)) ? text.slice(GUARD.length) : text;

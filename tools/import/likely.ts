import { userInput } from '../../schemas/user.ts';
import { FIELDS, type Field } from './columns.ts';

/** Of these words there may be names of columns, beside the words of a field itself. */
const ALSO: Partial<Record<Field, string>> = {
  name: 'fullname|displayname',
  email: 'mail|e mail',
  firstName: 'given name|forename',
  lastName: 'family name|surname',
};

export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Numbers, times, and what is either so or not. */
const NO_TEXT = /^(?:true|false|null|[\d.,:+/ -]+(?:T[\d.:+-]+Z?)?)$/i;

/** A digest or a key, as files of users have them. */
const SECRET = /=$|\$\w+\$|^(?=.*\d)[a-z\d+/]{20,}$/i;

/** The words of `First Name [Required]`, `user_email` and `givenName`, in small letters. */
const wordsOf = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');

/** The longest first: a first name is not a name. */
const PATTERNS = FIELDS.map((field) => ({ field, words: wordsOf(field) }))
  .toSorted((a, b) => b.words.length - a.words.length)
  .map(({ field, words }) => ({
    field,
    pattern: RegExp(`\\b(?:${[words, ALSO[field] ?? words].join('|')})s?\\d*\\b`),
  }));

function isLike(field: Field, cell: string): boolean {
  const rules = userInput.properties[field];
  if ('format' in rules && rules.format === 'idn-email') return isAddress(cell);
  return String(rules.type).includes('integer') ? /^\d+$/.test(cell) : !NO_TEXT.test(cell) && !isAddress(cell);
}

const isMost = (cells: readonly string[], field: Field): boolean =>
  cells.filter((cell) => isLike(field, cell)).length > cells.length / 2;

/** The field that the name of a column has in it, if its cells do not say otherwise; or e-mail, if most of its cells are addresses. */
export function likelyField(name: string, cells: readonly string[]): Field | undefined {
  const words = wordsOf(name);
  const { field } = PATTERNS.find(({ pattern }) => pattern.test(words)) ?? {};
  if (field && (cells.length === 0 || isMost(cells, field))) return field;
  return isMost(cells, 'email') ? 'email' : undefined;
}

/** Whether cells name columns: one of them has a field in it, and none is a value, which must not be printed. */
export const areNames = (cells: readonly string[]): boolean =>
  cells.some((cell) => likelyField(cell, [])) &&
  !cells.some((cell) => isAddress(cell) || SECRET.test(cell) || (cell !== '' && NO_TEXT.test(cell)));

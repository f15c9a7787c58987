import { allFakers } from '@faker-js/faker';
import customs from './customs.json' with { type: 'json' };
import { type Random, type Spread, shuffled, zipfMandelbrot, zipfOf } from './draw.ts';
import { type Surnames, surnamesOf } from './surnames.ts';

export type LocaleCode = keyof typeof allFakers;

/** Naming customs of a language that the lists of names do not tell. */
interface Customs {
  /** The most frequent last names in their order, and some with letters that programs often get wrong. */
  readonly common?: string;
  /** Prefixes of rare names. */
  readonly prefixes?: readonly string[];
  /** The percentage of people with two last names, and the text between these. */
  readonly second?: readonly [share: number, between: string];
  /** The list has all last names of the language: none is made up. */
  readonly closed?: true;
  /** The ending of a man's last name, and a woman's in place of it, if there is one list for both. */
  readonly feminine?: readonly [ending: string, string];
  /** Last names come first in full names. */
  readonly lastFirst?: true;
  /** The text between first and last name, if it is not a space. */
  readonly between?: '';
}

/** By language, or by locale where a country differs. */
const CUSTOMS = customs as unknown as Readonly<Record<string, Customs>>;

const customsOf = (locale: LocaleCode): Customs => CUSTOMS[locale] ?? CUSTOMS[locale.replace(/_.*/, '')] ?? {};

type Sex = 'female' | 'male';

/**
 * With degree 3, the number of different last names grows with the power 3/4 of the number of people, as in real registers.
 * The offset makes it about 34,000 among 100,000 people.
 */
const LAST_NAMES: Spread = { degree: 3, offset: 8 };
const FIRST_NAMES: Spread = { degree: 1, offset: 12 };

type Names = Partial<Record<'generic' | Sex, string[]>> | null | undefined;

const namesFor = (names: Names, sex: Sex): string[] => [
  ...new Set([...(names?.generic ?? []), ...(names?.[sex] ?? [])]),
];

export interface PersonName {
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** `Van Wyk|Nel` or `Smith Johnson`: names are separated by `|`, or by spaces if no name has a space. */
const split = (names: string): string[] => names.split(names.includes('|') ? '|' : ' ').filter((name) => name !== '');

function surnames(locale: LocaleCode, customs: Customs, sex: Sex): Surnames {
  const [ending, feminine] = (sex === 'female' && customs.feminine) || ['$^', ''];
  const inflect = (name: string) => name.replace(new RegExp(ending), feminine);
  return surnamesOf({
    common: split(customs.common ?? '').map(inflect),
    listed: namesFor(allFakers[locale].rawDefinitions.person?.last_name, sex).map(inflect),
    prefixes: customs.prefixes ?? [],
    isClosed: customs.closed === true,
    isIdeographic: locale === 'ja',
  });
}

function personsOf(locale: LocaleCode, customs: Customs, sex: Sex, random: Random): () => PersonName {
  const { lastFirst = false, between = ' ', second: [share, separator] = [0, ''] } = customs;
  const firstNames = shuffled(namesFor(allFakers[locale].rawDefinitions.person?.first_name, sex));
  const drawFirst = zipfOf(firstNames, FIRST_NAMES, random);
  const { size, at } = surnames(locale, customs, sex);
  const drawRank = zipfMandelbrot(size, LAST_NAMES, random);
  return () => {
    const firstName = drawFirst();
    const only = at(drawRank());
    const lastName = random() * 100 < share ? `${only}${separator}${at(drawRank())}` : only;
    const name = (lastFirst ? [lastName, firstName] : [firstName, lastName]).join(between);
    return { name, firstName, lastName };
  };
}

/** Draws people's names in a language. */
export function namesIn(locale: LocaleCode, random: Random): () => PersonName {
  const customs = customsOf(locale);
  const female = personsOf(locale, customs, 'female', random);
  const male = personsOf(locale, customs, 'male', random);
  return () => (random() < 0.5 ? female() : male());
}

import { en, Faker, generateMersenne53Randomizer } from '@faker-js/faker';
import type { UserFields } from '../../lib/users/user.ts';
import countries from './people/countries.json' with { type: 'json' };
import { byShare, type Random, type Spread, zipfOf } from './people/draw.ts';
import { emailsOf } from './people/emails.ts';
import { type LocaleCode, namesIn, type PersonName } from './people/names.ts';
import { withQuirks } from './people/quirks.ts';

/** Every inhabited country of ISO 3166, the one with the most users first, with the locales of its people's names. */
const COUNTRIES = Object.entries(countries).map(([code, locales]) => ({ code, locales: locales as LocaleCode[] }));

type Country = (typeof COUNTRIES)[number];

/** A sixth of the users live in the first country, and about one in 4,500 in the last. */
const COUNTRY_SPREAD: Spread = { degree: 2, offset: 2.5 };

/** The percentage of users who have a name from another country. */
const MIGRANTS = 10;

/** The percentage of users who have each status. The others have none. */
const STATUSES = [
  { status: 'active', share: 64 },
  { status: 'inactive', share: 16 },
  { status: 'pending', share: 10 },
  { status: 'suspended', share: 4 },
  { status: 'archived', share: 2 },
];

/** The percentage of users who have each field. */
const PRESENT = { email: 90, age: 85, firstName: 95, lastName: 97, country: 96 };

const AGES = { youngest: 14, oldest: 99 };

/** The mean of two draws: few are very young or very old. */
const drawAge = (random: Random): number =>
  AGES.youngest + Math.floor(((random() + random()) / 2) * (AGES.oldest + 1 - AGES.youngest));

/** Draws the names of people who live in a country. */
function createNames(drawCountry: () => Country, random: Random): (country: Country) => PersonName {
  const languages = new Map<LocaleCode, () => PersonName>();
  const language = (locale: LocaleCode) => {
    const known = languages.get(locale) ?? namesIn(locale, random);
    languages.set(locale, known);
    return known;
  };
  return (country) => {
    const { locales } = random() * 100 < MIGRANTS ? drawCountry() : country;
    const draw = language(locales[Math.floor(random() * locales.length)] ?? 'en');
    return withQuirks(draw(), draw, random);
  };
}

/**
 * Endless users, the same for the same seed in every run on every machine. They are as diverse as people: 242 countries and
 * five statuses with very unequal shares, mostly rare last names, and many scripts.
 */
export function* people(seed: number): Generator<UserFields, never, undefined> {
  const randomizer = generateMersenne53Randomizer(seed);
  const random = () => randomizer.next();
  const drawCountry = zipfOf(COUNTRIES, COUNTRY_SPREAD, random);
  const drawName = createNames(drawCountry, random);
  const drawEmail = emailsOf(new Faker({ locale: en, randomizer }), random);
  const has = (field: keyof typeof PRESENT): boolean => random() * 100 < PRESENT[field];

  for (let n = 1; ; n++) {
    const country = drawCountry();
    const person = drawName(country);
    const status = byShare(STATUSES, random() * 100)?.status;
    yield {
      name: person.name,
      ...(has('email') && { email: drawEmail(person, n) }),
      ...(has('age') && { age: drawAge(random) }),
      ...(has('firstName') && { firstName: person.firstName }),
      ...(has('lastName') && { lastName: person.lastName }),
      ...(status && { status }),
      ...(has('country') && { country: country.code }),
    };
  }
}

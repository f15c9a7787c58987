import { allFakers, en, Faker, generateMersenne53Randomizer } from '@faker-js/faker';
import type { UserFields } from '../users/user.ts';

type LocaleCode = keyof typeof allFakers;

/** Where people come from, and how many of a hundred. */
const ORIGINS: readonly { locale: LocaleCode; country: string; share: number }[] = [
  { locale: 'en_US', country: 'US', share: 24 },
  { locale: 'de', country: 'DE', share: 14 },
  { locale: 'fr', country: 'FR', share: 9 },
  { locale: 'es', country: 'ES', share: 8 },
  { locale: 'it', country: 'IT', share: 7 },
  { locale: 'pl', country: 'PL', share: 6 },
  { locale: 'ru', country: 'RU', share: 5 },
  { locale: 'tr', country: 'TR', share: 4 },
  { locale: 'ja', country: 'JP', share: 4 },
  { locale: 'zh_CN', country: 'CN', share: 4 },
  { locale: 'cs_CZ', country: 'CZ', share: 4 },
  { locale: 'ko', country: 'KR', share: 3 },
  { locale: 'he', country: 'IL', share: 2 },
  { locale: 'fa', country: 'IR', share: 2 },
  { locale: 'vi', country: 'VN', share: 2 },
  { locale: 'el', country: 'GR', share: 1 },
  { locale: 'sv', country: 'SE', share: 1 },
];

const STATUSES = [
  { value: 'active', weight: 70 },
  { value: 'inactive', weight: 12 },
  { value: 'pending', weight: 9 },
  { value: 'suspended', weight: 4 },
  { value: undefined, weight: 5 },
];

/** How many of a hundred users have the field. */
const PRESENT = { email: 0.9, age: 0.85, firstName: 0.95, lastName: 0.97, country: 0.96 };

type Names = { generic?: string[]; female?: string[]; male?: string[] } | null | undefined;

const namesOf = (names: Names): string[] => [
  ...new Set([...(names?.generic ?? []), ...(names?.female ?? []), ...(names?.male ?? [])]),
];

/**
 * Draws the first item most often, the second half as often, the third a third as often (Zipf's law with exponent 1),
 * as surnames are spread in most countries.
 */
function zipf<Item>(items: readonly Item[], random: () => number): () => Item {
  let sum = 0;
  const cumulative = items.map((_, rank) => (sum += 1 / (rank + 1)));
  return () => {
    const drawn = random() * sum;
    return items[cumulative.findIndex((weight) => drawn < weight)] as Item;
  };
}

/** Endless users: the same for the same seed, in every run on every machine. */
export function* people(seed: number): Generator<UserFields, never, undefined> {
  const faker = new Faker({ locale: en, randomizer: generateMersenne53Randomizer(seed) });
  const random = () => faker.number.float();
  const origins = ORIGINS.map(({ locale, country, share }) => {
    const { first_name, last_name } = allFakers[locale].rawDefinitions.person ?? {};
    const lastName = zipf(faker.helpers.shuffle(namesOf(last_name)), random);
    return { weight: share, value: { country, firstNames: namesOf(first_name), lastName } };
  });
  const present = <Value>(field: keyof typeof PRESENT, value: Value) => (random() < PRESENT[field] ? value : undefined);

  for (let n = 0; ; n++) {
    const { country, firstNames, lastName: drawLastName } = faker.helpers.weightedArrayElement(origins);
    const firstName = faker.helpers.arrayElement(firstNames);
    const lastName = drawLastName();
    const fields = {
      name: `${firstName} ${lastName}`,
      email: present('email', `${faker.internet.username({ firstName, lastName }).toLowerCase()}${n}@example.com`),
      age: present('age', faker.number.int({ min: 16, max: 96 })),
      firstName: present('firstName', firstName),
      lastName: present('lastName', lastName),
      status: faker.helpers.weightedArrayElement(STATUSES),
      country: present('country', country),
    };
    yield Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as UserFields;
  }
}

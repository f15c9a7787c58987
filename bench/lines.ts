/** What is measured, in the order of the report, and what it should cost. Lines about the pace of the fold are in pace/lines.ts. */
import { PACE_TABLES } from './pace/lines.ts';
import { type Line, median, most, NONE, type Table } from './targets.ts';

/** A page at any depth, in an order for which there is a list. */
const LISTED: Line = {
  target: { units: { median: 5, most: 8 }, rounds: { most: 4 } },
  larger: { units: { median: 6, most: 10 }, rounds: { most: 4 } },
};
const ONE_ORDER = most(2);
const BY_VALUE = most(3);
const OF_A_COUNTRY = most(3);
const UNLISTED: Line = {
  target: { units: { median: 8, most: 40 } },
  larger: { units: { median: 10, most: 90 } },
};
const TWO_PROPERTIES: Line = {
  target: { units: { median: 8, most: 60 } },
  larger: { units: { median: 12, most: 120 } },
};
const RANGE_FIRST = most(8);
const RANGE_ANY = most(12);
const FEW_OF_A_RANGE = most(25);
const HALF_FIRST = most(20);
const TWO_RANGES: Line = { ...median(60), larger: {} };
const STATUSES_FIRST = most(8);
const STATUSES_ANY = most(16);
const STATUSES_UNLISTED_FIRST = most(60);
const STATUSES_UNLISTED_ANY = most(120);
const BY_LAST_NAME = most(25, 60);
const NOT_BY_LAST_NAME = most(110, 500);
const WITH_A_STATUS = most(110, 600);
const FEW_LETTERS = most(110, 190);
const FOLDED_ALONE = most(60);

/** Questions of all kinds together. */
const ANYTHING: Line = {
  target: { units: { median: 8, of95: 120 }, calls: { median: 6, most: 60 } },
  larger: { units: { median: 12, of95: 800 }, calls: { median: 8, most: 100 } },
};

/** A question of any kind has the same limit for its calls. */
const drawn = ({ target, larger = target }: Line): Line => ({
  target: { ...target, calls: { most: 60 } },
  larger: { ...larger, calls: { most: 100 } },
});

const DRAWN = {
  'all kinds, first page': ANYTHING,
  'all kinds, any page': ANYTHING,
  'all kinds, all pages': ANYTHING,
  'any list, first page': ANYTHING,
  'any list, any page': ANYTHING,
  'any search, first page': ANYTHING,
  'any search, any page': ANYTHING,
  'one order, first page': drawn(ONE_ORDER),
  'one order, any page': drawn(LISTED),
  'by status or country, first page': drawn(BY_VALUE),
  'by status or country, any page': drawn(LISTED),
  'a status, another order, first page': drawn(UNLISTED),
  'a status, another order, any page': drawn(UNLISTED),
  'status and country, another order, first page': drawn(UNLISTED),
  'status and country, another order, any page': drawn(UNLISTED),
  'a country, any order, first page': drawn(OF_A_COUNTRY),
  'a country, any order, any page': drawn(LISTED),
  'two properties, first page': drawn(TWO_PROPERTIES),
  'two properties, any page': drawn(TWO_PROPERTIES),
  '3+ letters, by last name, first page': drawn(BY_LAST_NAME),
  '3+ letters, by last name, any page': drawn(NONE),
  '3+ letters, another order, first page': drawn(NOT_BY_LAST_NAME),
  '3+ letters, another order, any page': drawn(NONE),
  '3+ letters and a status, first page': drawn(WITH_A_STATUS),
  '3+ letters and a status, any page': drawn(NONE),
  '2 letters, first page': drawn(FEW_LETTERS),
  '2 letters, any page': drawn(FEW_LETTERS),
  '1 letter, first page': drawn(FEW_LETTERS),
  '1 letter, any page': drawn(FEW_LETTERS),
  'letters, by status or country, first page': drawn(NONE),
  'letters, by status or country, any page': drawn(NONE),
  'a range, its own order, first page': drawn(RANGE_FIRST),
  'a range, its own order, any page': drawn(RANGE_ANY),
  'a range in a country, its own order, first page': drawn(RANGE_FIRST),
  'a range in a country, its own order, any page': drawn(RANGE_ANY),
  'a range of 1,000 users, another order, first page': drawn(FEW_OF_A_RANGE),
  'a range of 1,000 users, another order, any page': drawn(FEW_OF_A_RANGE),
  'half of all users, another order, first page': drawn(HALF_FIRST),
  'half of all users, another order, any page': drawn(NONE),
  'two ranges, the order of one, first page': drawn(TWO_RANGES),
  'two ranges, the order of one, any page': drawn(TWO_RANGES),
  'a range and a status, its order, first page': drawn(TWO_RANGES),
  'a range and a status, its order, any page': drawn(TWO_RANGES),
  'three statuses, by id, first page': drawn(STATUSES_FIRST),
  'three statuses, by id, any page': drawn(STATUSES_ANY),
  'three statuses, another order, first page': drawn(STATUSES_UNLISTED_FIRST),
  'three statuses, another order, any page': drawn(STATUSES_UNLISTED_ANY),
};

const USUAL = { units: ['median', 'most'], calls: ['most'] } as const;
const PLAIN = { units: ['median', 'most'] } as const;

export const TABLES = [
  {
    title: 'Lists',
    columns: USUAL,
    lines: {
      'first page, any single order but status and country': ONE_ORDER,
      'last page, the same': ONE_ORDER,
      'first and last page by status or country': BY_VALUE,
      'first page under a status, a country or both': most(2.5),
      'first page of a country, any order': OF_A_COUNTRY,
      'an e-mail': most(4.5),
      'a batch after a cursor': most(2),
      'a user by id': most(1),
      'a list that has not changed (304)': most(1),
    },
  },
  {
    title: 'Depth',
    columns: USUAL,
    lines: {
      'any page: of all, a country, a status, both, an e-mail; in any order there is a list for': LISTED,
      'first page of a status, or of both filters, in another order': UNLISTED,
      'first page by two properties': TWO_PROPERTIES,
    },
  },
  {
    title: 'Keywords',
    columns: USUAL,
    lines: {
      'keyword of three letters or more, by last name': BY_LAST_NAME,
      'keyword of three letters or more, in another order': NOT_BY_LAST_NAME,
      'keyword of three letters or more with a status, any order': WITH_A_STATUS,
      'keyword of two letters, any order': FEW_LETTERS,
      'keyword of one letter, any order': FEW_LETTERS,
    },
  },
  { title: 'Drawn at random: read units', columns: { units: ['median', 'of95', 'most'] }, lines: DRAWN },
  { title: 'Drawn at random: calls', columns: { calls: ['median', 'most'] }, lines: DRAWN },
  {
    title: 'Time of the processor',
    columns: PLAIN,
    lines: {
      'first page, as a multiple of a bare Query of 20 users': median(2),
      'first page of a country, as a multiple of the same': median(3.5),
      'keyword of one letter, as a multiple of the first page': median(15),
    },
  },
  {
    title: 'Writes',
    columns: USUAL,
    lines: {
      'create, at once': most(18),
      'patch of the age, at once': most(20),
      'patch of the country, at once': most(25),
      'delete, at once': most(18),
      'create, later by the fold, alone': FOLDED_ALONE,
      'patch of the age, later by the fold, alone': FOLDED_ALONE,
      'patch of the country, later by the fold, alone': FOLDED_ALONE,
      'delete, later by the fold, alone': FOLDED_ALONE,
      'create, later by the fold, 500 at a time': most(16, 26),
    },
  },
  {
    title: 'First page by name while others write',
    columns: USUAL,
    lines: {
      'before many parallel writes': most(3),
      'after them, while none is folded': NONE,
      'after them, when all are folded': most(3),
      'in the first 10 seconds of 10 writes a second': NONE,
      'in the first 10 seconds of 100 writes a second': NONE,
    },
  },
  {
    title: 'Speed of the machine, a second',
    columns: PLAIN,
    lines: {
      'entries of one fold, the faster of 2 batches': NONE,
      'bare writes of an item by the same client, the faster of 2 runs': NONE,
      'writes taken of 10': NONE,
      'writes taken of 100': NONE,
    },
  },
  ...PACE_TABLES,
] as const satisfies readonly Table[];

type KeysOf<Lines> = Lines extends unknown ? keyof Lines : never;

export type Title = KeysOf<(typeof TABLES)[number]['lines']>;

/** What is measured, in the order of the report, and what it should cost. */
import { type Kind, PLACES, type Place } from './drawn.ts';
import type { Measure, Spread } from './figures.ts';

/** Limits that figures should not exceed, or with `isLeast` should reach. */
export type Target = Partial<Record<Measure, Partial<Spread>>>;

/** The target up to 100,000 users, and the target of larger stores if it is another one. */
export interface Line {
  target: Target;
  larger?: Target;
  /** The figures should be at least as high as the targets. */
  isLeast?: true;
}

export interface Table {
  title: string;
  /** What the numbers are, if they are not what `columns` says. */
  legend?: string;
  /** What a cell shows. */
  columns: Partial<Record<Measure, readonly (keyof Spread)[]>>;
  lines: Readonly<Record<string, Line>>;
}

const LARGE = 100_000;

const most = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
});
const of95 = (units: number, larger: number): Line => ({
  target: { units: { of95: units } },
  larger: { units: { of95: larger } },
});
const median = (units: number): Line => ({ target: { units: { median: units } } });
/** For a figure that is a single number. */
const least = (units: number, larger = units): Line => ({
  target: { units: { most: units } },
  larger: { units: { most: larger } },
  isLeast: true,
});
const NONE: Line = { target: {} };

/** The targets of a line in a store of so many users. */
export const targetAt = (users: number, { target, larger = target }: Line): Target => (users > LARGE ? larger : target);

/** A page at any depth, in an order for which there is a list. */
const LISTED: Line = {
  target: { units: { median: 5, most: 8 }, rounds: { most: 5 } },
  larger: { units: { median: 6, most: 11 }, rounds: { most: 5 } },
};
const UNLISTED: Line = {
  target: { units: { median: 10, of95: 28 } },
  larger: { units: { median: 13, of95: 28.5 } },
};
const TWO_PROPERTIES: Line = {
  target: { units: { median: 8, most: 60 } },
  larger: { units: { median: 12, most: 120 } },
};
const TWO_RANGES: Line = { target: { units: { median: 60 } }, larger: {} };
const FOLDED_ALONE = most(60);

/** Questions of all kinds together. */
const ANYTHING: Line = {
  target: { units: { median: 8, of95: 500 }, rounds: { median: 4, most: 6 } },
  larger: { units: { median: 12, of95: 2_500 }, rounds: { median: 4, most: 6 } },
};

/** Each kind of drawn question: the targets of its first page, and of any page. */
const DRAWN: Record<Kind, readonly [first: Line, any: Line]> = {
  'any list': [ANYTHING, ANYTHING],
  'any search': [ANYTHING, ANYTHING],
  'one order': [most(2), LISTED],
  'by status or country': [most(3), LISTED],
  'a status, another order': [UNLISTED, UNLISTED],
  'status and country, another order': [UNLISTED, UNLISTED],
  'a country, any order': [most(3), LISTED],
  'two properties': [TWO_PROPERTIES, TWO_PROPERTIES],
  '3+ letters, by last name': [of95(16, 25), NONE],
  '3+ letters, another order': [of95(65, 220), of95(100, 450)],
  '3+ letters and a status': [of95(40, 150), NONE],
  '2 letters': [most(125, 450), NONE],
  '1 letter': [most(125, 900), NONE],
  'letters, by status or country': [NONE, NONE],
  'a range, its own order': [most(8), most(12)],
  'a range in a country, its own order': [most(8), most(12)],
  'a range of 1,000 users, another order': [most(25), most(25)],
  'half of all users, another order': [most(20), NONE],
  'two ranges, the order of one': [TWO_RANGES, TWO_RANGES],
  'a range and a status, its order': [TWO_RANGES, TWO_RANGES],
  'three statuses, by id': [most(8), most(16)],
  'three statuses, another order': [most(60), most(120)],
};

type DrawnTitle = `${Kind | 'all kinds'}, ${Place}` | 'all kinds, all pages';

const DRAWN_LINES = {
  ...Object.fromEntries(PLACES.map((place) => [`all kinds, ${place}`, ANYTHING])),
  'all kinds, all pages': ANYTHING,
  ...Object.fromEntries(
    Object.entries(DRAWN).flatMap(([kind, lines]) => PLACES.map((place, i) => [`${kind}, ${place}`, lines[i] ?? NONE])),
  ),
} as Record<DrawnTitle, Line>;

const USUAL = { units: ['median', 'most'], calls: ['most'] } as const;
const PLAIN = { units: ['median', 'most'] } as const;

export const TABLES = [
  {
    title: 'Lists',
    columns: USUAL,
    lines: {
      'first page by name': NONE,
      'page half way by name': NONE,
      'keyword "ski" by last name': NONE,
      'first page, any single order but status and country': most(2),
      'last page, the same': most(2),
      'first and last page by status or country': most(3),
      'first page under a status, a country or both': most(2.5),
      'first page of a country, any order': most(3),
      'an e-mail': most(4.5),
      'a name, a first name, a last name or an age, first page by id': most(3),
      'a name, a first name or a last name, first page in another order': most(25),
      'who lacks a field, in its order, first page': most(5),
      'who lacks a field, in its order, any page': most(9),
      'twenty ids': most(21),
      'counts by status, or by country': most(2),
      'counts by both': most(4),
      'a batch after a cursor': most(2),
      'a user by id': most(1),
      'a list that has not changed (304)': most(1),
    },
  },
  {
    title: 'Depth',
    columns: { ...USUAL, rounds: ['most'] },
    lines: {
      'any page: of all, a country, a status, both, an e-mail; in any order there is a list for': LISTED,
      'first page of a status, or of both filters, in another order': UNLISTED,
      'first page by two properties': TWO_PROPERTIES,
    },
  },
  { title: 'Drawn at random: read units', columns: { units: ['median', 'of95', 'most'] }, lines: DRAWN_LINES },
  {
    title: 'Drawn at random: rounds, calls',
    columns: { rounds: ['median', 'most'], calls: ['most'] },
    lines: DRAWN_LINES,
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
    },
  },
  {
    title: 'The price of a create, whole: at once and later',
    legend: 'each create',
    columns: PLAIN,
    lines: {
      'write units, at 1 create a second': most(45, 53),
      'write units, at 10 creates a second': most(41, 50),
      'write units, at 100 creates a second': most(31, 35),
      'read units, at 1 create a second': NONE,
      'read units, at 10 creates a second': NONE,
      'read units, at 100 creates a second': NONE,
      'dollars for a million, at 1 create a second': NONE,
      'dollars for a million, at 10 creates a second': NONE,
      'dollars for a million, at 100 creates a second': NONE,
    },
  },
  {
    title: 'The fold alone, warm, with a backlog of creates',
    legend: 'one backlog',
    columns: PLAIN,
    lines: {
      'entries a second': least(300, 200),
      'write units of the fold, each entry': NONE,
      'read units of the fold, each entry': NONE,
      'calls of the fold, each entry': NONE,
    },
  },
  {
    title: 'Next to 100 creates a second, with the fold in another thread',
    legend: 'median … most',
    columns: PLAIN,
    lines: {
      'creates taken, a second': least(95),
      'requests that failed': most(0),
      'first page by name in the last minute, read units': most(20),
      'POST, as a multiple of its median time at rest': median(2),
      'first page by name, as a multiple of its median time at rest': NONE,
      'entries in the journal after the last create': NONE,
      'seconds after it until the journal costs one read unit': most(15),
    },
  },
] as const satisfies readonly Table[];

type KeysOf<Lines> = Lines extends unknown ? keyof Lines : never;

export type Title = KeysOf<(typeof TABLES)[number]['lines']>;

export const TITLES = TABLES.flatMap(({ lines }) => Object.keys(lines));

/** The pages that README.md compares with the usual ways, and that users of a stage are assumed to ask for. */
export const BESIDE_OTHERS = [
  'first page by name',
  'page half way by name',
  'keyword "ski" by last name',
] as const satisfies Title[];

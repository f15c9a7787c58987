/** What `npm run bench -- --pace` measures, in the order of the report, and what it should cost. */
import { type Line, least, median, most, NONE, type Table } from '../targets.ts';

const PLAIN = { units: ['median', 'most'] } as const;

/** As with an empty journal: up to one read unit, the journal costs a list nothing more. */
const AS_WITH_NONE = most(1.5);

const BESIDE_WRITES: Line = {
  target: { units: { median: 18, most: 26 } },
  larger: { units: { median: 18, most: 30 } },
};

export const PACE_TABLES = [
  {
    title: 'Lists at rest, with entries in the journal',
    columns: PLAIN,
    isApart: true,
    lines: {
      'first page by name, 0 entries': AS_WITH_NONE,
      'first page by name, 10 entries': AS_WITH_NONE,
      'first page by name, 20 entries': AS_WITH_NONE,
      'first page by name, 30 entries': AS_WITH_NONE,
      'keyword by last name, 0 entries': NONE,
      'keyword by last name, 10 entries': NONE,
      'keyword by last name, 20 entries': NONE,
      'keyword by last name, 30 entries': NONE,
      'deep page by name, 0 entries': NONE,
      'deep page by name, 10 entries': NONE,
      'deep page by name, 20 entries': NONE,
      'deep page by name, 30 entries': NONE,
    },
  },
  {
    title: 'The price of a create, whole: at once and later',
    legend: 'each create',
    columns: PLAIN,
    isApart: true,
    lines: {
      'write units, at 1 create a second': most(45, 50),
      'write units, at 10 creates a second': most(38, 42),
      'write units, at 100 creates a second': most(28, 34),
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
    isApart: true,
    lines: {
      'entries a second': least(300, 150),
      'per cent of what the store takes of the same writes alone': least(60),
      'write units of the fold, each entry': NONE,
      'read units of the fold, each entry': NONE,
      'calls of the fold, each entry': NONE,
    },
  },
  {
    title: 'Next to 100 creates a second, with the fold in a thread of its own',
    legend: 'median … most',
    columns: PLAIN,
    isApart: true,
    lines: {
      'creates taken, a second': least(95),
      'requests that failed': most(0),
      'first page by name in the last minute, read units': BESIDE_WRITES,
      'POST, as a multiple of its median time at rest': median(2),
      'first page by name, as a multiple of its median time at rest': median(3),
      'entries in the journal after the last create': NONE,
      'seconds after it until the journal costs one read unit': most(15),
    },
  },
] as const satisfies readonly Table[];

const TITLES: ReadonlySet<string> = new Set(PACE_TABLES.flatMap(({ lines }) => Object.keys(lines)));

export const isOfPace = (title: string): boolean => TITLES.has(title);

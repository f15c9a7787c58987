import type { Measurement, Stat } from './figures.ts';
import { number, table } from './markdown.ts';
import { ofStores } from './results.ts';
import type { Title } from './tables.ts';

const UNKNOWN = '–';

const WARM: Title = 'Warm requests';
const DRAWN: Title = 'Questions drawn at random, any page';
const PEER: Title = 'Beside PostgreSQL';
const NEW: Title = 'A new container, with 5 % changed';
const WHOLE: Title = 'The price of a create, whole';

/** The rows, each with the numbers of some lines. */
const ROWS: [name: string, ...[Title, line: string, Stat][]][] = [
  [
    'Any page, any question: read units; calls',
    [WARM, 'any page, any counts, the stream: read units', 'one'],
    [WARM, 'any page, any counts, the stream: calls', 'one'],
  ],
  [
    'Any page of questions drawn at random, milliseconds of processor time: median; most',
    [DRAWN, 'all kinds', 'median'],
    [DRAWN, 'all kinds', 'most'],
  ],
  [
    'Time of 18 questions as a part of PostgreSQL’s: median; most',
    [PEER, 'all: median · most', 'median'],
    [PEER, 'all: median · most', 'most'],
  ],
  [
    'First answer of a new container: read units; milliseconds of processor time',
    [NEW, 'read units', 'one'],
    [NEW, 'first page by name, milliseconds', 'median'],
  ],
  [
    'A create, write units in its request; and whole at 1, 10, 100 a second',
    ['Writes, in their requests', 'create', 'one'],
    [WHOLE, 'write units, at 1 a second', 'one'],
    [WHOLE, 'write units, at 10 a second', 'one'],
    [WHOLE, 'write units, at 100 a second', 'one'],
  ],
];

/** The figures of README.md. */
export const summary = (measurements: readonly Measurement[]): string =>
  table(
    ['', ...ofStores(measurements).map(({ users }) => `${number(users)} users`)],
    ROWS.map(([name, ...shown]) => [
      name,
      ...ofStores(measurements).map(({ tables }) => {
        const values = shown.flatMap(([title, line, stat]) => tables[title]?.[line]?.[stat] ?? []);
        return values.map(number).join('; ') || UNKNOWN;
      }),
    ]),
  );

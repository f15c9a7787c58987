import type { Figure, Measurement } from './figures.ts';
import { number, table } from './markdown.ts';
import type { Title } from './tables.ts';

const UNKNOWN = '–';

/** Read units of the two usual ways that bench/README.md describes, for the first page by name at 100,000 users: measured once. */
const USUAL = { 100000: '1,778.5; 4,295' } as Partial<Record<number, string>>;

type Show = (read: (title: Title, line: string) => Figure, users: number) => (string | number | undefined)[];

const ROWS: [name: string, show: Show][] = [
  [
    'Any page, any question: read units; calls',
    (read) => [
      read('Warm requests', 'any page, any counts, the stream: read units').one,
      read('Warm requests', 'any page, any counts, the stream: calls').one,
    ],
  ],
  ['The usual ways, skip and count; scan and sort: read units of a first page by name', (_, users) => [USUAL[users]]],
  [
    'Milliseconds of processor time, any page of questions drawn at random: median; most',
    (read) => [
      read('Questions drawn at random, any page', 'all kinds').median,
      read('Questions drawn at random, any page', 'all kinds').most,
    ],
  ],
  [
    'The time of 18 questions as a part of PostgreSQL’s: median; most',
    (read) => [
      read('Beside PostgreSQL', 'all: median · most').median,
      read('Beside PostgreSQL', 'all: median · most').most,
    ],
  ],
  [
    'A new container: read units; milliseconds of processor time until its first answer',
    (read) => [
      read('A new container, with 3 % changed', 'read units').one,
      read('A new container, with 3 % changed', 'first page by name, milliseconds').median,
    ],
  ],
  ['A create, in write units: in its request', (read) => [read('Writes, in their requests', 'create').one]],
  [
    'A create, whole, in write units: at 1; 10; 100 a second',
    (read) =>
      ['at 1', 'at 10', 'at 100'].map((at) => read('The price of a create, whole', `write units, ${at} a second`).one),
  ],
];

/** The figures of README.md. */
export function summary(measurements: readonly Measurement[]): string {
  const shown = measurements.filter(({ users }) => users !== 10_000);
  const cell = ({ users, tables }: Measurement, show: Show): string => {
    const values = show((title, line) => tables[title]?.[line] ?? {}, users).filter((value) => value !== undefined);
    return values.map((value) => (typeof value === 'number' ? number(value) : value)).join('; ') || UNKNOWN;
  };
  return table(
    ['', ...shown.map(({ users }) => `${number(users)} users`)],
    ROWS.map(([name, show]) => [name, ...shown.map((each) => cell(each, show))]),
  );
}

/** What is measured, in the order of the report, and what it should cost. */
import { CHOSEN, OTHERS } from './chosen.ts';
import { KINDS, PLACES } from './drawn.ts';
import type { Figure, Stat } from './figures.ts';
import { PEER_QUESTIONS } from './peer/questions.ts';

/** The target up to 100,000 users, and the target of larger stores if it is another one. */
export interface Line {
  target: Figure;
  larger?: Figure;
  /** The figures should be at least as high as the targets. */
  isLeast?: true;
}

export interface Table {
  title: string;
  /** What the numbers are, if they are not what `columns` says. */
  legend?: string;
  /** What a cell shows. */
  columns: readonly Stat[];
  lines: Readonly<Record<string, Line>>;
}

const LARGE = 100_000;

const NONE: Line = { target: {} };
const most = (value: number, larger = value): Line => ({ target: { one: value }, larger: { one: larger } });
const least = (value: number): Line => ({ target: { one: value }, isLeast: true });

/** The targets of a line in a store of so many users. */
export const targetAt = (users: number, { target, larger = target }: Line): Figure => (users > LARGE ? larger : target);

const linesOf = (titles: readonly string[], line: Line): Record<string, Line> =>
  Object.fromEntries(titles.map((title) => [title, line]));

/** Milliseconds of one question, and of questions of all kinds together. */
const QUESTION: Line = { target: { most: 20 }, larger: { most: 60 } };
const QUESTIONS: Line = { target: { median: 5, most: 20 }, larger: { median: 15, most: 60 } };

const DISTRIBUTION = ['median', 'of95', 'most'] as const;

/** Write units of a create, whole. */
const whole = (at: string, units: number): Record<string, Line> => ({
  [`write units, ${at}`]: most(units),
  [`of these in its request, ${at}`]: NONE,
  [`of these in the fold, ${at}`]: NONE,
  [`of these in merges and sweeps, ${at}`]: NONE,
  [`read units, ${at}`]: NONE,
  [`dollars for a million, ${at}`]: NONE,
});

const container = (when: string): Record<string, Line> => ({
  [`read units, ${when}`]: most(450, 4_000),
  [`calls, ${when}`]: NONE,
  [`first page by name, ${when}, milliseconds`]: NONE,
  [`another question for the first time, ${when}, milliseconds`]: NONE,
});

export const ALL_PEER = 'all of them';

export const TABLES: readonly Table[] = [
  {
    title: 'What is stored',
    legend: 'with the benchmark’s people',
    columns: ['one'],
    lines: {
      'bytes of a user in the base': most(45, 30),
      'kilobytes of the base': NONE,
      'parts of the base': NONE,
      'megabytes of the columns in memory': NONE,
      'bytes of a changed user in a delta': NONE,
      'bytes of the head': NONE,
      'bytes of a user in the table and its indexes': NONE,
    },
  },
  {
    title: 'A new container',
    legend: 'in processes of their own: most, or median … most',
    columns: ['one', 'median', 'most'],
    lines: { ...container('after a merge'), ...container('with 3 % changed') },
  },
  {
    title: 'Read units and calls of warm requests',
    legend: 'most',
    columns: ['one'],
    lines: {
      ...linesOf(['any page, any counts, the stream: read units', 'any page, any counts, the stream: calls'], most(1)),
      ...Object.fromEntries(
        Object.keys(OTHERS).flatMap((title) => [
          [`${title}: read units`, most(title === 'a batch after a cursor' ? 2 : 1)],
          [`${title}: calls`, most(title === 'a batch after a cursor' ? 2 : 1)],
        ]),
      ),
    },
  },
  {
    title: 'Chosen questions',
    legend: 'milliseconds of processor time: median … 95 of 100 … most',
    columns: DISTRIBUTION,
    lines: { ...linesOf(Object.keys(CHOSEN), QUESTION), 'all users by name, as a stream': NONE },
  },
  {
    title: 'Questions drawn at random',
    legend: 'milliseconds of processor time: median … 95 of 100 … most',
    columns: DISTRIBUTION,
    lines: {
      ...linesOf(
        PLACES.map((place) => `all kinds, ${place}`),
        QUESTIONS,
      ),
      ...linesOf(
        KINDS.flatMap((kind) => PLACES.map((place) => `${kind}, ${place}`)),
        QUESTION,
      ),
    },
  },
  {
    title: 'Beside PostgreSQL',
    legend: 'milliseconds: the replica · with its journal · PostgreSQL · ratio of the replica to PostgreSQL',
    columns: ['replica', 'service', 'peer', 'ratio'],
    lines: linesOf(Object.keys(PEER_QUESTIONS), { target: { ratio: 1 } }),
  },
  {
    title: 'Beside PostgreSQL, all questions',
    legend: 'ratio: median … most',
    columns: ['median', 'most'],
    lines: { [ALL_PEER]: { target: { median: 0.3, most: 1 } } },
  },
  {
    title: 'Writes',
    legend: 'write units: most',
    columns: ['one'],
    lines: linesOf(
      ['create', 'patch of the age', 'patch of the country', 'delete'].map((each) => `${each}, at once`),
      most(8),
    ),
  },
  {
    title: 'The price of a create, whole: in its request and later',
    legend: 'each create',
    columns: ['one'],
    lines: { ...whole('at 1 a second', 15), ...whole('at 10 a second', 11), ...whole('at 100 a second', 10) },
  },
  {
    title: 'The fold alone, warm, with a backlog of creates',
    legend: 'one backlog',
    columns: ['one'],
    lines: {
      'entries a second': least(1_000),
      'entries a second with the waits of a stage: the pace it keeps': least(500),
      'milliseconds of processor time, each entry': NONE,
      'calls, each entry': NONE,
    },
  },
  {
    title: 'Beside 100 creates a second, with the fold in another thread',
    legend: 'a number, or median … most',
    columns: ['one', 'median', 'most'],
    lines: {
      'creates taken, a second': least(95),
      'requests that failed': most(0),
      'first page by name in the last minute, read units': { target: { most: 10 } },
      'entries in the journal after the last create': NONE,
      'seconds after it until the journal costs one read unit': most(15),
    },
  },
];

export const TITLES = TABLES.flatMap(({ lines }) => Object.keys(lines));

/** The tables of the report, in its order, and their targets. */
import type { Figure, Stat } from './figures.ts';

/** The target of a line in stores of up to 100,000 users, and in larger ones if that is another limit. */
export interface Target {
  most?: Figure;
  larger?: Figure;
  /** The figures should be at least as high. */
  least?: Figure;
}

export interface Table {
  /** The sentence that says what the numbers are. */
  legend: string;
  /** The numbers in a cell. */
  columns: readonly Stat[];
  /** Of single lines, and of all others. */
  targets: Readonly<Record<string, Target>>;
  others?: Target;
}

const LARGE = 100_000;

const most = (value: number, larger = value): Target => ({ most: { one: value }, larger: { one: larger } });
const least = (value: number): Target => ({ least: { one: value } });

/** Milliseconds of one kind of questions, and of all together. */
const QUESTION: Target = { most: { most: 8 }, larger: { most: 60 } };
const SECOND: Target = { most: { most: 100 }, larger: { most: 1_000 } };
const QUESTIONS: Target = { most: { median: 2, most: 8 }, larger: { median: 15, most: 60 } };

const CONTAINER: Table = {
  legend: 'five processes: most, or median … most',
  columns: ['one', 'median', 'most'],
  targets: {
    'read units': most(420, 4_000),
    'first page by name, milliseconds': { most: { median: 120 }, larger: { median: 1_000 } },
    'most megabytes over an empty function, for the first page': most(60, 300),
    'most megabytes over an empty function, for all but words': most(60, 300),
    'most megabytes over an empty function, for all of them': most(60, 300),
  },
};

const TIMES: Table = {
  legend: 'milliseconds of processor time: median … 95 of 100 … most',
  columns: ['median', 'of95', 'most'],
  targets: {
    'all kinds': QUESTIONS,
    'all users by name, as a stream': {},
    'two words anywhere by name': { most: { most: 10 }, larger: { most: 100 } },
    'one word anywhere': { most: { most: 10 }, larger: { most: 100 } },
    'two words anywhere': { most: { most: 10 }, larger: { most: 100 } },
    'counts of anything': SECOND,
    'dear on purpose': SECOND,
  },
  others: QUESTION,
};

export const TABLES = {
  'What is stored': { legend: 'the benchmark’s people', columns: ['one'], targets: {} },
  'A new container, after a merge': CONTAINER,
  'A new container, with 5 % changed': CONTAINER,
  'Warm requests': {
    legend: 'most',
    columns: ['one'],
    targets: { 'a batch after a cursor: read units': most(2), 'a batch after a cursor: calls': most(2) },
    others: most(1),
  },
  'Chosen questions': TIMES,
  'Questions drawn at random, first page': TIMES,
  'Questions drawn at random, any page': TIMES,
  'A merge': {
    legend: 'after 5 % have changed',
    columns: ['one'],
    targets: {
      'processor seconds, with a new container': most(0.5, 4),
      'write units a change': most(0.8),
      'in a container: the longest request, milliseconds': most(50),
    },
  },
  'Beside PostgreSQL': {
    legend: 'milliseconds: the replica · with its journal · PostgreSQL · the replica ÷ PostgreSQL',
    columns: ['replica', 'service', 'peer', 'ratio', 'median', 'most'],
    targets: {
      'two rare words by id': { most: { ratio: 2 } },
      'two rare words, which nobody has': { most: { ratio: 2 } },
      'all: median · most': { most: { median: 0.3, most: 1 }, larger: { median: 0.2, most: 1 } },
    },
    others: { most: { ratio: 1 } },
  },
  'Lists from OpenSearch': {
    legend:
      'milliseconds by the clock: the replica · OpenSearch · OpenSearch ÷ the replica · OpenSearch ÷ its own with 100,000 users',
    columns: ['one', 'replica', 'peer', 'ratio', 'growth'],
    targets: { 'bytes of a user in the index': {}, 'users a second into the index': {} },
    others: { larger: { growth: 3 } },
  },
  'Writes, in their requests': { legend: 'write units: most', columns: ['one'], targets: {}, others: most(8) },
  'The price of a create, whole': {
    legend: 'each create',
    columns: ['one'],
    targets: {
      'write units, at 1 a second': most(15),
      'write units, at 10 a second': most(11),
      'write units, at 100 a second': most(10),
    },
  },
  'The fold alone, warm, with a backlog of creates': {
    legend: 'one backlog',
    columns: ['one'],
    targets: { 'entries a second': least(1_000), 'entries a second, with the waits of a stage': least(500) },
  },
  'Beside 100 creates a second, in the last minute': {
    legend: 'median … 95 of 100 … most',
    columns: ['median', 'of95', 'most'],
    targets: { 'first page, read units': { most: { most: 10 } } },
  },
  'A thousand creates a second, for a minute': {
    legend: 'four parts of the journal: median … 95 of 100 … most',
    columns: ['one', 'median', 'of95', 'most'],
    targets: {
      'creates refused': most(0),
      'lists that lack a create, or have too many': most(0),
      'entries in the journal, 20 seconds later': most(1_000),
    },
  },
  'Millions of users in one process': {
    legend: 'without a store, with 5 % changed',
    columns: ['one', 'median', 'of95', 'most'],
    targets: {},
  },
  'New containers at once, on a store that throttles': {
    legend:
      'seconds until their first answers: median · most · requests failed · calls refused · milliseconds of the slowest list in a warm container · of the slowest create',
    columns: ['median', 'most', 'failed', 'refused', 'list', 'write'],
    targets: {},
    others: { most: { most: 15, failed: 0 } },
  },
} as const satisfies Record<string, Table>;

export type Title = keyof typeof TABLES;

export const targetOf = ({ targets, others = {} }: Table, line: string): Target => targets[line] ?? others;

/** Whether a figure misses its target in a store of `users` users. */
export function isMissed(users: number, figure: Figure, { most, larger = most, least }: Target): boolean {
  const limits = users > LARGE ? larger : most;
  const { least: lowest, ...highest } = figure;
  const isBeyond = ([stat, value]: [string, number]): boolean =>
    value > (limits?.[stat as Stat] ?? value) ||
    (lowest?.[stat as Stat] ?? value) < (least?.[stat as Stat] ?? Number.NEGATIVE_INFINITY);
  return Object.entries(highest).some(isBeyond);
}

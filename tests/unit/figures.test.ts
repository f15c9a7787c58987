import { expect, test } from 'vitest';
import type { Measurement, Stat } from '../../bench/figures.ts';
import { number } from '../../bench/markdown.ts';
import { PRICES } from '../../bench/prices.ts';
import type { Title } from '../../bench/tables.ts';
import { baseBytesFor, MEGABYTES } from '../../lib/replica/index.ts';
import { FULL_SHARE, sizeOf } from '../../lib/replica/internals.ts';
import { people } from '../../tools/samples/people.ts';
import { read } from '../support/files.ts';

/** Figures in prose, each computed from what makes it: recorded costs, limits of the code, and the people of the benchmark. */
const recorded: Measurement[] = JSON.parse(read('bench/results.json'));

/** A recorded number. */
function at(users: number, title: Title, line: string, stat: Stat = 'one'): number {
  const value = recorded.find((each) => each.users === users)?.tables[title]?.[line]?.[stat];
  if (value === undefined) throw new Error(`${title}, ${line}, was not recorded at ${users} users`);
  return value;
}

const MILLION = 1_000_000;

/** The share of a user in the memory for lists, in bytes of columns. */
const BYTES_OF_USER =
  sizeOf({ unpacked: at(MILLION, 'What is stored', 'megabytes of its columns') * MILLION, users: MILLION }) / MILLION;

/** The share of the memory at which the alarm `size` goes off. */
const ALARM_SHARE = Number(/All users take (\d+) % or more/.exec(read('tools/deploy/monitoring.yml'))?.[1]) / 100;

const millionsIn = (megabytes: number, share: number): string =>
  ((share * baseBytesFor(megabytes)) / BYTES_OF_USER / MILLION).toFixed(1);

const down = (value: number, step: number): number => Math.floor(value / step) * step;

/** A partition of DynamoDB writes and reads this many units a second. An entry of the journal is written for two, and deleted for one. */
const PARTITION = { write: 1_000, read: 3_000 };
const UNITS_OF_ENTRY = 3;
const WRITES = `${down(PARTITION.write / UNITS_OF_ENTRY, 10)} writes a second`;

const FULL = `ome ${millionsIn(MEGABYTES, FULL_SHARE)} million users`;

/** The bytes of a user of the benchmark in `/api/users/all`, with what the service sets and the comma after it. */
function bytesInStream(): number {
  const source = people(1);
  const moment = '2026-11-20T17:27:41.150Z';
  const shown = Array.from({ length: 5_000 }, () => ({
    id: 890_301_895_272_553,
    ...source.next().value,
    ...{ createdAt: moment, updatedAt: moment },
  }));
  return (Buffer.byteLength(JSON.stringify(shown)) - 1) / shown.length;
}

/** API Gateway ends a stream after this. */
const STREAM_BYTES = 200_000_000;

const BESIDE = at(100_000, 'Beside 100 creates a second, in the last minute', 'first page, read units', 'median');
const PACE = at(
  100_000,
  'The fold alone, warm, with a backlog of creates',
  'entries a second, with the waits of a stage',
);
const afterMerge = (users: number): string => number(at(users, 'A new container, after a merge', 'read units'));

const herd = (stat: Stat): number =>
  Math.max(
    ...['after', 'before'].map((when) =>
      at(
        MILLION,
        'New containers at once, on a store that throttles',
        `50 containers, a new table, ${when} a merge`,
        stat,
      ),
    ),
  );

const expectSentence = (page: string, sentence: string): void =>
  expect(read(page).includes(sentence), `${page} must say: ${sentence}`).toBe(true);

test.each<[page: string, sentence: string]>([
  ['README.md', FULL],
  ['docs/scale.md', FULL],
  ['README.md', WRITES],
  ['docs/choose.md', WRITES],
  ['docs/scale.md', WRITES],
  ['docs/choose.md', `${millionsIn(MEGABYTES, FULL_SHARE)} million users`],
  [
    'docs/scale.md',
    `some ${Math.round(at(MILLION, 'What is stored', 'bytes of a user in the base'))} bytes in the stored base, and ${at(MILLION, 'What is stored', 'megabytes of its columns')} in its columns`,
  ],
  [
    'docs/deployment.md',
    `some ${down((1_000_000 * 1_000 * BYTES_OF_USER) / (baseBytesFor(1_200) - baseBytesFor(200)), 10)} bytes a user`,
  ],
  ['docs/scale.md', `after a merge: ${afterMerge(100_000)} at 100,000 users, ${afterMerge(MILLION)} at a million`],
  ['docs/scale.md', `${number(PARTITION.read)} lists a second`],
  ['docs/scale.md', `Beside 100 creates a second a list costs ${BESIDE} units`],
  ['docs/scale.md', `which allows ${down(PARTITION.read / BESIDE, 10)} lists a second`],
  ['docs/scale.md', `takes some ${down(PACE, 100)} entries a second`],
  [
    'docs/scale.md',
    `a list costs ${at(1_000, 'A thousand creates a second, for a minute', 'read units of a list', 'median')} units`,
  ],
  ['docs/scale.md', `the last of fifty answers after ${herd('most')} seconds`],
  ['docs/scale.md', `Lists in older containers wait for up to ${number(herd('list') / 1_000)} seconds`],
  ['docs/scale.md', `some ${number(Math.round(STREAM_BYTES / bytesInStream() / 100_000) * 100_000)} users as JSON`],
])('a figure in %s is what it is computed from: "%s"', (page, sentence) => {
  expectSentence(page, sentence);
});

/** Milliseconds of a median question, by what was recorded for the two sizes beside it, or the largest two. */
function questionAt(users: number): number {
  const [small, large] = users < 3 * MILLION ? ([1, 3] as const) : ([3, 5] as const);
  const [least, most] = [small, large].map((millions) =>
    at(
      millions * MILLION,
      'Millions of users in one process',
      'questions drawn at random, any page, milliseconds',
      'median',
    ),
  ) as [number, number];
  return least + ((most - least) * (users / MILLION - small)) / (large - small);
}

/** Milliseconds of a function besides the question. */
const BESIDES = 20;

test.each([1_769, 3_008, 5_120, 8_300])(
  'docs/scale.md says how many users fit into %d MB, how long a question takes among them, and its price',
  (megabytes) => {
    const cells = read('docs/scale.md').matchAll(
      /^\| ([\d,]+) \| ([\d.]+)\D*? \| ([\d.]+)\D*? \| (\d+) ms \| \$([\d.]+) \|/gm,
    );
    const row = [...cells].find(([, memory]) => memory === number(megabytes)) ?? [];
    const full = millionsIn(megabytes, FULL_SHARE);
    const milliseconds = questionAt(Number(full) * MILLION);
    const seconds = (milliseconds + BESIDES) / 1_000;
    const dollars = MILLION * (seconds * (megabytes / 1_024) * PRICES.gbSecond + PRICES.call + PRICES.readUnit);
    expect(row.slice(2)).toEqual([
      millionsIn(megabytes, ALARM_SHARE),
      full,
      String(Math.round(milliseconds)),
      String(Number(dollars.toPrecision(2))),
    ]);
  },
);

test('doors/agents/README.md says how many tools and parameters the document makes', () => {
  const { paths, components } = JSON.parse(read('docs/openapi.json'));
  const operations = Object.values<Record<string, { operationId?: string }>>(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => operationId);
  const queries = paths['/api/users'].get.parameters
    .map(({ $ref = '', ...inline }) => components.parameters[$ref.replace(/.*\//, '')] ?? inline)
    .filter((each: { in: string }) => each.in === 'query');
  const dotted = queries.filter(({ name }: { name: string }) => name.includes('.'));
  const kilobytes = Math.round(JSON.stringify(queries).length / 1_000);
  for (const sentence of [
    `${dotted.length} of ${queries.length} of \`listUsers\` have a dot`,
    `It makes ${operations.length} tools. The parameters of \`listUsers\` alone take ${kilobytes} KB without white space`,
  ])
    expectSentence('doors/agents/README.md', sentence);
});

/** Dollars a month. */
const SECRET = 0.4;
const MINUTES = 60 * 24 * 30;
/** Gigabytes of a function, for seconds. */
const lambda = (gigabytes: number, seconds: number) => PRICES.call + gigabytes * seconds * PRICES.gbSecond;
const near = (dollars: number, digits: number) => Number(dollars.toPrecision(digits)).toString();

test('the pages of doors say what these cost', () => {
  // A run: two writes of its table, and an empty page of the feed.
  const page = PRICES.apiRequest + lambda(0.5, 0.05) + 3 * PRICES.readUnit;
  const run = lambda(0.25, 0.1) + 2 * PRICES.writeUnit + page;
  const idle = SECRET + 2 * PRICES.alarmedMetric + MINUTES * run;
  /** A million changes, a page of a hundred for each hundred, and as many in a batch. */
  const sent = (batch: number) =>
    MILLION *
    (PRICES.readUnit +
      page / 100 +
      (PRICES.writeUnit + 0.25 * 0.1 * PRICES.gbSecond) / batch +
      (100 / 1e9) * PRICES.loggedGb);
  expectSentence('doors/webhook/README.md', `${near(idle, 1)}0 dollars a month when idle`);
  expectSentence('doors/webhook/README.md', `${near(sent(8), 1)}0 to ${near(sent(1), 2)}0 a million changes`);
  // SQS is asked three times for a message, at 0.40 dollars a million.
  const list = PRICES.apiRequest + lambda(1.769, 0.01) + PRICES.readUnit;
  const message = 3 * (0.4 / MILLION) + lambda(0.25, 0.2) + list;
  const change = message + lambda(0.25, 0.2) + list + PRICES.apiRequest + lambda(0.5, 0.05) + 10.4 * PRICES.writeUnit;
  const sentence = `${near(SECRET + PRICES.alarmedMetric, 1)}0 dollars a month, and some ${near(message * MILLION, 1)} dollars a million messages without a change, ${near(change * MILLION, 2)} with one`;
  expectSentence('doors/follow/README.md', sentence);
});

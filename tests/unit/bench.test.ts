import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chart } from '../../bench/chart.ts';
import { dollarsTable, readStorage } from '../../bench/dollars.ts';
import { drawQuestions, KINDS, type Kind, type Place } from '../../bench/drawn.ts';
import { type Cost, type Figure, type Measurement, summarize } from '../../bench/figures.ts';
import { TABLES, type Title } from '../../bench/lines.ts';
import { readSection } from '../../bench/markdown.ts';
import { PACE_TABLES } from '../../bench/pace/lines.ts';
import { peerTable, readPeer } from '../../bench/peer.ts';
import { report } from '../../bench/report.ts';
import { merged } from '../../bench/results.ts';
import { pageAt, SEED } from '../../bench/sample.ts';
import { bytesOf } from '../../bench/simulation.ts';
import { summary } from '../../bench/summary.ts';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { readPageQuery } from '../../lib/http/request/queries.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { userItem } from '../../lib/users/userItem.ts';
import { event } from '../support/events.ts';

type Figures = Partial<Record<Title, Figure>>;

const measurement = (users: number, figures: Figures = {}): Measurement => ({ users, compared: [], figures });

/** The figure of some costs. A number stands for a question that took so many read units and two calls. */
const figureOf = (...costs: (number | Cost)[]): Figure =>
  summarize(costs.map((cost) => (typeof cost === 'number' ? { units: cost, calls: 2, rounds: 1 } : cost)));

/** The rows of a line, in the order of the tables. */
const rowsOf = (measurements: Measurement[], title: Title): string[] =>
  report(measurements)
    .split('\n')
    .filter((line) => line.startsWith(`| ${title} |`));

const MANY: Cost[] = Array.from({ length: 100 }, (_, i) => ({ units: i < 94 ? 8 : 121, calls: i < 99 ? 6 : 61 }));

const COMMON = 'first page by two properties';
const DEEP = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';
const PACE = 'entries a second';

describe('the report of the benchmark', () => {
  test.each<[string, Title, Record<number, (number | Cost)[]>, string[]]>([
    [
      'marks a figure above its target, each size by its own target',
      COMMON,
      { 1000: [1, 8, 60], 10000: [1, 8.5, 60], 100000: [1, 8, 60.5], 1000000: [1, 12, 120], 2000000: [1, 12, 120.5] },
      [
        '≤ 8 … 60, ≤ 12 … 120 | 8 … 60 · 2 | **8.5 … 60 ✗** · 2 | **8 … 60.5 ✗** · 2 | 12 … 120 · 2 | **12 … 120.5 ✗** · 2',
      ],
    ],
    [
      'marks what 95 of 100 do not exceed if it is above its target, and calls apart from units',
      'any list, any page',
      { 1000: MANY },
      ['≤ 8 … 120 … –, ≤ 12 … 800 … – | **8 … 121 … 121 ✗**', '≤ 6 … 60, ≤ 8 … 100 | **6 … 61 ✗**'],
    ],
    [
      'shows a dash for what was not recorded',
      COMMON,
      { 1000: [{ units: 2 }, { units: 2 }, { units: 111 }], 10000: [] },
      ['≤ 8 … 60, ≤ 12 … 120 | **2 … 111 ✗** · – | –'],
    ],
    [
      'marks a figure below a target that it should reach, each size by its own target',
      PACE,
      { 1000: [299], 100000: [300], 200000: [150], 1000000: [149] },
      ['≥ 300, ≥ 150 | **299 ✗** | 300 | 150 | **149 ✗**'],
    ],
    [
      'marks nothing above 100,000 users in a line that has a target below them alone',
      'two ranges, the order of one, first page',
      { 100000: [61, 61, 61], 1000000: [61, 61, 61] },
      ['≤ 60 … – … –, – | **61 ✗** | 61', '≤ 60, ≤ 100 | 2 | 2'],
    ],
  ])('%s', (_, title, sizes, rows) => {
    const measured = Object.entries(sizes).map(([users, costs]) =>
      measurement(Number(users), costs.length > 0 ? { [title]: figureOf(...costs) } : {}),
    );
    expect(rowsOf(measured, title)).toEqual(rows.map((row) => `| ${title} | ${row} |`));
  });

  test('marks too many calls one after another in their own row', () => {
    const rounds = figureOf({ units: 3, calls: 7, rounds: 5 });
    expect(report([measurement(1_000, { [DEEP]: rounds })])).toContain(
      `| ${DEEP} | ≤ 5 … 8, ≤ 6 … 10 | 3 · 7 |\n| the same: calls one after another | ≤ 4 | **5 ✗** |`,
    );
  });

  test('has a table of the pace only if it was measured', () => {
    const title = `### ${PACE_TABLES[2].title}`;
    expect(report([measurement(1_000)])).not.toContain(title);
    expect(report([measurement(1_000), measurement(100_000, { [PACE]: figureOf(301) })])).toContain(title);
  });

  test('names the request with the most units, and the request with the most calls if it is another one', () => {
    const [dear, busy] = [
      { units: 9, calls: 2, query: 'sort=name', plan: 'walk byName' },
      { units: 3, calls: 8, query: 'keyword=%C3%A9', plan: 'gather' },
    ];
    const title = 'any search, first page';
    expect(rowsOf([measurement(1_000, { [title]: figureOf(dear, busy) })], title).slice(-2)).toEqual([
      `| ${title} | 2 | 9 | 2 | \`sort=name\` | walk byName |`,
      `| ${title} | 2 | 3 | 8 | \`keyword=é\` | gather |`,
    ]);
  });

  test('keeps what the other run has recorded for the same size, and drops its own lines that it no longer finds', () => {
    const compared = [{ title: 'First page by name', units: 1.5 }];
    const recorded: Measurement = {
      users: 1_000,
      compared,
      figures: { 'an e-mail': figureOf(2), [PACE]: figureOf(40), gone: figureOf(9) },
    };
    const paced = measurement(1_000, { [PACE]: figureOf(310) });
    const asked = measurement(1_000, { 'an e-mail': figureOf(3) });
    expect(merged(recorded, paced, true)).toEqual({
      users: 1_000,
      compared,
      figures: { 'an e-mail': figureOf(2), gone: figureOf(9), [PACE]: figureOf(310) },
    });
    expect(merged(recorded, asked, false)).toEqual(
      measurement(1_000, { 'an e-mail': figureOf(3), [PACE]: figureOf(40) }),
    );
    expect(merged(undefined, paced, true)).toEqual(paced);
  });

  test('has no title in two sets of lines, because figures are recorded by title', () => {
    const lines = [...new Set(TABLES.map((table) => table.lines))];
    const titles = lines.flatMap((each) => Object.keys(each));
    expect(titles).toEqual([...new Set(titles)]);
  });
});

const recorded: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));

test.each<[shown: string, command: string, file: string, section: string, wanted: () => string]>([
  ['the figures', ' -- --render', 'bench/README.md', 'figures', () => report(recorded)],
  ['some figures', ' -- --render', 'README.md', 'figures', () => summary(recorded)],
  ['dollars a month', ':dollars', 'README.md', 'dollars', () => dollarsTable(recorded, readStorage())],
  ['milliseconds beside a peer', ' -- --peer URL', 'bench/README.md', 'peer', () => peerTable(readPeer(), 'all')],
  ['some of these milliseconds', ' -- --peer URL', 'README.md', 'peer', () => peerTable(readPeer(), 'short')],
])('%s are shown as they are recorded: if not, run `npm run bench%s`', (_, __, file, section, wanted) => {
  expect(readSection(file, section)).toBe(wanted());
  expect(wanted()).not.toContain('NaN');
});

test('the chart is drawn as it is recorded: if not, run `npm run bench -- --render`', () => {
  expect(readFileSync('bench/chart.svg', 'utf8')).toBe(chart(recorded));
});

test('the text says how many bytes of an item a table without indexes would have', () => {
  const source = people(SEED);
  const ids = Array.from({ length: 2_000 }, (_, i) => 600_000_000_000_000 + i * 1_000_000_007);
  const items = ids.map((id) => userItem({ ...source.next().value, id, version: 1 }));
  const bytesEach = (bytes: number[]) => Math.round(bytes.reduce((sum, each) => sum + each) / bytes.length);
  const whole = bytesEach(items.map(bytesOf));
  const bare = bytesEach(items.map(({ id, v, f }) => bytesOf({ id, v, f })));
  expect(readFileSync('bench/README.md', 'utf8').replaceAll(/\n +/g, ' ')).toContain(
    `items of about ${bare} bytes instead of ${whole} for the same users`,
  );
  expect(Math.round((10 * bare) / whole)).toBe(3);
});

const COUNT = 200;

/** The names of a query's parameters, with the length of a keyword, and the property of a sort without its direction. */
const shapeOf = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => {
      if (name === 'keyword') return `keyword ${Math.min([...value].length, 3)}`;
      return name === 'sort' ? `sort ${value.replace(',desc', '')}` : name;
    })
    .join(' & ');

const OTHER_ORDERS = ['name', 'email', 'age', 'firstName', 'lastName'];

describe('questions drawn at random', () => {
  test.each(KINDS)('are requests that the service accepts, the same for the same seed and for any page: %s', (kind) => {
    const draw = (seed: number, place: Place = 'first page') => drawQuestions(kind, place, COUNT, { seed });
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7)).toEqual(draw(7, 'any page').map((question) => ({ ...question, depth: 0 })));
    for (const { query, rules = LISTINGS.listUsers } of draw(7))
      expect(() => readPageQuery(event(query), rules), query).not.toThrow();
  });

  test.each<[Kind, string[]]>([
    ['status and country, another order', OTHER_ORDERS.map((property) => `status & country & sort ${property}`)],
    [
      '3+ letters and a status',
      ['id', 'createdAt', ...OTHER_ORDERS].map((property) => `keyword 3 & status & sort ${property}`),
    ],
    [
      'letters, by status or country',
      [1, 2, 3].flatMap((length) => [`keyword ${length} & sort status`, `keyword ${length} & sort country`]),
    ],
  ])('have the parameters of their kind and no others: %s', (kind, shapes) => {
    const drawn = drawQuestions(kind, 'any page', COUNT).map(({ query }) => shapeOf(query));
    expect(new Set(drawn)).toEqual(new Set(shapes));
  });
});

test.each([
  [1, 100, 4],
  [0.999, 100, 4],
  [0.5, 101, 3],
  [0, 101, 0],
  [1, 0, 0],
])('a page at a depth of %d in a list of %d users is number %d', (depth, total, page) => {
  expect(pageAt(depth, total)).toBe(page);
});

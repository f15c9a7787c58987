import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chart } from '../../bench/chart.ts';
import { dollarsTable, readStorage } from '../../bench/dollars.ts';
import { drawQuestions, KINDS, type Kind } from '../../bench/drawn.ts';
import { type Cost, type Figure, type Measurement, summarize } from '../../bench/figures.ts';
import { TABLES, type Title } from '../../bench/lines.ts';
import { readSection } from '../../bench/markdown.ts';
import { peerTable, readPeer } from '../../bench/peer.ts';
import { report } from '../../bench/report.ts';
import { pageAt } from '../../bench/sample.ts';
import { summary } from '../../bench/summary.ts';
import { ANY_FIELD, LISTINGS } from '../../lib/http/listingRules.ts';
import { readPageQuery } from '../../lib/http/request/queries.ts';
import { event } from '../support/events.ts';

const measurement = (users: number, figures: Partial<Record<Title, Figure>> = {}): Measurement => ({
  users,
  compared: [],
  figures,
});

const ofUnits = (...units: number[]): Figure => summarize(units.map((each) => ({ units: each, calls: 2, steps: 1 })));

const COMMON = 'first page by two properties';
const LIMITED = '2 letters, first page';
const DEEP = 'any page: of all, a country, a status, both, an e-mail; in any order there is a list for';

/** The rows of a line, in the order of the tables. */
const rowsOf = (measurements: Measurement[], title: Title): string[] =>
  report(measurements)
    .split('\n')
    .filter((line) => line.startsWith(`| ${title} |`));

describe('the report of the benchmark', () => {
  test('marks a figure above its target at every size, each size by its own target', () => {
    const measured = [
      measurement(300, { [COMMON]: ofUnits(1, 8, 60) }),
      measurement(1_000, { [COMMON]: ofUnits(1, 8.5, 60) }),
      measurement(10_000, { [COMMON]: ofUnits(1, 8, 60.5) }),
      measurement(100_000, { [COMMON]: ofUnits(1, 12, 120) }),
      measurement(1_000_000, { [COMMON]: ofUnits(1, 12, 120) }),
      measurement(2_000_000, { [COMMON]: ofUnits(1, 12, 120.5) }),
    ];
    expect(rowsOf(measured, COMMON)).toEqual([
      `| ${COMMON} | ≤ 8 … 60, ≤ 12 … 120 | 8 … 60 · 2 | **8.5 … 60 ✗** · 2 | **8 … 60.5 ✗** · 2 | **12 … 120 ✗** · 2 | 12 … 120 · 2 | **12 … 120.5 ✗** · 2 |`,
    ]);
  });

  test('marks what 95 of 100 exceed, and calls apart from units', () => {
    const costs: Cost[] = Array.from({ length: 100 }, (_, i) => ({ units: i < 94 ? 8 : 121, calls: i < 99 ? 6 : 61 }));
    const measured = [measurement(1_000, { 'any list, any page': summarize(costs) })];
    expect(rowsOf(measured, 'any list, any page')).toEqual([
      '| any list, any page | ≤ 8 … 120 … –, ≤ 12 … 800 … – | **8 … 121 … 121 ✗** |',
      '| any list, any page | ≤ 6 … 60, ≤ 8 … 100 | **6 … 61 ✗** |',
    ]);
  });

  test('marks too many calls one after another in a row of their own', () => {
    const steps = summarize([{ units: 3, calls: 7, steps: 5 }]);
    expect(report([measurement(1_000, { [DEEP]: steps })])).toContain(
      `| ${DEEP} | ≤ 5 … 8, ≤ 6 … 10 | 3 · 7 |\n| the same: calls one after another | ≤ 4 | **5 ✗** |`,
    );
  });

  test('shows a dash where nothing is recorded yet, for a line and for its calls', () => {
    const old: Figure = { requests: 3, units: { median: 2, most: 111 }, worst: [] };
    const measured = [measurement(1_000, { [COMMON]: old }), measurement(10_000)];
    expect(rowsOf(measured, COMMON)).toEqual([`| ${COMMON} | ≤ 8 … 60, ≤ 12 … 120 | **2 … 111 ✗** · – | – |`]);
    expect(rowsOf(measured, LIMITED)).toEqual([
      `| ${LIMITED} | ≤ 110, ≤ 190 | – | – |`,
      `| ${LIMITED} | ≤ 60, ≤ 100 | – | – |`,
    ]);
  });

  test('marks nothing in a line without a target', () => {
    const title = 'after them, while none is folded';
    expect(rowsOf([measurement(1_000_000, { [title]: ofUnits(1, 5_000) })], title)).toEqual([
      `| ${title} |  | 5,000 · 2 |`,
    ]);
  });

  test('names the request of the most units, and that of the most calls if it is another one', () => {
    const [dear, busy] = [
      { units: 9, calls: 2, query: 'sort=name', plan: 'walk byName' },
      { units: 3, calls: 8, query: 'keyword=%C3%A9', plan: 'gather' },
    ];
    const title = 'any search, first page';
    expect(rowsOf([measurement(1_000, { [title]: summarize([dear, busy]) })], title).slice(-2)).toEqual([
      `| ${title} | 2 | 9 | 2 | \`sort=name\` | walk byName |`,
      `| ${title} | 2 | 3 | 8 | \`keyword=é\` | gather |`,
    ]);
  });

  test('has each title in tables of the same lines only, since figures are recorded by it', () => {
    const lines = [...new Set(TABLES.map((table) => table.lines))];
    const titles = lines.flatMap((each) => Object.keys(each));
    expect(titles).toEqual([...new Set(titles)]);
  });
});

test('tables and chart show what is recorded: if not, run `npm run bench -- --render`', () => {
  const recorded: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  expect(readSection('bench/README.md', 'figures')).toBe(report(recorded));
  expect(readSection('README.md', 'figures')).toBe(summary(recorded));
  expect(readFileSync('bench/chart.svg', 'utf8')).toBe(chart(recorded));
});

test('dollars a month are those of what is recorded: if not, run `npm run bench:dollars`', () => {
  const recorded: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  const shown = readSection('README.md', 'dollars');
  expect(shown).toBe(dollarsTable(recorded, readStorage()));
  expect(shown).not.toContain('NaN');
});

test('milliseconds beside a peer are those of what is recorded', () => {
  expect(readSection('README.md', 'peer')).toBe(peerTable(readPeer(), 'short'));
  expect(readSection('bench/README.md', 'peer')).toBe(peerTable(readPeer(), 'all'));
  expect(peerTable(readPeer(), 'short').split('\n')).toHaveLength(8);
});

test('the chart shows questions drawn at random as soon as they are measured', () => {
  const drawn = { 'all kinds, any page': ofUnits(4, 90) };
  const title = 'Any page, drawn at random';
  expect(chart([measurement(1_000), measurement(10_000)])).not.toContain(title);
  expect(chart([measurement(1_000), measurement(10_000, drawn)])).toContain(title);
});

const COUNT = 200;

/** The parameters of a query in the order of their names, a keyword by its length, and a sort without its direction. */
const shapeOf = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => {
      if (name === 'keyword') return `keyword ${Math.min([...value].length, 3)}`;
      return name === 'sort' ? `sort ${value.replace(',desc', '')}` : name;
    })
    .join(' & ');

const shapesOf = (kind: Kind): string[] => [
  ...new Set(drawQuestions(kind, 'any page', COUNT).map(({ query }) => shapeOf(query))),
];

const OTHER_ORDERS = ['name', 'email', 'age', 'firstName', 'lastName'];

describe('questions drawn at random', () => {
  test.each(KINDS)('are the same for the same seed, and others for another: %s', (kind) => {
    const draw = (seed: number) => drawQuestions(kind, 'any page', COUNT, { seed });
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test.each(KINDS)('are requests that the service takes: %s', (kind) => {
    for (const { query, rules = LISTINGS.listUsers } of drawQuestions(kind, 'first page', COUNT)) {
      expect(() => readPageQuery(event(query), rules), query).not.toThrow();
    }
  });

  test.each(KINDS)('ask the same for the first page and for a page anywhere: %s', (kind) => {
    const [first, anywhere] = [drawQuestions(kind, 'first page', COUNT), drawQuestions(kind, 'any page', COUNT)];
    expect(first.map(({ query }) => query)).toEqual(anywhere.map(({ query }) => query));
    expect(new Set(first.map(({ depth }) => depth))).toEqual(new Set([0]));
    expect(new Set(anywhere.map(({ depth }) => depth)).size).toBeGreaterThan(COUNT / 2);
  });

  test.each<[Kind, string[]]>([
    ['one order', ['id', 'createdAt', ...OTHER_ORDERS].map((property) => `sort ${property}`)],
    ['by status or country', ['sort status', 'sort country']],
    ['a status, another order', [...OTHER_ORDERS, 'country'].map((property) => `status & sort ${property}`)],
    ['status and country, another order', OTHER_ORDERS.map((property) => `status & country & sort ${property}`)],
    ['a country, any order', ANY_FIELD.properties.map((property) => `country & sort ${property}`)],
    ['3+ letters, by last name', ['keyword 3 & sort lastName']],
    [
      '3+ letters, another order',
      ['id', 'name', 'email', 'age', 'firstName', 'createdAt'].map((property) => `keyword 3 & sort ${property}`),
    ],
    [
      '3+ letters and a status',
      ['id', 'createdAt', ...OTHER_ORDERS].map((property) => `keyword 3 & status & sort ${property}`),
    ],
    ['2 letters', ['id', 'createdAt', ...OTHER_ORDERS].map((property) => `keyword 2 & sort ${property}`)],
    ['1 letter', ['id', 'createdAt', ...OTHER_ORDERS].map((property) => `keyword 1 & sort ${property}`)],
    [
      'letters, by status or country',
      [1, 2, 3].flatMap((length) => [`keyword ${length} & sort status`, `keyword ${length} & sort country`]),
    ],
  ])('have the parameters of their kind and no others: %s', (kind, shapes) => {
    expect(shapesOf(kind).sort()).toEqual(shapes.sort());
  });

  test('sort by two different properties, each of all of them', () => {
    const pairs = drawQuestions('two properties', 'first page', COUNT).map(({ query }) =>
      new URLSearchParams(query).getAll('sort').map((sort) => sort.replace(',desc', '')),
    );
    expect(pairs.filter(([first, second, ...others]) => first === second || !second || others.length > 0)).toEqual([]);
    for (const each of [0, 1]) {
      expect(new Set(pairs.map((pair) => pair[each] ?? ''))).toEqual(new Set(ANY_FIELD.properties));
    }
  });

  test('are of every filter, with keywords of every length and without, by one property and by two', () => {
    const parts = drawQuestions('any list', 'first page', COUNT).map(({ query }) => {
      const names = [...new URLSearchParams(query).keys()];
      const [, keyword = 'no keyword'] = shapeOf(query).match(/(keyword \d)/) ?? [];
      return {
        filter: names.filter((name) => name !== 'sort' && name !== 'keyword').join(' & '),
        keyword,
        sorts: names.filter((name) => name === 'sort').length,
      };
    });
    expect(new Set(parts.map(({ filter }) => filter))).toEqual(
      new Set(['', 'status', 'country', 'status & country', 'email']),
    );
    expect(new Set(parts.map(({ keyword }) => keyword))).toEqual(
      new Set(['no keyword', 'keyword 1', 'keyword 2', 'keyword 3']),
    );
    expect(new Set(parts.map(({ sorts }) => sorts))).toEqual(new Set([1, 2]));
  });

  test('ask searches for keywords that very many users have, and for keywords that few have', () => {
    const keywords = drawQuestions('3+ letters, by last name', 'first page', COUNT).map(
      ({ query }) => new URLSearchParams(query).get('keyword') ?? '',
    );
    expect(new Set(keywords).size).toBeGreaterThan(COUNT / 2);
    expect(Math.max(...keywords.map((keyword) => [...keyword].length))).toBe(6);
  });
});

describe('a page at a depth', () => {
  test.each([
    [0, 100, 0],
    [0.999, 100, 4],
    [1, 100, 4],
    [0.5, 101, 3],
    [1, 101, 5],
    [0.7, 20, 0],
    [1, 21, 1],
    [1, 0, 0],
  ])('of %d in a list of %d users is number %d', (depth, total, page) => {
    expect(pageAt(depth, total)).toBe(page);
  });

  test.each([1, 20, 21, 1_000, 100_000])('is in a list of %d users for every question drawn', (total) => {
    for (const kind of KINDS) {
      for (const { depth = -1 } of drawQuestions(kind, 'any page', COUNT)) {
        const first = pageAt(depth, total) * 20;
        expect(first >= 0 && first < total, `${depth}`).toBe(true);
      }
    }
  });

  test('is any of the pages, as often as any other', () => {
    const pages = KINDS.flatMap((kind) => drawQuestions(kind, 'any page', COUNT)).map(({ depth = -1 }) =>
      pageAt(depth, 200),
    );
    const shares = Array.from({ length: 10 }, (_, page) => pages.filter((each) => each === page).length / pages.length);
    expect(Math.min(...shares)).toBeGreaterThan(0.08);
    expect(Math.max(...shares)).toBeLessThan(0.12);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newContainers } from '../../bench/arrivals.ts';
import { fingerprint } from '../../bench/data.ts';
import { deskTable, requestsOf } from '../../bench/desk.ts';
import { dollarsLine, dollarsOf, dollarsTable } from '../../bench/dollars.ts';
import { drawQuestions, KINDS } from '../../bench/drawn.ts';
import { type Figure, type Figures, type Measurement, one, repeated, spread } from '../../bench/figures.ts';
import { readSection } from '../../bench/markdown.ts';
import { PAGES, report } from '../../bench/report.ts';
import { merged, toFile } from '../../bench/results.ts';
import { summary } from '../../bench/summary.ts';
import { TABLES, type Title } from '../../bench/tables.ts';
import { readPage } from '../../lib/http/queries/lists.ts';
import { event } from '../../tools/samples/events.ts';

const FOLD: Title = 'The fold alone, warm, with a backlog of creates';
const WRITES: Title = 'Writes, in their requests';

const measurement = (users: number, tables: Partial<Record<Title, Figures>>, version = '3.1.0'): Measurement => ({
  users,
  versions: Object.fromEntries(Object.keys(tables).map((title) => [title, version])),
  tables,
});

const TITLES = Object.keys(TABLES);

describe('the report of the benchmark', () => {
  test.each<[string, Title, string, Record<number, Figure>, string]>([
    [
      'marks a figure below a target that it should reach',
      FOLD,
      'entries a second',
      { 1000: one(999), 10000: one(1_000) },
      '≥ 1,000 | **999 ✗** | 1,000',
    ],
    [
      'shows the least and the most of several runs, and judges a target by the worse one',
      FOLD,
      'entries a second',
      { 1000: { one: 1_200, least: { one: 999 } } },
      '≥ 1,000 | **999–1,200 ✗**',
    ],
    ['is content with runs below a limit', WRITES, 'create', { 1000: { one: 7, least: { one: 6 } } }, '≤ 8 | 6–7'],
  ])('%s', (_, title, line, sizes, row) => {
    const measured = Object.entries(sizes).map(([users, figure]) =>
      measurement(Number(users), { [title]: { [line]: figure } }),
    );
    expect(report(measured, TITLES)).toContain(`| ${line} | ${row} |`);
  });

  test('shows a dash for a line that was not measured at a size, and leaves out sizes at which no line was', () => {
    const sizes = [{ create: one(1), delete: one(2) }, { create: one(3) }];
    const measured = sizes.map((figures, i) => measurement(1_000 * (i + 1), { [WRITES]: figures }));
    expect(report([...measured, measurement(3_000, {})], TITLES)).toBe(
      [
        `### ${WRITES}\n\nVersion 3.1.0.\n`,
        '| write units: most | target, at a million | 1,000 users | 2,000 users |',
        '| --- | --: | --: | --: |',
        '| create | ≤ 8 | 1 | 3 |',
        '| delete | ≤ 8 | 2 | – |',
      ].join('\n'),
    );
  });

  test('keeps the tables that another run has recorded for the same size, and drops those that are measured no more', () => {
    const recorded = {
      users: 1_000,
      versions: { [WRITES]: '2.6.0', [FOLD]: '2.6.0', Gone: '2.6.0' },
      tables: { [WRITES]: { create: one(2), gone: one(1) }, [FOLD]: { 'entries a second': one(40) }, Gone: {} },
    };
    const now = measurement(1_000, { [WRITES]: { create: one(3) } });
    expect(merged(recorded, now)).toEqual({
      ...measurement(1_000, { [WRITES]: { create: one(3) }, [FOLD]: { 'entries a second': one(40) } }),
      versions: { [WRITES]: '3.1.0', [FOLD]: '2.6.0' },
    });
  });

  test('runs of the same lines are the most of each number, and the least where they differ', async () => {
    const runs = [spread([3, 5, 7]), spread([4, 5, 6])];
    const measure = repeated(2, async () => ({ [FOLD]: runs.pop() ?? {}, [WRITES]: one(2) }));
    const figures = await measure();
    expect(figures).toEqual({
      [FOLD]: { median: 5, of95: 7, most: 7, least: { median: 5, of95: 6, most: 6 } },
      [WRITES]: { one: 2 },
    });
    expect(toFile([measurement(1_000, { [WRITES]: figures })]).split('\n')).toHaveLength(15);
  });

  test('a figure has the median, what 95 of 100 do not exceed, and the maximum', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(spread(values)).toEqual({ median: 51, of95: 95, most: 100 });
  });
});

const file = readFileSync('bench/results.json', 'utf8');
const recorded: Measurement[] = JSON.parse(file);

test.each<[shown: string, command: string, shown: () => string, wanted: () => string]>([
  ['the record', ' -- --render', () => file, () => toFile(recorded)],
  ...PAGES.map(([page, titles]): [string, string, () => string, () => string] => {
    const shown = () => readSection(page, 'figures');
    return [page, ' -- --render', shown, () => report(recorded, titles)];
  }),
  ['speed', ' -- --render', () => readSection('README.md', 'speed'), () => summary(recorded)],
  ['dollars a month', ':dollars', () => readSection('docs/choose.md', 'dollars'), () => dollarsTable(recorded)],
  ['the cost in one line', ':dollars', () => readSection('README.md', 'cost'), () => dollarsLine(recorded)],
  ['the work of a desk', ':dollars', () => readSection('bench/README.md', 'desk'), () => deskTable(recorded)],
])('%s is shown as recorded: if not, run `npm run bench%s`', (_, __, shown, wanted) => {
  expect(shown()).toBe(wanted());
  expect(wanted()).not.toContain('NaN');
});

test('figures are of this version: if not, run the benchmark again', () => {
  const release = (version: string) => version.split('.').slice(0, 2).join('.');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const others = recorded.flatMap(({ users, versions, tables }) =>
    Object.keys(tables).flatMap((title) =>
      release(versions[title] ?? '') === release(version) ? [] : `${title}, ${users} users: ${versions[title]}`,
    ),
  );
  expect(others).toEqual([]);
});

test('an idle stage of prod costs at most three dollars a month', () => {
  const idle = recorded.flatMap((measured) => dollarsOf({ ...measured, users: 0 }).map(([, each]) => each));
  const each = idle.reduce((sum, dollars) => sum + dollars, 0) / recorded.length;
  expect(each).toBeGreaterThan(1);
  expect(each).toBeLessThanOrEqual(3);
});

test('a new container meets one list of a thousand at a million users, and some of a hundred at ten thousand', () => {
  const shareOf = (users: number) => newContainers((users * requestsOf('list')) / 6);
  expect([0, 10_000, 100_000, 1_000_000].map((users) => Number(shareOf(users).toPrecision(1)))).toEqual([
    ...[0, 0.07, 0.005, 0.001],
  ]);
});

test.each(KINDS)(
  'questions drawn at random are requests that the service accepts, the same for the same seed: %s',
  (kind) => {
    const draw = (seed: number) => drawQuestions(kind, false, 60, seed);
    const drawn = draw(7);
    expect(draw(7)).toEqual(drawn);
    expect(draw(8)).not.toEqual(drawn);
    for (const { query, by } of drawn) expect(() => readPage(event(query), by), query).not.toThrow();
  },
);

test('a store of the benchmark is known by sources that are all there', () => {
  expect(fingerprint()).toMatch(/^[0-9a-f]{8}$/);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dollarsOf, dollarsTable } from '../../bench/dollars.ts';
import { drawQuestions, KINDS } from '../../bench/drawn.ts';
import { type Figure, type Figures, type Measurement, one, spread } from '../../bench/figures.ts';
import { readSection } from '../../bench/markdown.ts';
import { whereOf } from '../../bench/peer/sql.ts';
import { report } from '../../bench/report.ts';
import { merged, toFile } from '../../bench/results.ts';
import { summary } from '../../bench/summary.ts';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { readPageQuery } from '../../lib/http/request/queries.ts';
import { questionOf } from '../../lib/users/filters.ts';
import { event } from '../support/events.ts';

const PACE = 'entries a second';

const measurement = (users: number, figures: Figures = {}): Measurement => ({ users, figures });

describe('the report of the benchmark', () => {
  test.each<[string, string, Record<number, Figure>, string]>([
    [
      'marks a figure above its target, each size by its own target',
      'all kinds, any page',
      { 1000: spread([1, 5, 20]), 10000: spread([1, 5.5, 6]), 1000000: spread([1, 15, 61]) },
      '≤ 5 … 20, ≤ 15 … 60 | 5 … 20 … 20 | **5.5 … 6 … 6 ✗** | **15 … 61 … 61 ✗**',
    ],
    [
      'marks a figure below a target that it should reach, and shows a dash for what was not measured',
      PACE,
      { 1000: one(999), 10000: one(1_000), 100000: {} },
      '≥ 1,000 | **999 ✗** | 1,000 | –',
    ],
    [
      'shows the times beside another database, and marks a ratio above one',
      'name: first page',
      {
        1000: { replica: 1, service: 2, peer: 4, ratio: 0.25 },
        10000: { replica: 5, service: 6, peer: 4, ratio: 1.25 },
      },
      '≤ 1 | 1 · 2 · 4 · 0.25 | **5 · 6 · 4 · 1.25 ✗**',
    ],
  ])('%s', (_, title, sizes, row) => {
    const measured = Object.entries(sizes).map(([users, figure]) =>
      measurement(Number(users), { [PACE]: one(1_000), 'name: first page': {}, [title]: figure }),
    );
    expect(report(measured)).toContain(`| ${title} | ${row} |`);
  });

  test('keeps what the other run has recorded for the same size, and drops lines that are measured no more', () => {
    const recorded = measurement(1_000, { 'create, at once': one(2), [PACE]: one(40), gone: one(9) });
    const now = measurement(1_000, { 'create, at once': one(3) });
    expect(merged(recorded, now)).toEqual(measurement(1_000, { 'create, at once': one(3), [PACE]: one(40) }));
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
  ['the figures', ' -- --render', () => readSection('bench/README.md', 'figures'), () => report(recorded)],
  ['some figures', ' -- --render', () => readSection('README.md', 'figures'), () => summary(recorded)],
  ['dollars a month', ':dollars', () => readSection('docs/choose.md', 'dollars'), () => dollarsTable(recorded)],
])('%s is shown as recorded: if not, run `npm run bench%s`', (_, __, shown, wanted) => {
  expect(shown()).toBe(wanted());
  expect(wanted()).not.toContain('NaN');
});

test('an idle stage of prod costs at most ten dollars a month', () => {
  const idle = recorded.flatMap((measured) => dollarsOf({ ...measured, users: 0 }).map(([, each]) => each));
  const each = idle.reduce((sum, dollars) => sum + dollars, 0) / recorded.length;
  expect(each).toBeGreaterThan(1);
  expect(each).toBeLessThanOrEqual(10);
});

test.each(KINDS)(
  'questions drawn at random are requests that the service accepts, the same for the same seed: %s',
  (kind) => {
    const draw = (seed: number) => drawQuestions(kind, 'first page', 60, seed);
    const drawn = draw(7);
    expect(draw(7)).toEqual(drawn);
    expect(draw(8)).not.toEqual(drawn);
    for (const { query, rules = LISTINGS.listUsers } of drawn)
      expect(() => readPageQuery(event(query), rules), query).not.toThrow();
  },
);

test.each([
  ['', 'true'],
  ['status=active&status=pending', `"status" in ('active', 'pending')`],
  ['name=O%27Neil', `"name folded" in ('o''neil')`],
  ['name.startsWith=50%25', `"name folded" like '50\\\\%%'`],
  ['age.gte=30&age.lt=40', '"age" >= 30 and "age" < 40'],
  ['email.missing=true', '"email" is null'],
  ['id=7&id=9', 'id in (7, 9)'],
])('PostgreSQL is asked the same: %s', (query, where) => {
  expect(whereOf(questionOf(readPageQuery(event(query), LISTINGS.listUsers).filters))).toBe(where);
});

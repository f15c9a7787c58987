import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dollarsOf, dollarsTable } from '../../bench/dollars.ts';
import { drawQuestions, KINDS } from '../../bench/drawn.ts';
import { type Cost, type Figure, type Measurement, summarize } from '../../bench/figures.ts';
import type { Title } from '../../bench/lines.ts';
import { readSection } from '../../bench/markdown.ts';
import { report } from '../../bench/report.ts';
import { merged, toFile } from '../../bench/results.ts';
import { summary } from '../../bench/summary.ts';
import { LISTINGS } from '../../lib/http/listingRules.ts';
import { readPageQuery } from '../../lib/http/request/queries.ts';
import { event } from '../support/events.ts';

const PACE = 'entries a second';

/** The figure of some costs. A number stands for a question that took so many read units and two calls. */
const figureOf = (...costs: (number | Cost)[]): Figure =>
  summarize(costs.map((cost) => (typeof cost === 'number' ? { units: cost, calls: 2, rounds: 1 } : cost)));

const measurement = (users: number, figures: Partial<Record<Title, Figure>> = {}): Measurement => ({
  users,
  figures,
});

describe('the report of the benchmark', () => {
  test.each<[string, Title, Record<number, number[]>, string]>([
    [
      'marks a figure above its target, each size by its own target',
      'first page by two properties',
      { 1000: [1, 8, 60], 10000: [1, 8.5, 60], 1000000: [1, 12, 120.5] },
      '≤ 8 … 60, ≤ 12 … 120 | 8 … 60 · 2 · 1 | **8.5 … 60 ✗** · 2 · 1 | **12 … 120.5 ✗** · 2 · 1',
    ],
    [
      'marks a figure below a target that it should reach, and shows a dash for what was not measured',
      PACE,
      { 1000: [299], 10000: [], 100000: [300], 1000000: [199] },
      '≥ 300, ≥ 200 | **299 ✗** | – | 300 | **199 ✗**',
    ],
  ])('%s', (_, title, sizes, row) => {
    const measured = Object.entries(sizes).map(([users, costs]) =>
      measurement(Number(users), costs.length > 0 ? { [title]: figureOf(...costs) } : {}),
    );
    expect(report(measured)).toContain(`| ${title} | ${row} |`);
  });

  test('keeps what the other run has recorded for the same size, and drops its own lines that it no longer finds', () => {
    const recorded: Measurement = {
      users: 1_000,
      figures: { 'an e-mail': figureOf(2), [PACE]: figureOf(40), gone: figureOf(9) },
    };
    const asked = measurement(1_000, { 'an e-mail': figureOf(3) });
    expect(merged(recorded, asked)).toEqual(measurement(1_000, { 'an e-mail': figureOf(3), [PACE]: figureOf(40) }));
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
    const draw = (seed: number) => drawQuestions(kind, 'first page', 60, { seed });
    const drawn = draw(7);
    expect(draw(7)).toEqual(drawn);
    expect(draw(8)).not.toEqual(drawn);
    for (const { query, rules = LISTINGS.listUsers } of drawn)
      expect(() => readPageQuery(event(query), rules), query).not.toThrow();
  },
);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chart } from '../../bench/chart.ts';
import { type Figure, type Measurement, summarize, type Target } from '../../bench/figures.ts';
import { readSection } from '../../bench/markdown.ts';
import { report } from '../../bench/report.ts';
import { summary } from '../../bench/summary.ts';

const measurement = (users: number, figures: Figure[]): Measurement => ({
  users,
  compared: [],
  groups: [{ title: 'Lists', figures }],
});

const figure = (target: Target, ...units: number[]): Figure =>
  summarize(
    'a page',
    target,
    units.map((each) => ({ units: each })),
  );

const line = (measurements: Measurement[]): string | undefined => report(measurements).match(/^\| a page .*$/m)?.[0];

test('a figure that misses its target is marked at every size', () => {
  const target = { most: 3 };
  const measured = [
    measurement(1_000, [figure(target, 1, 4, 2)]),
    measurement(100_000, [figure(target, 1, 3, 2)]),
    measurement(1_000_000, [figure(target, 4, 4)]),
  ];
  expect(line(measured)).toBe('| a page | ≤ 3 | **2 … 4 ✗** | 2 … 3 | **4 ✗** |');
});

test('a figure misses its target by its median or by its most', () => {
  const target = { median: 2, most: 4 };
  const measured = [
    measurement(1_000, [figure(target, 1, 2, 4)]),
    measurement(10_000, [figure(target, 1, 2.5, 4)]),
    measurement(100_000, [figure(target, 1, 2, 4.5)]),
  ];
  expect(line(measured)).toBe('| a page | median ≤ 2, ≤ 4 | 2 … 4 | **2.5 … 4 ✗** | **2 … 4.5 ✗** |');
});

test('a figure without a target is not marked', () => {
  expect(line([measurement(1_000_000, [figure({}, 1, 5_000)])])).toBe('| a page |  | 5,000 |');
});

test('tables and chart show what is recorded: if not, run `npm run bench -- --render`', () => {
  const recorded: Measurement[] = JSON.parse(readFileSync('bench/results.json', 'utf8'));
  expect(readSection('bench/README.md', 'figures')).toBe(report(recorded));
  expect(readSection('README.md', 'figures')).toBe(summary(recorded));
  expect(readFileSync('bench/chart.svg', 'utf8')).toBe(chart(recorded));
});

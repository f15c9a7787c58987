import { table } from './markdown.ts';
import type { Measurement } from './measure.ts';

const number = (value: number | undefined): string =>
  value === undefined ? '' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Read units of every request at every size, the baselines at the largest, and how long the handlers take there. */
function readsTable(measurements: readonly Measurement[]): string {
  const largest = measurements.at(-1);
  const head = [
    'Request (20 users a page)',
    ...measurements.map(({ users }) => `${number(users)} users`),
    'scan and sort',
    'skip and count',
    'p50',
    'p95',
  ];
  const rows = (largest?.reads ?? []).map(({ title, scan, skip, p50, p95 }, i) => [
    title,
    ...measurements.map(({ reads }) => number(reads[i]?.units)),
    number(scan),
    number(skip),
    `${p50.toFixed(1)} ×`,
    `${p95.toFixed(1)} ×`,
  ]);
  const summaries = [
    ['every status, country and sort: median', 'median'],
    ['every status, country and sort: 99th percentile', 'p99'],
  ] as const;
  const filtered = summaries.map(([title, key]) => [
    title,
    ...measurements.map((m) => number(m.filtered[key])),
    '',
    '',
    '',
    '',
  ]);
  const worst = measurements.map((m) => number(m.filtered.worst.units));
  const dearest = ['every status, country and sort: dearest', ...worst, '', '', '', ''];
  return table(head, [...rows, ...filtered, dearest]);
}

const writesTable = (measurements: readonly Measurement[]): string =>
  table(
    ['Write units', ...measurements.map(({ users }) => `${number(users)} users`)],
    (measurements.at(-1)?.writes ?? []).map(({ title }, i) => [
      title,
      ...measurements.map(({ writes }) => number(writes[i]?.units)),
    ]),
  );

const plansTable = (measurements: readonly Measurement[]): string => {
  const largest = measurements.at(-1);
  const plans = [
    ...(largest?.reads ?? []),
    ...(largest ? [{ title: `dearest: \`${largest.filtered.worst.query}\``, plan: largest.filtered.worst.plan }] : []),
  ];
  return table(
    ['Request', 'Plan at the largest size'],
    plans.filter(({ plan }) => plan !== '').map(({ title, plan }) => [title, plan]),
  );
};

/** What a run found, as Markdown. */
export const report = (measurements: readonly Measurement[]): { summary: string; details: string } => ({
  summary: [readsTable(measurements), '', writesTable(measurements)].join('\n'),
  details: plansTable(measurements),
});

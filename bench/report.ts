import { type Figure, type Group, isMissed, type Measurement, type Target } from './figures.ts';
import { number, table } from './markdown.ts';

function targetOf({ median, most }: Target): string {
  const parts = [median !== undefined && `median ≤ ${median}`, most !== undefined && `≤ ${most}`];
  return parts.filter(Boolean).join(', ');
}

/** The median and, where another request cost more, the most. */
function cell(figure: Figure | undefined): string {
  if (!figure) return '';
  const { median, most } = figure;
  const text = median === most ? number(median) : `${number(median)} … ${number(most)}`;
  return isMissed(figure) ? `**${text} ✗**` : text;
}

function groupTable(measurements: readonly Measurement[], group: Group): string {
  const head = ['Median … most', 'target', ...measurements.map(({ users }) => `${number(users)} users`)];
  const figuresOf = ({ groups }: Measurement) => groups.find(({ title }) => title === group.title)?.figures ?? [];
  const rows = group.figures.map(({ title, target }) => [
    title,
    targetOf(target),
    ...measurements.map((m) => cell(figuresOf(m).find((figure) => figure.title === title))),
  ]);
  return `### ${group.title}\n\n${table(head, rows)}`;
}

function comparedTable(measurements: readonly Measurement[]): string {
  const head = [
    'This service / skip and count / scan and sort',
    ...measurements.map(({ users }) => `${number(users)} users`),
  ];
  const rows = (measurements.at(-1)?.compared ?? []).map(({ title }) => [
    title,
    ...measurements.map(({ compared }) => {
      const found = compared.find((request) => request.title === title);
      return found
        ? [found.units, found.skip, found.scan].map((units) => (units === undefined ? '–' : number(units))).join(' / ')
        : '';
    }),
  ]);
  return `### Beside two usual ways, read units\n\n${table(head, rows)}`;
}

/** The requests that cost most at the largest size. */
function worstTable({ users, groups }: Measurement): string {
  const figures = groups.flatMap((group) => group.figures).filter(({ worst }) => worst.query !== undefined);
  const rows = figures.map(({ title, requests, worst }) => [
    title,
    number(requests),
    number(worst.units),
    `\`${decodeURIComponent(worst.query ?? '')}\``,
    worst.plan ?? '',
  ]);
  const head = ['Kind', 'asked', 'most', 'by', 'plan'];
  return `### The most expensive of each kind at ${number(users)} users\n\n${table(head, rows)}`;
}

/** What was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
  const largest = measurements.at(-1);
  if (!largest) return '';
  return [
    comparedTable(measurements),
    ...largest.groups.map((group) => groupTable(measurements, group)),
    worstTable(largest),
  ].join('\n\n');
}

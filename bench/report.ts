import type { Figure, Measure, Measurement, Spread } from './figures.ts';
import { type Line, TABLES, type Table, type Target, targetAt } from './lines.ts';
import { number, table } from './markdown.ts';

const NAMES = { median: 'median', of95: '95 of 100', most: 'most' } as const;
const UNKNOWN = '–';

type Columns = Table['columns'];
type Shown = readonly [Measure, readonly (keyof Spread)[]];

const shown = (columns: Columns): Shown[] => Object.entries(columns) as Shown[];

export const isMissed = (spread: Spread, limits: Partial<Spread> = {}, isLeast = false): boolean =>
  (['median', 'of95', 'most'] as const).some((stat) => {
    const [value, limit] = [spread[stat], limits[stat]];
    if (value === undefined || limit === undefined) return false;
    return isLeast ? value < limit : value > limit;
  });

/** The limits, in the order of the numbers in a cell. A single number limits the maximum. */
function limitsOf(target: Target, columns: Columns): string {
  const parts = shown(columns).flatMap(([measure, stats]) => {
    const limits = stats.map((stat) => target[measure]?.[stat]);
    if (limits.every((limit) => limit === undefined)) return [];
    const isOfMost = limits.slice(0, -1).every((limit) => limit === undefined);
    return (isOfMost ? limits.slice(-1) : limits).map((limit) => limit ?? UNKNOWN).join(' … ');
  });
  return parts.join(' · ');
}

function targetOf({ target, larger = target, isLeast }: Line, columns: Columns): string {
  const limits = new Set([target, larger].map((each) => limitsOf(each, columns)));
  const none = limits.size > 1 ? UNKNOWN : '';
  return [...limits].map((each) => (each ? `${isLeast ? '≥' : '≤'} ${each}` : none)).join(', ');
}

/** The numbers of a figure; a single one if all are the same. */
function cell(figure: Figure | undefined, users: number, line: Line, columns: Columns): string {
  if (!figure) return UNKNOWN;
  const target = targetAt(users, line);
  const parts = shown(columns).map(([measure, stats]) => {
    const spread = figure[measure];
    if (!spread) return UNKNOWN;
    const values = stats.map((stat) => (spread[stat] === undefined ? UNKNOWN : number(spread[stat])));
    const text = new Set(values).size === 1 ? `${values[0]}` : values.join(' … ');
    return isMissed(spread, target[measure], line.isLeast) ? `**${text} ✗**` : text;
  });
  return parts.every((part) => part === UNKNOWN) ? UNKNOWN : parts.join(' · ');
}

function tableOf(measurements: readonly Measurement[], { title, legend, columns, lines }: Table): string {
  const measures = shown(columns).map(
    ([measure, stats]) => `${measure}: ${stats.map((stat) => NAMES[stat]).join(' … ')}`,
  );
  const head = [
    legend ?? measures.join(' · '),
    'target, at a million',
    ...measurements.map(({ users }) => `${number(users)} users`),
  ];
  const rows = Object.entries(lines).map(([name, line]) => [
    name,
    targetOf(line, columns),
    ...measurements.map(({ users, figures }) => cell(figures[name], users, line, columns)),
  ]);
  return `### ${title}\n\n${table(head, rows)}`;
}

const isMeasured = (measurements: readonly Measurement[], { lines }: Table): boolean =>
  measurements.some(({ figures }) => Object.keys(lines).some((name) => figures[name]));

/** Everything that was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
  const measured = TABLES.filter((each) => isMeasured(measurements, each));
  return measured.map((each) => tableOf(measurements, each)).join('\n\n');
}

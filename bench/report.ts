import type { Figure, Measure, Measurement, Spread } from './figures.ts';
import { TABLES } from './lines.ts';
import { number, table } from './markdown.ts';
import { PACE_TABLES } from './pace/lines.ts';
import { type Line, type Table, type Target, targetAt } from './targets.ts';

const NAMES = { median: 'median', of95: '95 of 100', most: 'most' } as const;
const UNKNOWN = '–';

type Columns = Table['columns'];
type Shown = readonly [Measure, readonly (keyof Spread)[]];

const shown = (columns: Columns): Shown[] => Object.entries(columns) as Shown[];

/** Calls one after another have their own row, where there is a target for them. */
const ROUNDS: Columns = { rounds: ['median', 'most'] };

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
  const row = (name: string, key: string, line: Line, columnsOfRow: Columns) => [
    name,
    targetOf(line, columnsOfRow),
    ...measurements.map(({ users, figures }) => cell(figures[key], users, line, columnsOfRow)),
  ];
  const rows = Object.entries(lines).flatMap(([name, line]) => [
    row(name, name, line, columns),
    ...(columns.calls && line.target.rounds ? [row('the same: calls one after another', name, line, ROUNDS)] : []),
  ]);
  return `### ${title}\n\n${table(head, rows)}`;
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
        ? [found.units, found.skip, found.scan]
            .map((units) => (units === undefined ? UNKNOWN : number(units)))
            .join(' / ')
        : '';
    }),
  ]);
  return `### Compared with two usual ways, read units\n\n${table(head, rows)}`;
}

/** The requests with the most units and with the most calls, at the largest size. */
function worstTable({ users, figures }: Measurement): string {
  const titles = new Set(TABLES.flatMap(({ lines }) => Object.keys(lines)));
  const rows = [...titles]
    .filter((title) => !title.startsWith('all kinds'))
    .flatMap((title) =>
      (figures[title]?.worst ?? [])
        .filter(({ query }) => query !== undefined)
        .map(({ units, calls, query = '', plan = '' }) => [
          title,
          number(figures[title]?.requests ?? 0),
          number(units),
          calls === undefined ? UNKNOWN : number(calls),
          `\`${decodeURIComponent(query)}\``,
          plan,
        ]),
    );
  const head = ['Kind', 'asked', 'units', 'calls', 'by', 'plan'];
  return `### The most expensive of each kind at ${number(users)} users\n\n${table(head, rows)}`;
}

const isMeasured = (measurements: readonly Measurement[], { lines }: Table): boolean =>
  measurements.some(({ figures }) => Object.keys(lines).some((name) => figures[name]));

const tablesOf = (measurements: readonly Measurement[], tables: readonly Table[]): string[] =>
  tables.filter((each) => !each.isApart || isMeasured(measurements, each)).map((each) => tableOf(measurements, each));

/** What `--pace` measures, as Markdown. */
export const reportApart = (measurements: readonly Measurement[]): string =>
  tablesOf(measurements, PACE_TABLES).join('\n\n');

/** Everything that was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
  const largest = measurements.at(-1);
  if (!largest) return '';
  return [comparedTable(measurements), ...tablesOf(measurements, TABLES), worstTable(largest)].join('\n\n');
}

import type { Figure, Measurement, Stat } from './figures.ts';
import { type Line, TABLES, type Table, targetAt } from './lines.ts';
import { number, table } from './markdown.ts';

const UNKNOWN = '–';

const isMissed = (value: number, limit: number | undefined, isLeast = false): boolean =>
  limit !== undefined && (isLeast ? value < limit : value > limit);

/** The numbers of a figure in the order of the columns; a single one if all are the same. */
function shown(figure: Figure, columns: readonly Stat[], separator: string): string {
  const values = columns.flatMap((stat) => (figure[stat] === undefined ? [] : number(figure[stat])));
  return new Set(values).size === 1 ? `${values[0]}` : values.join(separator);
}

function targetOf({ target, larger = target, isLeast }: Line, columns: readonly Stat[]): string {
  const limits = [...new Set([target, larger].map((each) => shown(each, columns, ' … ')))].filter(Boolean);
  return limits.map((each) => `${isLeast ? '≥' : '≤'} ${each}`).join(', ');
}

function cell(figure: Figure | undefined, users: number, line: Line, { columns }: Table): string {
  if (!figure) return UNKNOWN;
  const target = targetAt(users, line);
  const text = shown(figure, columns, columns.includes('ratio') ? ' · ' : ' … ');
  return columns.some((stat) => isMissed(figure[stat] ?? Number.NaN, target[stat], line.isLeast))
    ? `**${text} ✗**`
    : text;
}

/** The sizes at which something of a table was measured. */
const measuredOf = (measurements: readonly Measurement[], { lines }: Table): Measurement[] =>
  measurements.filter(({ figures }) => Object.keys(lines).some((name) => figures[name]));

function tableOf(measurements: readonly Measurement[], shape: Table): string {
  const { title, legend = '', columns, lines } = shape;
  const head = [legend, 'target, at a million', ...measurements.map(({ users }) => `${number(users)} users`)];
  const rows = Object.entries(lines).map(([name, line]) => [
    name,
    targetOf(line, columns),
    ...measurements.map(({ users, figures }) => cell(figures[name], users, line, shape)),
  ]);
  return `### ${title}\n\n${table(head, rows)}`;
}

/** Everything that was measured, as Markdown. */
export function report(measurements: readonly Measurement[]): string {
  const tables = TABLES.map((shape) => ({ shape, measured: measuredOf(measurements, shape) }));
  return tables
    .filter(({ measured }) => measured.length > 0)
    .map(({ shape, measured }) => tableOf(measured, shape))
    .join('\n\n');
}

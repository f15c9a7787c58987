import type { Figure, Figures, Measurement, Stat } from './figures.ts';
import { number, table } from './markdown.ts';
import { isMissed, TABLES, type Table, type Target, targetOf } from './tables.ts';

const UNKNOWN = '–';

/** A number, or the least and the most of several runs. */
function range(most: number, least = most): string {
  return [...new Set([least, most].map(number))].join('–');
}

/** The numbers of a figure in the order of the columns; a single one if all are the same. */
function shown(figure: Figure, columns: readonly Stat[]): string {
  const values = columns.flatMap((stat) =>
    figure[stat] === undefined ? [] : range(figure[stat], figure.least?.[stat]),
  );
  return new Set(values).size === 1
    ? `${values[0]}`
    : values.join(columns.some((stat) => stat === 'ratio' || stat === 'failed') ? ' · ' : ' … ');
}

function limitOf({ most, larger = most, least }: Target, columns: readonly Stat[]): string {
  const upper = [...new Set([most, larger].map((each) => shown(each ?? {}, columns)))].filter(Boolean);
  return least ? `≥ ${shown(least, columns)}` : upper.map((each) => `≤ ${each}`).join(', ');
}

function tableOf(title: string, shape: Table, measured: readonly { users: number; figures: Figures }[]): string {
  const lines = [...new Set(measured.flatMap(({ figures }) => Object.keys(figures)))];
  const cell = (line: string, users: number, figure: Figure | undefined): string => {
    if (!figure) return UNKNOWN;
    const text = shown(figure, shape.columns);
    return isMissed(users, figure, targetOf(shape, line)) ? `**${text} ✗**` : text;
  };
  const rows = lines.map((line) => [
    line,
    limitOf(targetOf(shape, line), shape.columns),
    ...measured.map(({ users, figures }) => cell(line, users, figures[line])),
  ]);
  const head = [shape.legend, 'target, at a million', ...measured.map(({ users }) => `${number(users)} users`)];
  return `### ${title}\n\n${table(head, rows)}`;
}

/** Everything that was measured, as Markdown: of each table the sizes at which it was. */
export function report(measurements: readonly Measurement[]): string {
  const parts = Object.entries<Table>(TABLES).flatMap(([title, shape]) => {
    const measured = measurements.flatMap(({ users, tables: { [title]: figures } }) =>
      figures ? { users, figures } : [],
    );
    return measured.length > 0 ? tableOf(title, shape, measured) : [];
  });
  return parts.join('\n\n');
}

import type { Figure, Figures, Measurement, Stat } from './figures.ts';
import { number, table } from './markdown.ts';
import { isMissed, TABLES, type Table, type Target, type Title, targetOf } from './tables.ts';

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

/** The sizes at which a table was measured. */
interface Measured {
  users: number;
  version: string;
  figures: Figures;
}

/** The version that was measured, or one for each size. */
function versionsOf(measured: readonly Measured[]): string {
  const [version, ...others] = new Set(measured.map((each) => each.version));
  if (others.length === 0) return `Version ${version}.`;
  return `${measured.map((each) => `Version ${each.version} with ${number(each.users)} users`).join(', ')}.`;
}

function tableOf(title: string, shape: Table, measured: readonly Measured[]): string {
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
  return `### ${title}\n\n${versionsOf(measured)}\n\n${table(head, rows)}`;
}

const SIMULATED: readonly string[] = [
  'A thousand creates a second, for a minute',
  'New containers at once, on a store that throttles',
] satisfies Title[];

/** The pages of tables, by their titles. */
export const PAGES: readonly (readonly [page: string, titles: readonly string[]])[] = [
  ['bench/figures.md', Object.keys(TABLES).filter((title) => !SIMULATED.includes(title))],
  ['bench/herd/README.md', SIMULATED],
];

/** The tables of some titles, as Markdown: of each the sizes at which it was measured. */
export function report(measurements: readonly Measurement[], titles: readonly string[]): string {
  const parts = Object.entries<Table>(TABLES).flatMap(([title, shape]) => {
    if (!titles.includes(title)) return [];
    const measured = measurements.flatMap(({ users, versions, tables: { [title]: figures } }) =>
      figures ? { users, version: versions[title] ?? '', figures } : [],
    );
    return measured.length > 0 ? tableOf(title, shape, measured) : [];
  });
  return parts.join('\n\n');
}

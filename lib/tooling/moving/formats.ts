import { unescapeFormula } from '../../http/response/formulas.ts';
import type { Cell, CsvRecord } from './csvRecords.ts';

export const OUTPUT_FORMATS = ['csv', 'ndjson'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface Formatter {
  headLine: string;
  line(user: CsvRecord): string;
}

const NUMBERS = new Set(['id', 'age']);

const toValue = (column: string, cell: Cell): unknown =>
  cell === null ? undefined : NUMBERS.has(column) ? Number(cell) : unescapeFormula(cell);

/** What a file has of the service's CSV with some columns. JSON leaves out what has no value. */
export const formatters = (columns: readonly string[]): Record<OutputFormat, Formatter> => ({
  csv: { headLine: `${columns.join(',')}\r\n`, line: ({ text, end }) => text + end },
  ndjson: {
    headLine: '',
    line: ({ cells = [] }) =>
      `${JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, toValue(column, cells[index] ?? null)])))}\n`,
  },
});

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

/** How an export writes the service's CSV with these columns. JSON leaves out fields without a value. */
export const formatters = (columns: readonly string[]): Record<OutputFormat, Formatter> => ({
  csv: { headLine: `${columns.join(',')}\r\n`, line: ({ text, end }) => text + end },
  ndjson: {
    headLine: '',
    line: ({ cells = [] }) =>
      `${JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, toValue(column, cells[index] ?? null)])))}\n`,
  },
});

import { readFileSync, writeFileSync } from 'node:fs';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n');

export const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 1 });

/** The texts of a file before, between and after a pair of markers. */
function cutAtSection(file: string, name: string): [before: string, section: string, after: string] {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(start) + start.length, text.indexOf(end)];
  if (from < start.length || to < from) throw new Error(`${file} has no section ${name}`);
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

export const readSection = (file: string, name: string): string => cutAtSection(file, name)[1];

/** Replaces what a file has between a pair of markers. */
export function replaceSection(file: string, name: string, content: string): void {
  const [before, , after] = cutAtSection(file, name);
  writeFileSync(file, `${before}${content}${after}`);
}

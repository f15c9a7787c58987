import { readFileSync, writeFileSync } from 'node:fs';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(row)].join('\n');

/** Puts text between a pair of markers of a file. */
export function replaceSection(file: string, name: string, content: string): void {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no section ${name}`);
  writeFileSync(file, `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`);
}

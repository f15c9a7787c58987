import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typesText } from '../document.ts';
import { run } from '../prerequisites.ts';

/** The packages that the examples are made for. npm adds what these need. */
const PACKAGES = ['ra-core@5.15.4', '@tanstack/react-table@9.3.1', '@types/react@19'];

/** react-admin exports all of `ra-core`, and much that the examples do not need. */
const CONFIG = {
  extends: '../../../tsconfig.json',
  compilerOptions: { paths: { 'react-admin': ['./node_modules/ra-core'] } },
  include: ['*.ts'],
  exclude: [],
};

/** A table has a state that the example takes, and takes what the example returns. */
const USE_TABLE = `import * as table from '@tanstack/react-table';
import { pageOf } from './table.ts';
const { columnFilteringFeature, rowPaginationFeature, rowSortingFeature } = table;
const features = table.tableFeatures({ columnFilteringFeature, rowPaginationFeature, rowSortingFeature });
type Page = Awaited<ReturnType<typeof pageOf>>;
const manual = { manualPagination: true, manualSorting: true, manualFiltering: true };
export const use = (page: Page) =>
  pageOf('', table.useTable<typeof features, Page['data'][number]>({ features, columns: [], ...page, ...manual }).state);
`;

/** Compiles the examples against the types of react-admin and TanStack Table. */
export async function compileExamples(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  cpSync('examples', folder, { recursive: true });
  writeFileSync(join(folder, 'useTable.ts'), USE_TABLE);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  writeFileSync(join(folder, 'openapi.d.ts'), await typesText());
  run('npm', 'install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', '--ignore-scripts', ...PACKAGES);
  run(process.execPath, 'node_modules/typescript/bin/tsc', '--project', folder);
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createServer } from 'vite';
import { read } from '../support/files.ts';
import { caller, startService } from '../support/httpService.ts';

/** A page around the example: two columns, of which one is sorted and filtered, and pages of two. */
const MAIN = `
import { columnFilteringFeature, rowPaginationFeature, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { createElement as h, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { pageOf } from './table.ts';
const features = tableFeatures({ columnFilteringFeature, rowPaginationFeature, rowSortingFeature });
const columns = [{ accessorKey: 'name' }, { accessorKey: 'lastName' }];
const manual = { manualPagination: true, manualSorting: true, manualFiltering: true };
function Users() {
  const [page, setPage] = useState({ data: [], rowCount: 0 });
  const initialState = { pagination: { pageIndex: 0, pageSize: 2 } };
  const table = useTable({ features, columns, ...page, ...manual, initialState });
  const asked = JSON.stringify(table.state);
  useEffect(() => void pageOf(new URLSearchParams(location.search).get('api'), table.state).then(setPage), [asked]);
  return h('div', null,
    h('p', { id: 'shown' }, page.data.map(({ name }) => name).join(' ') + ' of ' + page.rowCount),
    h('button', { onClick: () => table.setSorting([{ id: 'lastName', desc: true }]) }, 'Sort'),
    h('button', { onClick: () => table.nextPage() }, 'Next'),
    h('button', { onClick: () => table.setColumnFilters([{ id: 'lastName', value: { startsWith: 'b' } }]) }, 'Filter'));
}
createRoot(document.body.appendChild(document.createElement('div'))).render(h(Users));`;

test('the example for TanStack Table runs in a page that Vite serves, and is paged, sorted and filtered by the service', async ({
  page,
}) => {
  // In this folder, whose packages it imports.
  const folder = mkdtempSync(join(import.meta.dirname, 'page-'));
  try {
    for (const name of ['filters.ts', 'table.ts']) writeFileSync(join(folder, name), read(`examples/${name}`));
    writeFileSync(join(folder, 'main.js'), MAIN);
    writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/main.js"></script>');
    const vite = await createServer({
      root: folder,
      configFile: false,
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0 },
    });
    await vite.listen();
    const origin = (vite.resolvedUrls?.local[0] ?? '').replace(/\/$/, '');
    const service = await startService({ env: { CORS_ORIGINS: origin } });
    try {
      const call = caller(service.url);
      for (const lastName of ['Ba', 'Ab', 'Bo', 'Ce', 'Bi'])
        await call('POST', '/api/users', { json: { name: `N${lastName}`, lastName } });
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      await page.goto(`${origin}/?api=${service.url}`);
      const shown = page.locator('#shown');
      await expect(shown).toHaveText('NBa NAb of 5');
      await page.getByRole('button', { name: 'Sort' }).click();
      await expect(shown).toHaveText('NCe NBo of 5');
      await page.getByRole('button', { name: 'Next' }).click();
      await expect(shown).toHaveText('NBi NBa of 5');
      await page.getByRole('button', { name: 'Filter' }).click();
      await expect(shown).toHaveText(/of 3$/);
      expect(complaints).toEqual([]);
    } finally {
      await service.stop();
      await vite.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

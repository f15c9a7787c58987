import { filtersOf } from './filters.ts';
import type { components } from './openapi.d.ts';

interface State {
  pagination: { pageIndex: number; pageSize: number };
  sorting: { id: string; desc: boolean }[];
  columnFilters: { id: string; value: unknown }[];
}
/** `url` is the base URL, `token` that of the request, if the stage needs one. */
export async function pageOf(url: string, state: State, token = '') {
  const { pagination, sorting, columnFilters } = state;
  const filter = Object.fromEntries(columnFilters.map(({ id, value }) => [id, value]));
  const sort = sorting.map(({ id, desc }) => `${id},${desc ? 'desc' : 'asc'}`);
  const query = new URLSearchParams(
    filtersOf({ ...filter, sort, page: pagination.pageIndex, size: pagination.pageSize }),
  );
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(`${url}/api/users?${query}`, { headers });
  if (!response.ok) throw new Error(await response.text());
  const { content: data, totalElements: rowCount } = (await response.json()) as components['schemas']['UserPage'];
  return { data, rowCount };
}

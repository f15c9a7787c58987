import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { readCounts } from '../../lib/users/statistics/counts.ts';
import type { TestService } from './store.ts';

async function scanAll(service: TestService, TableName: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of paginateScan({ client: service.dynamo }, { TableName, ConsistentRead: true })) {
    items.push(...(page.Items ?? []));
  }
  return items;
}

/** `status/country: users`, by counting the users themselves and nothing else. */
export async function recount(service: TestService): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status = '-', country = '-' } of await scanAll(service, service.tables.users)) {
    const cell = `${status}/${country}`;
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return counts;
}

/** The same as the count rows tell it. */
export async function counted(service: TestService): Promise<Record<string, number>> {
  const label = (mark: string) => (mark.startsWith('\u{10FFFF}') ? '-' : mark);
  const cells = await readCounts(service.dynamo, service.tables);
  return Object.fromEntries(cells.map(({ status, country, users }) => [`${label(status)}/${label(country)}`, users]));
}

export const everything = async (service: TestService) => ({
  users: await scanAll(service, service.tables.users),
  directory: await scanAll(service, service.tables.directory),
});

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

interface DirectoryRow {
  pk: string;
  sk: string;
  n: number;
}

const folded = (value: string) => value.normalize('NFC').toLowerCase().normalize('NFC').replace(/ς/g, 'σ');

const mark = (value: unknown) =>
  value === undefined ? '\u{10FFFF}\u0002' : String(value).replace(/^\u{10FFFF}/u, '\u{10FFFF}\u0001');

function rowsOf(lastName: unknown): [pk: string, sk: string][] {
  const characters = Array.from(folded(typeof lastName === 'string' ? lastName : ''));
  if (characters.length > 45) return [['long', characters.join('')]];
  return characters.map((first, i) => [`suffix:${first}`, `${characters.slice(i).join('')}\0${characters.join('')}`]);
}

type Directory = Record<string, Record<string, number>>;

function count(directory: Directory, key: string, attribute: string): void {
  const row = directory[key] ?? {};
  directory[key] = row;
  row[attribute] = (row[attribute] ?? 0) + 1;
}

/** The Directory table as it must be, by counting the users themselves and nothing else; the shards of a count together. */
export async function recount(service: TestService): Promise<Directory> {
  const directory: Directory = {};
  for (const user of await scanAll(service, service.tables.users)) {
    const cell = `${mark(user.status)}\0${mark(user.country)}`;
    count(directory, JSON.stringify(['count', cell]), 'n');
    for (const row of rowsOf(user.lastName)) {
      count(directory, JSON.stringify(row), 'n');
      count(directory, JSON.stringify(row), cell);
    }
  }
  return directory;
}

/** The Directory table as it is, without the zones, which may be more than are needed. */
export async function counted(service: TestService): Promise<Directory> {
  const directory: Directory = {};
  for (const { pk, sk, ...numbers } of (await scanAll(
    service,
    service.tables.directory,
  )) as unknown as DirectoryRow[]) {
    const key = JSON.stringify(pk === 'count' ? [pk, sk.slice(0, sk.lastIndexOf('\0'))] : [pk, sk]);
    const row = directory[key] ?? {};
    directory[key] = row;
    const counts = Object.entries(numbers).filter(([, n]) => typeof n === 'number');
    for (const [attribute, n] of counts) row[attribute] = (row[attribute] ?? 0) + Number(n);
  }
  return directory;
}

/** `status/country: users`, as the count rows tell it. */
export async function countedCells(service: TestService): Promise<Record<string, number>> {
  const label = (text: string) => (text.startsWith('\u{10FFFF}') ? '-' : text);
  const cells = await readCounts(service.dynamo, service.tables);
  return Object.fromEntries(cells.map(({ status, country, users }) => [`${label(status)}/${label(country)}`, users]));
}

export const everything = async (service: TestService) => ({
  users: await scanAll(service, service.tables.users),
  directory: await scanAll(service, service.tables.directory),
});

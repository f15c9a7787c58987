import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { toHead } from '../../lib/users/journal/head.ts';
import { nameDeltas } from '../../lib/users/statistics/names.ts';
import { countedDeltas } from '../../lib/users/statistics/statistics.ts';
import { unpack } from '../../lib/users/tree/pack.ts';
import { trim } from '../../lib/users/tree/rows.ts';
import { toUser } from '../../lib/users/userItem.ts';
import type { TestService } from './service.ts';

type Item = Record<string, unknown>;

async function itemsOf({ dynamo }: TestService, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const response = await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: from }));
    items.push(...(response.Items ?? []));
    from = response.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

/** All stored items: users, the head of the journal, its entries, pages of statistics and records of keys. */
export async function everything(service: TestService) {
  const [users, directory] = [
    await itemsOf(service, service.tables.users),
    await itemsOf(service, service.tables.directory),
  ];
  const journal = directory.filter(({ pk }) => pk === 'journal');
  return {
    users,
    head: toHead(journal.find(({ sk }) => sk === '#head')),
    entries: journal.filter(({ sk }) => sk !== '#head'),
    pages: directory.filter(({ data }) => data !== undefined),
    records: directory.filter(({ pk }) => String(pk).startsWith('idempotency:')),
  };
}

export type Counts = Record<string, number>;

/** Shows NUL as a stroke, and "no value" as a hyphen. */
const readable = (text: string): string => text.replaceAll('\u{10FFFF}\u0002', '-').replaceAll('\0', '|');

const nameOf = (map: string, key: string, bucket: string): string => readable([map, key, bucket].join(' ')).trim();

/** The counts of the pages of totals and names, with the recent names, each up to the beginning of the next page. */
export async function counted(service: TestService): Promise<Counts> {
  const { head, pages: all } = await everything(service);
  const prefix = `g${head.generation}:`;
  const pages = all.filter(
    ({ pk }) => String(pk).startsWith(prefix) && /:(?:totals|names|pieces|recent):/.test(String(pk)),
  );
  const counts: Counts = {};
  const add = (map: string, key: string, bucket: string, n: number) => {
    const name = nameOf(map, key, bucket);
    const sum = ((counts[name] ?? 0) + n) % 2 ** 48;
    if (sum === 0) delete counts[name];
    else counts[name] = sum;
  };
  for (const { pk, sk, data } of pages) {
    const bounds = pages.filter((page) => page.pk === pk).map((page) => String(page.sk));
    const end = bounds.filter((bound) => Buffer.compare(Buffer.from(bound), Buffer.from(String(sk))) > 0).sort()[0];
    const map = String(pk).slice(prefix.length);
    for (const entry of trim(unpack(data as Uint8Array), end)) {
      const isRecent = map.startsWith('recent:');
      if (isRecent && (entry.key === '\0' || map !== `recent:${head.recent.epoch}`)) continue;
      const rows = isRecent ? nameDeltas(entry).map(({ map: { name }, deltas }) => ({ name, deltas })) : [];
      for (const { name, deltas } of rows) for (const { key, bucket, n } of deltas) add(name, key, bucket, n);
      if (!isRecent) for (const [bucket, n] of entry.counts) add(map, entry.key, bucket, n);
    }
  }
  return counts;
}

/** The counts that the pages should have, by the existing users. */
export async function recount(service: TestService): Promise<Counts> {
  const { users } = await everything(service);
  const counts: Counts = {};
  for (const { map, deltas } of users.flatMap((item) => countedDeltas(toUser(item)))) {
    for (const { key, bucket, n } of deltas) {
      const name = nameOf(map.name, key, bucket);
      counts[name] = (counts[name] ?? 0) + n;
    }
  }
  return counts;
}

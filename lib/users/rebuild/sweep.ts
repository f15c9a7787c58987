import { deleteItems } from '../../dynamodb/batches.ts';
import { scanItems } from '../../dynamodb/scan.ts';
import type { Database } from '../database.ts';
import { type Head, isOld } from '../journal/head.ts';
import { readHead } from '../journal/items.ts';
import { generationOf } from '../tree/tree.ts';

/** Longer than any request reads: requests that began with the generation before still need it. In milliseconds. */
export const KEEP_OLD_MS = 60_000;

/** Generations that nobody reads, which a repair has replaced, or which a repair that was killed has left. */
export interface Swept {
  generations: number;
  items: number;
  /** Generations that are kept: another repair may be building them. */
  left: number;
}

type Key = Record<'pk' | 'sk', unknown>;

/** D7. The nodes of all generations but the present one. */
async function readOthers(database: Database, { generation }: Head): Promise<Map<string, Key[]>> {
  const others = new Map<string, Key[]>();
  await scanItems(database, database.tables.directory, (items) => {
    for (const { pk, sk, data } of items) {
      const own = generationOf(String(pk)) ?? generation;
      if (data === undefined || own === generation) continue;
      const known = others.get(own) ?? [];
      others.set(own, known);
      known.push({ pk, sk });
    }
  });
  return others;
}

/**
 * Deletes the statistics that nobody reads any more. What another repair may be building is kept, until a batch has been claimed since.
 *
 * @param all after a head was lost, whose epochs are no longer known. No other rebuild may be under way
 */
export async function sweep(database: Database, keepOldMs: number, all: boolean): Promise<Swept> {
  const head = await readHead(database);
  const others = await readOthers(database, head);
  const old = [...others].filter(([own]) => all || isOld(own, head));
  const keys = old.flatMap(([, own]) => own);
  if (keys.length > 0) await database.runtime.sleep(keepOldMs);
  await deleteItems(database, database.tables.directory, keys);
  return { generations: old.length, items: keys.length, left: others.size - old.length };
}

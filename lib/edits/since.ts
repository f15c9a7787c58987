import { readVersions } from '../changes/history.ts';
import type { Database } from '../users/database.ts';
import type { WrittenChange } from '../users/entry.ts';
import type { Log } from './log.ts';

/** By how much the clocks of two functions may differ. */
const SKEW_MS = 60_000;

/** What happened to a user since an edit began, the newest first, as far as it is kept. A read unit for the journal, one for the history. */
export async function changesSince(database: Database, { at }: Log, id: number) {
  const changes: (WrittenChange | { erased: number })[] = [];
  for await (const { change } of readVersions(database, id)) {
    if (change === 'expired' || ('at' in change ? change.at : change.erased) < at - SKEW_MS) break;
    changes.push(change);
  }
  return changes;
}

/** Whether an edit has changed a user: another writer may have changed it back since. */
export const hasChanged = async (database: Database, log: Log, id: number): Promise<boolean> =>
  (await changesSince(database, log, id)).some((change) => 'edit' in change && change.edit === log.name);

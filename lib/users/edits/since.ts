import { readVersions } from '../changes/history.ts';
import type { Database } from '../database.ts';
import { MAX_VERSION } from '../journal/entry.ts';
import type { Log } from './log.ts';

/** Most users are written so rarely that all later changes come in one read unit. */
const EXPECTED_CHANGES = 8;

/** By how much the clocks of two functions may differ. */
const SKEW_MS = 60_000;

/** What happened to a user since an edit began, the newest first, as far as it is kept. A read unit for the journal, one for the history. */
export async function* changesSince(database: Database, { at }: Log, id: number) {
  for await (const { change } of readVersions(database, id, MAX_VERSION, EXPECTED_CHANGES)) {
    if (change === 'expired') return;
    const moment = 'at' in change ? change.at : change.erased;
    if (moment < at - SKEW_MS) return;
    yield change;
  }
}

/** Whether an edit has changed a user: another writer may have changed it back since. */
export async function hasChanged(database: Database, log: Log, id: number): Promise<boolean> {
  for await (const change of changesSince(database, log, id))
    if ('at' in change && change.edit === log.name) return true;
  return false;
}

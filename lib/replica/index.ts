export {
  type JournalEntry,
  journalItem,
  MAX_VERSION,
  MOST_PARTS,
  type Origin,
  originOf,
  type StoredChange,
  type Version,
} from './entry.ts';
export { createFold, createFoldWith, type FoldOptions } from './fold.ts';
export { createFollower, createIndexUpkeep, type Index } from './following.ts';
export type { Growth, Head, Period } from './head.ts';
export { askForMerge } from './headChanges.ts';
export { READ_WITHIN_MS, readEntriesOf, readHead, readPressure } from './journal.ts';
export { baseBytesFor, LIMITS, type Limits, MEGABYTES } from './limits.ts';
export { quarantine } from './quarantine.ts';
export { type Beside, isStill, readBeside } from './recent.ts';
export { createRepair } from './repair.ts';
export { type Current, createReplica, type IsKnown, type ReadReplica } from './replica.ts';
export type { Rows } from './rows.ts';
export { MOVED, type Moved, readRecent, type Tag, untilStill } from './state.ts';
export type { Keeper, Storage } from './storage.ts';

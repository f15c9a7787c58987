export { packIntegers, unpackIntegers } from './bytes.ts';
export {
  type Current,
  type CurrentUsers,
  createCurrent,
  type Held,
  type IsKnown,
  isBroken,
  READ_WITHIN_MS,
  type Tag,
} from './current.ts';
export { DELTAS, writeDelta } from './deltas.ts';
export {
  entryHash,
  entryKey,
  ID_DIGITS,
  JOURNAL,
  type JournalEntry,
  journalItem,
  MAX_VERSION,
  MOST_PARTS,
  type Origin,
  originOf,
  padded,
  partitionsOf,
  type StoredChange,
  toEntry,
  VERSION_DIGITS,
  type Version,
} from './entry.ts';
export type { FoldOptions } from './fold.ts';
export { createFold } from './fold.ts';
export { addModulo } from './hash.ts';
export { EARLIER, FORMAT, HEAD_KEY, type Head, type HeadWithBase, type Period, type StoredBase } from './head.ts';
export { askForMerge, changeHead, makeHead, notePressure, putMerged, putRead, raiseParts } from './headChanges.ts';
export { newestOf, readEntriesOf, readHead, readItems } from './journal.ts';
export { baseBytesFor, LIMITS, type Limits, MEGABYTES, mergedFrom } from './limits.ts';
export { merge, sweep } from './merge.ts';
export { ageOfOldest, oldestFirst } from './oldestFirst.ts';
export { beginHead, readAnew, scanFewUsers, scanUsers } from './readAnew.ts';
export { changeOf, type Rows, rowsOf } from './rows.ts';
export { setAside } from './setAside.ts';
export type { Keeper, Storage } from './storage.ts';
export { basePartition, loadBase, writeBase } from './storedBase.ts';

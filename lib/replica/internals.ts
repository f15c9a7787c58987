/** Inner names for the tests of others and for the benchmark, which look at what is stored, or make it. Nothing that is served imports them. */
export { DELTAS, writeDelta } from './deltas.ts';
export { entryHash, entryKey, JOURNAL, partitionsOf, toEntry } from './entry.ts';
export { addModulo } from './hash.ts';
export { FORMAT, type HeadWithBase, type StoredBase } from './head.ts';
export { beginCopy, changeHead, makeHead, newBaseName, notePressure, raiseParts } from './headChanges.ts';
export { readJournal } from './journal.ts';
export { FULL_SHARE, mergedFrom, sizeOf } from './limits.ts';
export { merge, sweep } from './merge.ts';
export { createMerging } from './merging.ts';
export { ensureBase } from './rebuild.ts';
export { basePartition, loadBase } from './storedBase.ts';

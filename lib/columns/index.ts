export type { Carried } from './carried.ts';
export {
  type Ask,
  type BoundAsk,
  type Condition,
  type FieldKind,
  folded,
  type Kinds,
  meetsAll,
  type Order,
  type Question,
  type Row,
  SUBSTRING_TESTS,
  type Value,
  valueIn,
  type Words,
  type Work,
} from './definition.ts';
export type { By } from './groupKeys.ts';
export { KEPT_A_USER } from './kept.ts';
export { mailboxOf } from './mailbox.ts';
export type { Mixed } from './mixed.ts';
export { BrokenBase } from './pack.ts';
export type { Reading } from './parts.ts';
export {
  type Compaction,
  compaction,
  countsOf,
  open,
  pack,
  pageOf,
  type Replica,
  replicaFrom,
  rowsOf,
  withChanges,
} from './replica.ts';

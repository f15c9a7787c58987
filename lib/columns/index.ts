export { Base } from './base.ts';
export {
  type Ask,
  type Condition,
  compareExactly,
  compareRows,
  type FieldKind,
  folded,
  ignoresCase,
  type Kind,
  type Kinds,
  kindOf,
  meetsAll,
  type Order,
  type OrderStep,
  type Question,
  type Row,
  shownValue,
  type Value,
  valueIn,
  type Words,
  type Work,
} from './definition.ts';
export type { By } from './dimensions.ts';
export { KEPT_A_USER } from './kept.ts';
export type { Mixed } from './mixed.ts';
export { BrokenBase, openBase, packBase } from './pack.ts';
export {
  countsOf,
  merged,
  merging,
  movedTo,
  pageOf,
  type Replica,
  replicaFrom,
  replicaOf,
  rowsOf,
  withChanges,
} from './replica.ts';
export type { Steps } from './steps.ts';
export { foldAddress, foldCase } from './text.ts';

export type { By } from './asked/groupKeys.ts';
export type { Reading } from './asked/parts.ts';
export { countsOf, pageOf, rowsOf } from './asked/questions.ts';
export { type Compaction, compaction, pack, replicaFrom } from './changed/compaction.ts';
export { open, type Replica, withChanges } from './changed/replica.ts';
export type { Carried } from './stored/carried.ts';
export { BrokenBase } from './stored/pack.ts';
export {
  type Ask,
  askedOf,
  type BoundAsk,
  type Condition,
  canBeWord,
  compareExactly,
  compareRows,
  type Derived,
  derivedIn,
  type Either,
  type FieldKind,
  type FoldedKind,
  fieldsOf,
  folded,
  idOf,
  type Kind,
  type Kinds,
  kindNames,
  kindOf,
  meetsAll,
  type Order,
  type Question,
  type Row,
  SUBSTRING_TESTS,
  shownValue,
  substringsIn,
  type Value,
  valueIn,
  valueOfColumn,
  type Words,
} from './values/definition.ts';
export { decoded, encoded, type Mixed } from './values/mixed.ts';
export { compareCodePoints, type Fold, foldCase, plain } from './values/text.ts';
export type { Work } from './work/chunks.ts';
export { KEPT_A_USER } from './work/kept.ts';

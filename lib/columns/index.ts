/**
 * The face of columns. These hold:
 *
 * - An answer is that of a plain list which is filtered by `meetsAll` and sorted by `compareRows`, after any changes and compactions. A replica
 *   never changes: an older one answers as before, also while a compaction runs (tests/property/columns/replica.test.ts).
 * - The next replica shares what has changed before, and costs what is new. A base has only values that some row has, and does not keep the one
 *   before in memory ("a replica", tests/unit/columns/changed/replica.test.ts).
 * - Damaged bytes are a `BrokenBase`, never a wrong answer ("with any damage", tests/unit/columns/stored/pack.test.ts).
 * - Long work ticks, and ends when a tick throws; a step is short ("work", tests/unit/columns/changed/replica.test.ts).
 * - The memory that questions keep of members is bounded, and freed (tests/unit/columns/work/kept.test.ts).
 * - Folding is Unicode's (tests/unit/columns/values/text.test.ts), and texts sort undecoded as their folded forms do
 *   (tests/unit/columns/stored/letters.test.ts).
 */
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

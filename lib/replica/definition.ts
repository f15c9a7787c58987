/**
 * What a filter and an order mean: a plain function of a value, and a plain comparison of two users. All other files
 * only make them fast; tests/property/replica.test.ts compares both.
 */
import { compareCodePoints, type Fold, foldAddress, foldCase } from './text.ts';

/**
 * Texts sort ignoring case. Those of `text` are equal ignoring case, and so are those of `address`, which fold by a rule of their own;
 * those of `exact` then sort by the text itself.
 */
export type Kind = 'text' | 'address' | 'exact' | 'number';

/** The kind of each field, in the order in which rows have them. */
export type Kinds = Readonly<Record<string, Kind>>;

/** A text is well-formed Unicode without NUL. */
export type Value = string | number;

/** One user: its id and the fields that have a value. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Value | undefined;
}

/** What a filter asks of a value. `gte` is included, `lt` is not. */
export type Ask =
  | { readonly any: readonly Value[] }
  | { readonly startsWith: string }
  | { readonly contains: string }
  | { readonly gte?: number; readonly lt?: number }
  | { readonly missing: boolean };

export interface Condition {
  readonly field: string;
  readonly ask: Ask;
}

/** All conditions hold. `ids`, and ids from `from` (included) to `to` (not included), narrow it, too. */
export interface Question {
  readonly where?: readonly Condition[];
  readonly ids?: readonly number[];
  readonly from?: number;
  readonly to?: number;
}

/** A field, or `id`. With `per`, ids of one multiple of it are equal: id per 4096 orders by floor(id / 4096). */
export interface OrderStep {
  readonly property: string;
  readonly per?: number;
  readonly descending: boolean;
}

/** Ends with the id without `per`, so no two users are equal. */
export type Order = readonly OrderStep[];

/** Called now and then during long work, at least once for 65,536 rows. It may throw to end it. */
export interface Work {
  tick(): void;
}

export const ignoresCase = (kind: Kind): boolean => kind === 'text' || kind === 'address';

/** How texts of a kind fold. */
export const foldOf = (kind: Kind): Fold => (kind === 'address' ? foldAddress : foldCase);

/** The form in which a value of a kind is compared. */
export const folded = (kind: Kind, value: Value): string => (typeof value === 'string' ? foldOf(kind)(value) : '');

/** Tests a value, given with its folded text: whoever tests many folds each only once. */
export type Test = (value: Value, text: string) => boolean;

export function testOf(kind: Kind, ask: Ask): Test {
  if ('missing' in ask) return () => !ask.missing;
  if ('any' in ask) {
    const texts = ask.any.flatMap((each) => (typeof each === 'string' ? folded(kind, each) : []));
    const isText = ignoresCase(kind);
    const wanted = new Set(isText ? texts : ask.any);
    return (value, text) => wanted.has(isText ? text : value);
  }
  if ('contains' in ask || 'startsWith' in ask) {
    const part = folded(kind, 'contains' in ask ? ask.contains : ask.startsWith);
    // Half a character is in no text.
    if (kind === 'number' || !part.isWellFormed()) return () => false;
    return 'contains' in ask ? (_, text) => text.includes(part) : (_, text) => text.startsWith(part);
  }
  const { gte = Number.NEGATIVE_INFINITY, lt = Number.POSITIVE_INFINITY } = ask;
  return (value) => typeof value === 'number' && value >= gte && value < lt;
}

export const meets = (kind: Kind, value: Value | undefined, ask: Ask): boolean =>
  value === undefined ? 'missing' in ask && ask.missing : testOf(kind, ask)(value, folded(kind, value));

/** Compares values, given with their folded texts. Who has none comes behind all others. */
export function compareValues(
  kind: Kind,
  a: Value | undefined,
  textA: string,
  b: Value | undefined,
  textB: string,
): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (kind === 'number') return Number(a) - Number(b);
  return compareCodePoints(textA, textB) || (kind === 'exact' ? compareCodePoints(String(a), String(b)) : 0);
}

export const compareRows =
  (kinds: Kinds, order: Order) =>
  (a: Row, b: Row): number => {
    for (const { property, per = 1, descending } of order) {
      const kind = kinds[property] ?? 'text';
      const [x, y] = [a[property], b[property]];
      const difference =
        property === 'id'
          ? Math.floor(a.id / per) - Math.floor(b.id / per)
          : compareValues(kind, x, folded(kind, x ?? ''), y, folded(kind, y ?? ''));
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };

/**
 * The meaning of a filter and of an order: a plain function of a value, and a plain comparison of two users. All other files
 * only make them fast; tests/property/columns/replica.test.ts compares both.
 */
import { decoded, encoded, hasText, isArray, isPlace, isText, type Mixed, membersIn, substringsAt } from './mixed.ts';
import { compareCodePoints, type Fold, foldCase, type NumberIn, plain } from './text.ts';

/** Texts that are equal, and sort, by a fold of their own. A stored base has the name, which never gets another fold. */
export interface FoldedKind {
  readonly name: string;
  readonly fold: Fold;
}

/**
 * Texts sort ignoring case, by code point; numbers sort by size. Texts of `text` are equal ignoring case; those of `exact` then sort by the text
 * itself, and so do the encoded values of `mixed`, one member of many rows: mixed.ts.
 */
export type FieldKind = 'text' | 'exact' | 'number' | FoldedKind;
export type Kind = FieldKind | 'mixed';

/**
 * A column of what is read of each text of a field, such as the domain of an address: of the same kind as the field. It is made when a question
 * first needs it, and no row has it.
 */
export type Derived = {
  readonly of: string;
  /** @returns a folded text; undefined for no value */
  readonly read: (text: string) => string | undefined;
} & (Behind | AmongFew);

/** An ASCII character: only what is behind the last of it is read, and of a text without it nothing. */
interface Behind {
  readonly behind: string;
}

/** Few texts: those that are folded from one text on to another, not included, or those beyond ASCII. */
export type Among = readonly [from: string, to: string] | 'beyond ASCII';

/** The texts of which something is read. Others are not looked at: nothing is read of them. */
interface AmongFew {
  readonly behind?: undefined;
  readonly among: Among;
}

/**
 * The kind of each field, in the order in which rows have them. A field with members is as many mixed columns as its members have names:
 * `attributes.team`. Behind the fields are derived columns, by names of any form.
 */
export type Kinds = Readonly<Record<string, FieldKind | 'members' | Derived>>;

/** A value of a column. A text is well-formed Unicode without NUL. */
export type Value = string | number;

/** At least one value by its name. */
export interface Members {
  readonly [name: string]: Mixed;
}

/** One user: its id and the fields that have a value. */
export interface Row {
  readonly id: number;
  readonly [field: string]: Value | Members | undefined;
}

const kindIn = (kinds: Kinds, name: string): Kinds[string] | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name] : undefined;

const isDerived = (kind: Kinds[string] | undefined): kind is Derived => typeof kind === 'object' && 'of' in kind;

/** How a column is derived; undefined if it is not. */
export function derivedIn(kinds: Kinds, column: string): Derived | undefined {
  const kind = kindIn(kinds, column);
  return isDerived(kind) ? kind : undefined;
}

/** The kind of a column; undefined if no user can have one of this name. */
export function kindOf(kinds: Kinds, column: string): Kind | undefined {
  const kind = kindIn(kinds, column);
  if (isDerived(kind)) return kindOf(kinds, kind.of);
  const dot = column.indexOf('.');
  if (dot >= 0 && kind === undefined) return kindIn(kinds, column.slice(0, dot)) === 'members' ? 'mixed' : undefined;
  return kind === 'members' ? undefined : kind;
}

/** The names of fields, in their order: those of members, too. */
export const fieldsOf = (kinds: Kinds): string[] => Object.keys(kinds).filter((name) => !isDerived(kinds[name]));

/** The name of a kind, as a base is stored with it. */
export const nameOf = (kind: Kind | 'members'): string => (typeof kind === 'object' ? kind.name : kind);

/** The kinds of fields by their names: two versions that have the same write and read the same bases. */
export const kindNames = (kinds: Kinds): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([field, kind]) => (isDerived(kind) ? [] : [[field, nameOf(kind)]])),
  );

/** The value of a user in a column. A place has encoded values under the names of columns. */
export function valueIn(row: Row | undefined, column: string): Value | undefined {
  const own = row?.[column];
  if (own !== undefined) return typeof own === 'object' ? undefined : own;
  const dot = column.indexOf('.');
  const members = dot < 0 ? undefined : row?.[column.slice(0, dot)];
  const name = column.slice(dot + 1);
  const member = typeof members === 'object' && Object.hasOwn(members, name) ? members[name] : undefined;
  return member === undefined ? undefined : encoded(member);
}

/** The value derived of a text. */
export function derivedFrom({ behind, read }: Derived, text: string): string | undefined {
  if (behind === undefined) return read(text);
  const at = text.lastIndexOf(behind);
  return at < 0 ? undefined : read(text.slice(at + 1));
}

/** The same, and what is derived. */
export function valueOfColumn(kinds: Kinds, row: Row | undefined, column: string): Value | undefined {
  const derived = derivedIn(kinds, column);
  if (!derived) return valueIn(row, column);
  const text = valueIn(row, derived.of);
  return typeof text === 'string' ? derivedFrom(derived, text) : undefined;
}

/** A value as rows have it. */
export const shownValue = (kind: Kind, value: Value | undefined): Mixed | undefined =>
  kind === 'mixed' && value !== undefined ? decoded(String(value)) : value;

/** The questions of a filter about a substring: whether a text has it there, both folded. A new one needs no more than its line here: marks.ts. */
export const SUBSTRING_TESTS = {
  startsWith: (text: string, substring: string): boolean => text.startsWith(substring),
  endsWith: (text: string, substring: string): boolean => text.endsWith(substring),
  includes: (text: string, substring: string): boolean => text.includes(substring),
} as const;

/** How a value is to compare with a bound: below 0 if it comes before. */
export const BOUND_TESTS = {
  gte: (difference: number): boolean => difference >= 0,
  gt: (difference: number): boolean => difference > 0,
  lte: (difference: number): boolean => difference <= 0,
  lt: (difference: number): boolean => difference < 0,
} as const;

/** A number is a bound of numbers alone, and a text of texts: these are compared ignoring case, so all that fold as the bound are at it. */
export interface BoundAsk {
  readonly bound: keyof typeof BOUND_TESTS;
  readonly of: number | string;
  /** Of a text: only texts of which it reads a number meet the bound. */
  readonly among?: NumberIn | undefined;
}

/**
 * The question of a filter about a value: one of several, or none of them; one of several substrings, each at a place; to be on one side of a bound.
 * An array has a value, or a substring, or is beyond a bound, if one of its texts does or is.
 */
export type Ask =
  | { readonly any: readonly Mixed[] }
  | { readonly none: readonly Mixed[] }
  | { readonly substrings: readonly string[]; readonly at: keyof typeof SUBSTRING_TESTS }
  | BoundAsk
  | { readonly missing: boolean };

export interface Condition {
  readonly field: string;
  readonly ask: Ask;
}

/** One of some columns has one of some values. */
export interface Either {
  readonly fields: readonly string[];
  readonly any: readonly string[];
}

/** Each word is a substring of one of the fields, or is the id. Neither case nor accents count. No user has an empty one. */
export interface Words {
  readonly fields: readonly string[];
  readonly words: readonly string[];
}

/** All conditions hold. `ids`, no id of `notIds`, and ids from `from` (included) to `to` (not included), narrow it, too. */
export interface Question {
  readonly where?: readonly (Condition | Either | Words)[];
  readonly ids?: readonly number[];
  readonly notIds?: readonly number[];
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

export const ignoresCase = (kind: Kind): boolean => kind === 'text' || typeof kind === 'object';

/** How texts of a kind fold. */
export const foldOf = (kind: Kind): Fold => (typeof kind === 'object' ? kind.fold : foldCase);

/** The form in which a value of a kind is compared. */
export const folded = (kind: Kind, value: Value): string => (typeof value === 'string' ? foldOf(kind)(value) : '');

/** Tests a value, given with its folded text: so each of many is folded only once. */
export type Test = (value: Value, text: string) => boolean;

/** Tests encoded values. */
function isOneOf(values: readonly Mixed[]): Test {
  const wanted = new Set<Value>(values.map(encoded));
  const members = membersIn(values);
  return (value) => {
    const text = String(value);
    return wanted.has(text) || (isArray(text) && members.some((member) => text.includes(member)));
  };
}

function equalsOne(kind: Kind, values: readonly Mixed[]): Test {
  if (kind === 'mixed') return isOneOf(values);
  if (!ignoresCase(kind)) {
    const wanted = new Set<Mixed>(values);
    return (value) => wanted.has(value);
  }
  const wanted = new Set(values.flatMap((each) => (typeof each === 'string' ? folded(kind, each) : [])));
  return (_, text) => wanted.has(text);
}

/** Neither NUL nor half a character is in a text. */
const canBeIn = (substring: string): boolean => substring.isWellFormed() && !substring.includes('\0');

/** The substrings as they are in folded texts, without those that no text has. */
export const substringsIn = (kind: Kind, substrings: readonly string[]): string[] =>
  kind === 'number' ? [] : [...new Set(substrings.map((substring) => folded(kind, substring)))].filter(canBeIn);

/** Whether a number is read of a text. */
const isReadOf = (numberIn: NumberIn, text: string): boolean => {
  const bytes = Buffer.from(text);
  return numberIn(bytes, 0, bytes.length) !== undefined;
};

function beyond(kind: Kind, { bound, of, among }: BoundAsk): Test {
  const isMet = BOUND_TESTS[bound];
  if (typeof of === 'number') {
    return (value) => {
      const number = shownValue(kind, value);
      return typeof number === 'number' && isMet(number - of);
    };
  }
  const key = folded(kind, of);
  const isBeyond = (text: Mixed | undefined): boolean =>
    typeof text === 'string' && isMet(compareCodePoints(text, key)) && (!among || isReadOf(among, text));
  if (kind === 'mixed') return (_, text) => [shownValue(kind, text)].flat().some(isBeyond);
  return (_, text) => kind !== 'number' && isBeyond(text);
}

export function testOf(kind: Kind, ask: Ask): Test {
  if ('missing' in ask) return () => !ask.missing;
  if ('any' in ask) return equalsOne(kind, ask.any);
  if ('none' in ask) {
    const isOne = equalsOne(kind, ask.none);
    return (value, text) => !isOne(value, text);
  }
  if ('substrings' in ask) {
    const substrings = substringsIn(kind, ask.substrings);
    const isThere: (text: string, substring: string) => boolean = SUBSTRING_TESTS[ask.at];
    const hasOne = (text: string) => substrings.some((substring) => isThere(text, substring));
    // A third of the time that a look at each text takes.
    const wanted = kind === 'mixed' && isPlace(ask.at) ? substringsAt(substrings, ask.at) : undefined;
    if (wanted) return (value, text) => isText(String(value)) && wanted.some((substring) => text.includes(substring));
    if (kind === 'mixed') return (_, text) => hasText(text, hasOne);
    return (_, text) => hasOne(text);
  }
  return beyond(kind, ask);
}

export const meetsWithout = (ask: Ask): boolean => ('missing' in ask ? ask.missing : 'none' in ask);

/** Made once for many values: hundreds of texts may be asked for, and are folded here. */
export function meeting(kind: Kind, ask: Ask): (value: Value | undefined) => boolean {
  const test = testOf(kind, ask);
  return (value) => (value === undefined ? meetsWithout(ask) : test(value, folded(kind, value)));
}

export const meets = (kind: Kind, value: Value | undefined, ask: Ask): boolean => meeting(kind, ask)(value);

/** The id that a word is, as ids are written. */
export const idOf = (word: string): number | undefined => (String(Number(word)) === word ? Number(word) : undefined);

/** Whether a text can have a word. An empty one would be in all. */
export const canBeWord = (word: string): boolean => word !== '' && canBeIn(word);

/** Whether a user has a word, given as `plain` makes it, as their plain texts are. */
export const hasWord = (id: number, texts: readonly string[], word: string): boolean =>
  id === idOf(word) || (canBeWord(word) && texts.some((text) => text.includes(word)));

const meetsWords = (row: Row, { fields, words }: Words): boolean => {
  const texts = fields.flatMap((field) => (typeof row[field] === 'string' ? plain(row[field]) : []));
  return words.every((word) => hasWord(row.id, texts, plain(word)));
};

/** The columns of a condition, of which one must meet its question. */
export const askedOf = (condition: Condition | Either): { fields: readonly string[]; ask: Ask } =>
  'any' in condition
    ? { fields: condition.fields, ask: { any: condition.any } }
    : { fields: [condition.field], ask: condition.ask };

/** Whether a user is one of those whom a question asks for. */
export function meetsAll(kinds: Kinds, row: Row, question: Question): boolean {
  const { where = [], ids, notIds = [], from = 0, to = Number.POSITIVE_INFINITY } = question;
  const isInRange = row.id >= from && row.id < to && (ids?.includes(row.id) ?? true) && !notIds.includes(row.id);
  const isMet = (field: string, ask: Ask) =>
    meets(kindOf(kinds, field) ?? 'text', valueOfColumn(kinds, row, field), ask);
  const meetsOne = (each: Condition | Either | Words): boolean => {
    if ('words' in each) return meetsWords(row, each);
    const { fields, ask } = askedOf(each);
    return fields.some((field) => isMet(field, ask));
  };
  return isInRange && where.every(meetsOne);
}

/** Compares values, given with their folded texts. A missing one comes behind all others. */
export type Compare = (a: Value | undefined, textA: string, b: Value | undefined, textB: string) => number;

/** How values of a kind are compared. */
export const comparing =
  (kind: Kind): Compare =>
  (a, textA, b, textB) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (kind === 'number') return Number(a) - Number(b);
    return compareCodePoints(textA, textB) || (ignoresCase(kind) ? 0 : compareCodePoints(String(a), String(b)));
  };

const compareValues = (kind: Kind, a: Value | undefined, b: Value | undefined): number =>
  comparing(kind)(a, folded(kind, a ?? ''), b, folded(kind, b ?? ''));

/** The same, and those that are equal but not the same by their texts: so are values in the order of counts. */
export const compareExactly = (kind: Kind, a: Value | undefined, b: Value | undefined): number =>
  compareValues(kind, a, b) || compareCodePoints(String(a), String(b));

/** A row without a value comes behind all others, and before all of them from high to low. */
export const compareRows =
  (kinds: Kinds, order: Order) =>
  (a: Row, b: Row): number => {
    for (const { property, per = 1, descending } of order) {
      const kind = kindOf(kinds, property) ?? 'text';
      const [x, y] = [valueOfColumn(kinds, a, property), valueOfColumn(kinds, b, property)];
      const difference =
        property === 'id' ? Math.floor(a.id / per) - Math.floor(b.id / per) : compareValues(kind, x, y);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };

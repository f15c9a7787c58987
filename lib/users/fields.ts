import type { FieldKind, Kinds } from '../columns/index.ts';
import type { AttributeProperty } from './attributes.ts';
import type { PlainField } from './user.ts';

/** What the service can do with a field. Everything that depends on it is derived from this table. */
export interface FieldRules {
  /** Its name in journal entries, which every list reads: one letter, never reused. */
  short: string;
  /** How it is compared. Lists are sorted and counted by every field; `ASKS` in filters.ts says how each kind is filtered. */
  kind: FieldKind;
  /** The words of a search are looked for in this field, and others. */
  words?: true;
  /** Many users share its few values: the page offers them, and counts users by them. */
  few?: true;
}

/** The name of `attributes` in journal entries. They are no field of one value. */
export const ATTRIBUTES_SHORT = 't';

/** The one table of fields. The recipe for a new one is in CONTRIBUTING.md. */
export const FIELDS = {
  name: { short: 'n', kind: 'text', words: true },
  email: { short: 'e', kind: 'address', words: true },
  age: { short: 'a', kind: 'number' },
  firstName: { short: 'f', kind: 'text', words: true },
  lastName: { short: 'l', kind: 'text', words: true },
  status: { short: 's', kind: 'exact', few: true },
  country: { short: 'c', kind: 'exact', few: true },
  externalId: { short: 'x', kind: 'exact', words: true },
} as const satisfies Record<PlainField, FieldRules>;

type Fields = typeof FIELDS;
export type FieldsOf<Wanted extends FieldKind> = {
  [Field in PlainField]: Fields[Field]['kind'] extends Wanted ? Field : never;
}[PlainField];

export type ExactField = FieldsOf<'exact'>;

/** A field with few values. */
export type FewField = { [Field in PlainField]: Fields[Field] extends { few: true } ? Field : never }[PlainField];

/** The kind of each field. */
export const KINDS = Object.fromEntries(Object.entries(FIELDS).map(([field, { kind }]) => [field, kind])) as Readonly<
  Record<PlainField, FieldKind>
>;

/** What the replica has columns of. */
export const COLUMNS: Kinds = { ...KINDS, attributes: 'members' };

const namesOf = <Field extends PlainField>(matches: (rules: FieldRules) => boolean): readonly Field[] =>
  Object.entries<FieldRules>(FIELDS).flatMap(([field, rules]) => (matches(rules) ? [field as Field] : []));

export const FEW_FIELDS = namesOf<FewField>(({ few }) => few === true);

/** The field that a keyword is looked for in. */
export const KEYWORD_FIELD = 'lastName';

/** The fields that words are looked for in. */
export const WORD_FIELDS = namesOf<PlainField>(({ words }) => words === true);

/** The kind of a property, if it is a field. */
export const kindOf = (property: string): FieldKind | undefined =>
  Object.hasOwn(KINDS, property) ? KINDS[property as PlainField] : undefined;

export const isNumber = (property: string): boolean => kindOf(property) === 'number';

/** The properties that a list can be sorted by. */
export type SortProperty = PlainField | AttributeProperty | 'id' | 'createdAt';

import type { FieldName } from './user.ts';

/** What the service can do with a field. Everything that depends on it is derived from this table. */
export interface FieldRules {
  /** Its name in stored users, in their keys and in journal entries, which every listing reads: one letter, never reused. */
  short: string;
  /** Listings can be sorted by it: by its folded text, or by its number. Costs one index, and one more for each field with `lists`. */
  order?: 'text' | 'number';
  /**
   * With `order`, for a field that is new to stages in use: its indexes are built and written, but not read yet. See
   * docs/deployment.md.
   */
  arriving?: true;
  /**
   * Listings can be filtered by it, through the index of its order, and by whether it is missing. `exact`: case-sensitive equality
   * with one of some values, which have totals of their own. `folded`: equality ignoring case, or a prefix. `range`: equality, or
   * bounds of a number. See filters.ts.
   */
  filter?: 'exact' | 'folded' | 'range';
  /** With `filter: 'exact'`: the users of a value are listed in every order. Costs an index for each other ordered field. */
  lists?: 'in every order';
  /** A search looks for its keyword in this field. */
  search?: true;
}

/** The one table of fields. A new field needs a line here and in schemas/user.ts. */
export const FIELDS = {
  name: { short: 'n', order: 'text', filter: 'folded' },
  email: { short: 'e', order: 'text', filter: 'folded' },
  age: { short: 'a', order: 'number', filter: 'range' },
  firstName: { short: 'f', order: 'text', filter: 'folded' },
  lastName: { short: 'l', order: 'text', filter: 'folded', search: true },
  status: { short: 's', order: 'text', filter: 'exact' },
  country: { short: 'c', order: 'text', filter: 'exact', lists: 'in every order' },
} as const satisfies Record<FieldName, FieldRules>;

type Fields = typeof FIELDS;
export type FieldsWith<Rule> = { [Field in keyof Fields]: Fields[Field] extends Rule ? Field : never }[keyof Fields];

export type OrderedField = FieldsWith<{ order: string }>;
export type FilterField = FieldsWith<{ filter: string }>;
export type ExactField = FieldsWith<{ filter: 'exact' }>;

const fieldsWhere = <Field extends FieldName>(matches: (rules: FieldRules) => boolean): readonly Field[] =>
  Object.entries<FieldRules>(FIELDS).flatMap(([field, rules]) => (matches(rules) ? [field as Field] : []));

/** The fields that have keys, also while listings do not use them yet. */
export const KEYED_FIELDS = fieldsWhere<OrderedField>(({ order }) => order !== undefined);
export const ORDERED_FIELDS = fieldsWhere<OrderedField>(({ order, arriving }) => order !== undefined && !arriving);
export const FILTER_FIELDS = fieldsWhere<FilterField>(({ filter, arriving }) => filter !== undefined && !arriving);
export const EXACT_FIELDS = fieldsWhere<ExactField>(({ filter }) => filter === 'exact');
export const FIELDS_LISTED_IN_EVERY_ORDER = fieldsWhere<ExactField>(({ lists }) => lists === 'in every order');

export const isExactField = (property: string): property is ExactField =>
  (EXACT_FIELDS as readonly string[]).includes(property);

export const isOrderedField = (property: string): property is OrderedField =>
  (ORDERED_FIELDS as readonly string[]).includes(property);

const TEXTS = new Set<string>(fieldsWhere(({ order }) => order === 'text'));

export const isOrderedByText = (property: string): boolean => TEXTS.has(property);

/** The properties that a listing can be sorted by. */
export type SortProperty = FieldName | 'id' | 'createdAt';

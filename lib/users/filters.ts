/**
 * The filters of listings, by the names of their parameters: `status`, `email.startsWith`, `age.gte`, `email.missing`. They follow from the fields.
 * Except for the values of exact fields, each is a range of keys in the order of its property.
 */
import {
  type ExactField,
  FIELDS,
  FILTER_FIELDS,
  type FieldRules,
  type FieldsWith,
  type FilterField,
  type OrderedField,
} from './fields.ts';
import { firstIdAt, MAX_ID } from './ids.ts';
import { NO_VALUE, NUMBERS_END, padded, prefixEnd, SEPARATOR, sortTextOf } from './keys.ts';
import { type Range, rangeOfText, WITHOUT_VALUE } from './lists.ts';
import { isOptional, type OptionalField } from './user.ts';

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;
type Bound = (typeof BOUNDS)[number];

type FilterKind = NonNullable<FieldRules['filter']>;
type FieldsBy<Kind extends FilterKind> = FieldsWith<{ filter: Kind }>;

export type FilterName =
  | FilterField
  | `${FieldsBy<'folded'>}.startsWith`
  | `${FieldsBy<'range'> | 'createdAt'}.${Bound}`
  | `${FilterField & OptionalField}.missing`;

type ValueOf<Name extends FilterName> = Name extends ExactField
  ? string | readonly string[]
  : Name extends FieldsBy<'range'> | `${string}.${Bound}`
    ? number
    : Name extends `${string}.missing`
      ? boolean
      : string;

/** The values of filters. Bounds of `createdAt` are in Unix milliseconds; a user's `createdAt` is a whole number of them. */
export type Filters = { readonly [Name in FilterName]?: ValueOf<Name> | undefined } & {
  /** Users with one of these ids. */
  readonly id?: readonly number[] | undefined;
};

/** What a filter asks of which property. */
export interface Filter {
  property: OrderedField | 'createdAt';
  asks: 'is' | 'startsWith' | 'missing' | Bound;
}

const ASKS: Readonly<Record<FilterKind, readonly Filter['asks'][]>> = {
  exact: ['is'],
  folded: ['is', 'startsWith'],
  range: ['is', ...BOUNDS],
};

const named = ({ property, asks }: Filter): [FilterName, Filter] => [
  (asks === 'is' ? property : `${property}.${asks}`) as FilterName,
  { property, asks },
];

export const FILTERS: ReadonlyMap<FilterName, Filter> = new Map([
  ...FILTER_FIELDS.flatMap((property) => {
    const asks = [...ASKS[FIELDS[property].filter], ...(isOptional(property) ? (['missing'] as const) : [])];
    return asks.map((each) => named({ property, asks: each }));
  }),
  ...BOUNDS.map((asks) => named({ property: 'createdAt', asks })),
]);

/** The lowest integer at or above a bound: that integer is the first one within it, or the first one beyond it. */
const edgeOf = (asks: Filter['asks'], value: number): number =>
  asks === 'gte' || asks === 'lt' ? Math.ceil(value) : Math.floor(value) + 1;

const NOBODY: Range = { from: NO_VALUE, to: NO_VALUE };

/** The keys of the users that a filter asks for, in the order of its property; for `createdAt` this is the order of ids. */
export function rangeOf({ property, asks }: Filter, value: string | number | boolean): Range {
  if (typeof value === 'boolean') return value ? WITHOUT_VALUE : { to: NO_VALUE };
  if (typeof value === 'string') {
    const text = sortTextOf(value);
    return asks === 'is' ? rangeOfText(text) : { from: text, to: prefixEnd(text) };
  }
  if (asks === 'is') return value >= 0 && value <= MAX_ID ? rangeOfText(padded(value)) : NOBODY;
  const edge = edgeOf(asks, value);
  const isMoment = property === 'createdAt';
  const number = padded(Math.min(Math.max(isMoment ? firstIdAt(edge) : edge, 0), MAX_ID + 1));
  const key = isMoment ? number : number + SEPARATOR;
  if (asks === 'lte' || asks === 'lt') return { to: key };
  return { from: key, to: isMoment ? undefined : NUMBERS_END };
}

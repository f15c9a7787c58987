/**
 * The filters of lists, by the names of their parameters: `status`, `status.not`, `email.endsWith`, `age.gte`, `email.missing`. They follow
 * from the kinds of fields. Those of attributes are `attributes.team`, `attributes.team.not`. Each of them means a question to the
 * replica: asked.ts.
 */
import type { BoundAsk, Mixed, SUBSTRING_TESTS } from '../columns/index.ts';
import {
  ANY_ATTRIBUTE,
  type AttributeProperty,
  type FieldKind,
  type FieldsOf,
  isOfAttribute,
  isOptional,
  KEYWORD_FIELD,
  KINDS,
  type OptionalField,
  PLAIN_FIELDS,
  type PlainField,
} from './user.ts';

type Bound = BoundAsk['bound'];
const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const satisfies readonly Bound[];

/** Each may have several values. `is` has no ending. */
const VALUES = ['is', 'not'] as const;

/** The endings that ask for a part of a text, which may have several values, too: how columns find it, and what the document and the page call that. */
export const PARTS = {
  startsWith: { at: 'startsWith', words: 'begins with' },
  endsWith: { at: 'endsWith', words: 'ends with' },
  contains: { at: 'includes', words: 'contains' },
} as const satisfies Record<string, { at: keyof typeof SUBSTRING_TESTS; words: string }>;

const PART_ENDINGS = Object.keys(PARTS) as (keyof typeof PARTS)[];
const TEXT_ASKS = [...VALUES, ...PART_ENDINGS] as const;

/** The questions about values of each kind. */
const ASKS = {
  text: TEXT_ASKS,
  address: TEXT_ASKS,
  exact: TEXT_ASKS,
  number: [...VALUES, ...BOUNDS],
} as const satisfies Record<FieldKind, readonly Filter['asks'][]>;

type EndingOf<Of extends FieldKind> = Exclude<(typeof ASKS)[Of][number], 'is'>;

export type FilterName =
  | PlainField
  | 'id'
  | `id.not`
  | { [Of in FieldKind]: `${FieldsOf<Of>}.${EndingOf<Of>}` }[FieldKind]
  | `${'createdAt' | 'updatedAt'}.${Bound}`
  | 'updatedAt.missing'
  | `${OptionalField}.missing`
  | 'keyword'
  | 'q';

/**
 * The values of filters, as each asks for them. Bounds of moments are in Unix milliseconds; those of users are whole
 * numbers of them. Texts of attributes stand for numbers and booleans as well, but for those of bounds, which are of numbers or of texts.
 */
export type Filters = { readonly [Name in FilterName | AttributeProperty]?: Mixed | readonly Mixed[] | undefined };

/** A filter: a property, and the question about it. */
export interface Filter<Property = PlainField | AttributeProperty | 'id' | 'createdAt' | 'updatedAt' | 'any'> {
  property: Property;
  asks: (typeof VALUES)[number] | keyof typeof PARTS | Bound | 'missing' | 'words';
}

export type FieldFilter = Filter<Exclude<Filter['property'], AttributeProperty>>;

/** Whether a filter may have several values. */
export const isSeveral = ({ asks }: Pick<Filter, 'asks'>): boolean => TEXT_ASKS.some((each) => each === asks);

/** Whether a filter asks for a part of a text. */
export const isOfPart = (asks: Filter['asks']): asks is keyof typeof PARTS => Object.hasOwn(PARTS, asks);

export const isBound = (asks: Filter['asks'] | undefined): asks is Bound => BOUNDS.some((each) => each === asks);

const named = ({ property, asks }: FieldFilter): [FilterName, FieldFilter] => [
  (asks === 'is' ? property : `${property}.${asks}`) as FilterName,
  { property, asks },
];

export const FILTERS: ReadonlyMap<FilterName, FieldFilter> = new Map([
  ...VALUES.map((asks) => named({ property: 'id', asks })),
  ...PLAIN_FIELDS.flatMap((property) => {
    const asks = [...ASKS[KINDS[property]], ...(isOptional(property) ? (['missing'] as const) : [])];
    return asks.map((each) => named({ property, asks: each }));
  }),
  ...BOUNDS.map((asks) => named({ property: 'createdAt', asks })),
  ...[...BOUNDS, 'missing' as const].map((asks) => named({ property: 'updatedAt', asks })),
  ['keyword', { property: KEYWORD_FIELD, asks: 'contains' }],
  ['q', { property: 'any', asks: 'words' }],
]);

/** The questions about an attribute. */
export const ATTRIBUTE_ASKS = [...TEXT_ASKS, ...BOUNDS, 'missing'] as const;

/** The ending is what follows the second dot: no attribute has one in its name. */
function attributeFilter(name: string): Filter | undefined {
  const end = name.indexOf('.', ANY_ATTRIBUTE.indexOf('<'));
  const property = end < 0 ? name : name.slice(0, end);
  const asks = ATTRIBUTE_ASKS.find((each) => (each === 'is' ? end < 0 : each === name.slice(end + 1)));
  return asks && isOfAttribute(property) ? { property, asks } : undefined;
}

export const filterNamed = (name: string): Filter | undefined =>
  FILTERS.get(name as FilterName) ?? attributeFilter(name);

/** The words between blanks, each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(text.split(/\p{White_Space}+/u).filter((word) => word !== '')),
];

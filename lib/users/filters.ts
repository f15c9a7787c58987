/**
 * The filters of lists, by the names of their parameters: `status`, `status.not`, `email.endsWith`, `age.gte`, `email.missing`. They follow
 * from the kinds of fields. Those of attributes are `attributes.team`, `attributes.team.not`. Each of them means a question to the
 * replica.
 */
import type { Ask, BoundAsk, Condition, FieldKind, Mixed, Question, SUBSTRING_TESTS, Words } from '../columns/index.ts';
import { dayIn } from './dates.ts';
import { firstIdAt, MAX_ID } from './ids.ts';
import {
  ANY_ATTRIBUTE,
  type AttributeProperty,
  type FieldsOf,
  isOfAttribute,
  isOptional,
  KEYWORD_FIELD,
  KINDS,
  NUMBER,
  type OptionalField,
  PLAIN_FIELDS,
  type PlainField,
  WORD_FIELDS,
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

/** The values of a text that is compared with attributes: itself, and a number or a boolean that is written like that. */
function meantBy(text: Mixed): readonly Mixed[] {
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return NUMBER.test(String(text)) ? [text, Number(text)] : [text];
}

/** A bound of an attribute that is a date, or a longer or shorter moment: texts that begin like one and are none, nobody asks for. */
const DATED = /^\d{4}-/;

/** The question of a filter about a field or an attribute. */
function askOf({ property, asks }: Filter, given: Mixed | readonly Mixed[]): Ask {
  if (typeof given === 'boolean') return { missing: given };
  const all = [given].flat() as Mixed[];
  if (isBound(asks)) {
    const of = typeof given === 'number' ? given : String(given);
    return { bound: asks, of, ...(DATED.test(String(of)) && { among: dayIn }) };
  }
  if (isOfPart(asks)) return { substrings: all.map(String), at: PARTS[asks].at };
  const values = isOfAttribute(property) ? all.flatMap(meantBy) : all;
  return asks === 'not' ? { none: values } : { any: values };
}

/** The ids of users who were created at, after or before a moment: `from` is included, `to` is not. */
function idsOf(asks: Filter['asks'], moment: number): { from?: number; to?: number } {
  const time = asks === 'gte' || asks === 'lt' ? Math.ceil(moment) : Math.floor(moment) + 1;
  const edge = Math.min(Math.max(firstIdAt(time), 0), MAX_ID);
  return asks === 'gte' || asks === 'gt' ? { from: edge } : { to: edge };
}

/** Both questions in one: what meets each of them. */
function narrowed(question: Question, { from = 0, to = Number.POSITIVE_INFINITY }: Question): Question {
  return {
    ...question,
    from: Math.max(from, question.from ?? 0),
    to: Math.min(to, question.to ?? Number.POSITIVE_INFINITY),
  };
}

/** The question of some filters to the replica. */
export function questionOf(filters: Filters): Question {
  const where: (Condition | Words)[] = [];
  let question: Question = { where };
  for (const [name, given] of Object.entries(filters)) {
    const filter = filterNamed(name);
    if (!filter || given === undefined) continue;
    const { property, asks } = filter;
    if (property === 'createdAt') question = narrowed(question, idsOf(asks, Number(given)));
    else if (property === 'any') where.push({ fields: WORD_FIELDS, words: wordsOf(String(given)) });
    else if (property !== 'id') where.push({ field: property, ask: askOf(filter, given) });
    else question = { ...question, [asks === 'is' ? 'ids' : 'notIds']: [given].flat() };
  }
  return question;
}

/** A filter with a bound that only dates meet. */
const isDated = ([name, given]: readonly [string, unknown]): boolean =>
  isBound(filterNamed(name)?.asks) && DATED.test(String(given));

/**
 * Two questions about the users who meet all filters but those with bounds that only dates meet: who has a value in the attributes of these
 * bounds, and who has a date there. Undefined if there is no such bound.
 */
export function datesAsked(filters: Filters): Record<'withValues' | 'withDates', Question> | undefined {
  const dated = Object.entries(filters).filter(isDated);
  if (dated.length === 0) return undefined;
  const fields = [...new Set(dated.flatMap(([name]) => filterNamed(name)?.property ?? []))];
  const others = questionOf(Object.fromEntries(Object.entries(filters).filter((each) => !isDated(each))));
  const asking = (ask: Ask): Question => ({
    ...others,
    where: [...(others.where ?? []), ...fields.map((field) => ({ field, ask }))],
  });
  return { withValues: asking({ missing: false }), withDates: asking({ bound: 'gte', of: '', among: dayIn }) };
}

/** The question of some filters about users with higher ids. */
export const questionAfter = (filters: Filters, id: number): Question =>
  narrowed(questionOf(filters), { from: id + 1 });

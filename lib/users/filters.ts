/**
 * The filters of lists, by the names of their parameters: `status`, `email.startsWith`, `age.gte`, `email.missing`. They follow from the
 * fields. What each of them means is a question to the replica.
 */
import type { Ask, Condition, Kind, Question } from '../replica/definition.ts';
import { type ExactField, type FieldsOf, KINDS, SEARCHED_FIELDS } from './fields.ts';
import { firstIdAt, MAX_ID } from './ids.ts';
import { FIELD_NAMES, type FieldName, isOptional, type OptionalField } from './user.ts';

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;
type Bound = (typeof BOUNDS)[number];

export type FilterName =
  | FieldName
  | `${FieldsOf<'text' | 'address'>}.startsWith`
  | `${FieldsOf<'number'> | 'createdAt'}.${Bound}`
  | `${OptionalField}.missing`;

type ValueOf<Name extends FilterName> = Name extends ExactField
  ? string | readonly string[]
  : Name extends FieldsOf<'number'> | `${string}.${Bound}`
    ? number
    : Name extends `${string}.missing`
      ? boolean
      : string;

/** The values of filters. Bounds of `createdAt` are in Unix milliseconds; a user's `createdAt` is a whole number of them. */
export type Filters = { readonly [Name in FilterName]?: ValueOf<Name> | undefined } & {
  /** Users with one of these ids. */
  readonly id?: readonly number[] | undefined;
  /** Users with this part in their last name, ignoring case. */
  readonly keyword?: string | undefined;
};

/** What a filter asks of which property. */
export interface Filter {
  property: FieldName | 'createdAt';
  asks: 'is' | 'startsWith' | 'missing' | Bound;
}

const ASKS: Readonly<Record<Kind, readonly Filter['asks'][]>> = {
  exact: ['is'],
  text: ['is', 'startsWith'],
  address: ['is', 'startsWith'],
  number: ['is', ...BOUNDS],
};

const named = ({ property, asks }: Filter): [FilterName, Filter] => [
  (asks === 'is' ? property : `${property}.${asks}`) as FilterName,
  { property, asks },
];

export const FILTERS: ReadonlyMap<FilterName, Filter> = new Map([
  ...FIELD_NAMES.flatMap((property) => {
    const asks = [...ASKS[KINDS[property]], ...(isOptional(property) ? (['missing'] as const) : [])];
    return asks.map((each) => named({ property, asks: each }));
  }),
  ...BOUNDS.map((asks) => named({ property: 'createdAt', asks })),
]);

/** The integers from a bound on, or below it: `from` is included, `to` is not. */
function rangeOf(asks: Filter['asks'], bound: number): { from?: number; to?: number } {
  const edge = asks === 'gte' || asks === 'lt' ? Math.ceil(bound) : Math.floor(bound) + 1;
  return asks === 'gte' || asks === 'gt' ? { from: edge } : { to: edge };
}

function askOf(asks: Filter['asks'], value: string | number | boolean | readonly string[]): Ask {
  if (typeof value === 'boolean') return { missing: value };
  if (typeof value === 'object') return { any: value };
  if (asks === 'is') return { any: [value] };
  if (typeof value === 'string') return { startsWith: value };
  const { from, to } = rangeOf(asks, value);
  return { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) };
}

/** The ids of users who were created at, after or before a moment. */
function idsOf(asks: Filter['asks'], moment: number): { from?: number; to?: number } {
  const { from, to } = rangeOf(asks, moment);
  const idAt = (time: number) => Math.min(Math.max(firstIdAt(time), 0), MAX_ID);
  return { ...(from !== undefined && { from: idAt(from) }), ...(to !== undefined && { to: idAt(to) }) };
}

/** Both questions in one: what meets each of them. */
function narrowed(question: Question, { from = 0, to = Number.POSITIVE_INFINITY }: Question): Question {
  return {
    ...question,
    from: Math.max(from, question.from ?? 0),
    to: Math.min(to, question.to ?? Number.POSITIVE_INFINITY),
  };
}

/** What some filters ask of the replica. */
export function questionOf(filters: Filters): Question {
  const { id: ids, keyword } = filters;
  const where: Condition[] = keyword ? SEARCHED_FIELDS.map((field) => ({ field, ask: { contains: keyword } })) : [];
  let question: Question = { where, ...(ids && { ids }) };
  for (const [name, { property, asks }] of FILTERS) {
    const given = filters[name];
    if (given === undefined) continue;
    if (property === 'createdAt') question = narrowed(question, idsOf(asks, Number(given)));
    else where.push({ field: property, ask: askOf(asks, given) });
  }
  return question;
}

/** What some filters ask of users with higher ids. */
export const questionAfter = (filters: Filters, id: number): Question =>
  narrowed(questionOf(filters), { from: id + 1 });

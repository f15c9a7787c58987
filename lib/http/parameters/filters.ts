import type { APIGatewayProxyEvent } from 'aws-lambda';
import { attributeBound, attributeValue, filterValues, flag } from '../../../schemas/filters.ts';
import {
  isTextWithin,
  MAX_FILTER_VALUES,
  MAX_IDS,
  MAX_NAMES_ASKED,
  MAX_WORDS,
  PRINTABLE,
  wellFormed,
} from '../../../schemas/limits.ts';
import { systemRuntime } from '../../ground/index.ts';
import { badParameter } from '../../users/errors.ts';
import {
  ATTRIBUTE_ASKS,
  FILTERS,
  type FieldFilter,
  type Filter,
  type FilterName,
  type Filters,
  filterNamed,
  isBound,
  isOfPart,
  isSeveral,
  PARTS,
  wordsOf,
} from '../../users/filters.ts';
import { MAX_ID } from '../../users/ids.ts';
import { ANY_ATTRIBUTE, ATTRIBUTE, isOfAttribute, kindOf, NUMBER, nameAsked, WORD_FIELDS } from '../../users/user.ts';
import { isDuration, isMisspelt, MOMENT_RULE, moment, parseMoment } from './moments.ts';
import { INTEGER, IS_INTEGER, type Parameter, readOne, readSeveral, toInt64 } from './parameter.ts';

/** The value of a filter as lists take it: milliseconds for moments. */
type Value = string | number | boolean;

type ValueSchema = (typeof filterValues)[keyof typeof filterValues] | typeof attributeValue | typeof attributeBound;

/** The schema of each value of a filter. */
const valueSchemaOf = ({ property, asks }: Filter): ValueSchema | typeof flag => {
  if (asks === 'missing') return flag;
  if (!isOfAttribute(property)) return filterValues[property];
  return isBound(asks) ? attributeBound : attributeValue;
};

/** Readers of values that are no texts, by their format: the rule, and the value of a text that keeps it. */
const READERS = {
  integer: { rule: 'must be an integer', read: (text: string) => (IS_INTEGER.test(text) ? Number(text) : undefined) },
  flag: {
    rule: 'must be true or false',
    read: (text: string) => (['true', 'false'].includes(text) ? text === 'true' : undefined),
  },
  moment: { rule: MOMENT_RULE, read: parseMoment },
};

const SHOWN = new RegExp(PRINTABLE, 'u');

/**
 * A bound of an attribute: a number, the moment of a duration before now, as times in UTC are written, or any other text.
 *
 * @throws {ServiceError} 400 when it begins like a moment and is none
 */
function boundOf(name: string, text: string, now: number): number | string {
  if (NUMBER.test(text)) return Number(text);
  if (isMisspelt(text)) throw badParameter(`${name} ${MOMENT_RULE}`);
  return isDuration(text) ? new Date(parseMoment(text, now) ?? now).toISOString() : text;
}

/** @throws {ServiceError} 400 when the filter cannot have this value */
function toValue(name: string, schema: ReturnType<typeof valueSchemaOf>, text: string, now: number): Value {
  if (!('maxLength' in schema)) {
    const { rule, read } = READERS[schema.format];
    const value = read(text, now);
    if (value === undefined) throw badParameter(`${name} ${rule}`);
    return value;
  }
  const { maxLength, format } = schema;
  if ([...text].length > maxLength) throw badParameter(`${name} must be at most ${maxLength} characters long`);
  // A filter by e-mail may be any text up to the longest address, which is counted in octets.
  const isShort = format !== 'mailbox' || Buffer.byteLength(text) <= maxLength;
  if (!isShort || !isTextWithin(maxLength, text) || !SHOWN.test(text))
    throw badParameter(`${name} ${wellFormed(maxLength)}`);
  return format === 'bound' ? boundOf(name, text, now) : text;
}

/** Nobody has an id that no user can have. */
const toIds = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(toInt64(text, 'id'))).filter((id) => id > 0 && id <= MAX_ID);

/** How many values a filter may have. */
const mostValues = (name: string): number => (name === 'id' ? MAX_IDS : MAX_FILTER_VALUES);

/** The values of a filter. Undefined: it has none. @throws {ServiceError} 400 for too many values, or the first that is not valid */
function readFilter(event: APIGatewayProxyEvent, name: string, filter: Filter, now: number) {
  const given = isSeveral(filter) ? readSeveral(event, name, mostValues(name)) : [readOne(event, name)];
  // A name alone asks for nothing, but it is meant as `true`: without the filter the list would be one of everybody.
  if (filter.asks === 'missing' && given?.[0] === '') throw badParameter(`${name} ${READERS.flag.rule}`);
  const texts = [...new Set(given)].filter((text): text is string => text !== undefined && text !== '');
  const [value, ...others] = texts.map((text) => toValue(name, valueSchemaOf(filter), text, now));
  if (value === undefined) return undefined;
  if (filter.property === 'id') return toIds(texts);
  if (isSeveral(filter)) return [value, ...others];
  const words = filter.asks === 'words' ? wordsOf(String(value)) : undefined;
  if (words && words.length > MAX_WORDS) throw badParameter(`${name} must have at most ${MAX_WORDS} words`);
  return words?.length === 0 ? undefined : value;
}

const PART_NAMES = Object.keys(PARTS)
  .map((ending) => `\`.${ending}\``)
  .join(', ');

/** The words for the question of a filter, behind "Only users", but for those of parts. */
const ASKED: Readonly<
  Record<Exclude<Filter['asks'], keyof typeof PARTS>, (property: string, ignoringCase: string) => string>
> = {
  is: (property, ignoring) => `with this ${property}${ignoring}`,
  not: (property, ignoring) => `without this ${property}${ignoring}, also those without any`,
  gte: (property) => `whose ${property} is at or above this`,
  gt: (property) => `whose ${property} is above this`,
  lte: (property) => `whose ${property} is at or below this`,
  lt: (property) => `whose ${property} is below this`,
  missing: (property) => `without a value in ${property}, or, for false, with one`,
  words: () =>
    `who have each of these words in ${WORD_FIELDS.join(', ')}, or as their id, ignoring case and accents: at most ${MAX_WORDS}, between blanks. \`ł ø đ æ œ þ ð\` are taken for \`l o d ae oe th d\``,
};

function documentedSchemaOf({ property, asks }: FieldFilter): object {
  if (asks === 'missing') return { type: 'boolean' };
  if (property === 'createdAt' || property === 'updatedAt') return moment;
  return property === 'id' || kindOf(property) === 'number' ? INTEGER : filterValues[property];
}

function filterParameter(name: FilterName, filter: FieldFilter): Parameter {
  const { property, asks } = filter;
  const ignoring = ['text', 'address'].includes(kindOf(property) ?? '') ? ', ignoring case' : '';
  const asked = isOfPart(asks)
    ? `Only users whose ${property} ${PARTS[asks].words} this, ignoring case.`
    : `Only users ${ASKED[asks](property, ignoring)}.`;
  const parameter = {
    name,
    says: asked,
    schema: documentedSchemaOf(filter),
    // `Id` is that of a path.
    ...(name === 'id' && { component: 'Ids' }),
    read: (event: APIGatewayProxyEvent) => readFilter(event, name, filter, systemRuntime.now()),
  };
  if (!isSeveral(filter)) return parameter;
  const most = mostValues(name);
  const says = `${asked} Several, at most ${most}: ${asks === 'not' ? 'none' : 'any'} of them.`;
  return { ...parameter, says, several: 'repeated', most };
}

/** Filters by their names. A name with `.missing` has true or false, others any text. */
export const attributeFilters = {
  type: 'object',
  maxProperties: MAX_NAMES_ASKED,
  propertyNames: { pattern: `^${ATTRIBUTE}(?:\\.(?:${ATTRIBUTE_ASKS.filter((asks) => asks !== 'is').join('|')}))?$` },
  additionalProperties: { ...attributeValue, minLength: 1 },
  examples: [{ 'attributes.department': 'Sales' }],
};

/** The filters of all attributes: generators know no parameters of a pattern, but objects whose members are parameters. */
const attributes: Parameter = {
  name: ANY_ATTRIBUTE,
  component: 'AttributeFilters',
  says: `Filters of attributes, each a parameter of its own. \`attributes.department=x\` finds users with this text, or with an array that has it; \`true\` and \`3\` also find the boolean and the number. Endings are \`.not\`, ${PART_NAMES}, ignoring case, \`.missing\`, and the bounds \`.gte\`, \`.gt\`, \`.lte\` and \`.lt\`. A bound that is a number meets numbers. A date-time, a date, a month, and a duration before now, such as \`-P60D\`, which stands for its moment as a text in UTC, meet texts that begin with a date; a bound that begins like one of these and is none is refused. Any other text meets texts. Texts are compared in the order in which they sort. All but bounds and \`.missing\` may be given up to ${MAX_FILTER_VALUES} times: any of them. Filters, \`sort\` and \`by\` together name at most ${MAX_NAMES_ASKED} attributes.`,
  schema: attributeFilters,
  several: 'members',
  isNamed: (name) => isOfAttribute(filterNamed(name)?.property ?? ''),
  read: () => undefined,
};

const BY_NAME = new Map([...FILTERS].map(([name, filter]) => [name, filterParameter(name, filter)]));

/** Filters by their names. */
export const filtersNamed = (...names: FilterName[]): Parameter[] => names.flatMap((name) => BY_NAME.get(name) ?? []);

/** All filters, those of attributes included. */
export const filters: readonly Parameter[] = [...BY_NAME.values(), attributes];

/** @throws {ServiceError} 400 when a question names too many attributes */
function refuseManyNames(asked: readonly string[]): void {
  const names = new Set(asked.flatMap((each) => nameAsked(each) ?? []));
  if (names.size > MAX_NAMES_ASKED)
    throw badParameter(`A request must name at most ${MAX_NAMES_ASKED} attributes in its filters, sort and by`);
}

/**
 * The filters of a list that are given and not empty.
 *
 * @param taken the parameters that the endpoint takes
 * @param others what else the question asks for: the properties of its order, or what users are counted by
 * @throws {ServiceError} 400 for the first value that is not valid, or for too many attributes
 */
export function readFilters(
  event: APIGatewayProxyEvent,
  taken: readonly Parameter[] = filters,
  others: readonly string[] = [],
): Filters {
  const now = systemRuntime.now();
  const found: Filters = Object.fromEntries(
    Object.keys(event.multiValueQueryStringParameters ?? {}).flatMap((name) => {
      const isTaken = taken.some((each) => (each.isNamed ? each.isNamed(name) : each.name === name));
      const filter = isTaken ? filterNamed(name) : undefined;
      const value = filter && readFilter(event, name, filter, now);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  refuseManyNames([...Object.keys(found), ...others]);
  return found;
}

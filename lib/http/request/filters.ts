import type { APIGatewayProxyEvent } from 'aws-lambda';
import { attributeBound, attributeValue, filterValues, flag } from '../../../schemas/filters.ts';
import { MAX_NAMES_ASKED, MAX_WORDS, PRINTABLE } from '../../../schemas/limits.ts';
import { badParameter, systemRuntime } from '../../ground/index.ts';
import { isOfAttribute, NUMBER, nameAsked } from '../../users/attributes.ts';
import { type Filter, type Filters, filterNamed, isBound, isSeveral, wordsOf } from '../../users/filters.ts';
import { MAX_ID } from '../../users/ids.ts';
import { isAmong, type ListingRules } from '../listingRules.ts';
import { MOMENT_RULE, parseMoment } from '../moments.ts';
import { INTEGER, toInt64 } from './id.ts';
import { readOne, readSeveral } from './parameters.ts';
import { isTextWithin, wellFormed } from './wellFormed.ts';

/** What a value is for the listing: milliseconds for moments. */
type Value = string | number | boolean;

type ValueSchema = (typeof filterValues)[keyof typeof filterValues] | typeof attributeValue | typeof attributeBound;

/** What each value of a filter must be. */
const schemaOf = ({ property, asks }: Filter): ValueSchema | typeof flag => {
  if (asks === 'missing') return flag;
  if (!isOfAttribute(property)) return filterValues[property];
  return isBound({ asks }) ? attributeBound : attributeValue;
};

/** What is no text, by its format: what it must be, and what a text stands for, if it is that. */
const READERS = {
  integer: { rule: 'must be an integer', read: (text: string) => (INTEGER.test(text) ? Number(text) : undefined) },
  number: {
    rule: 'must be a number',
    read: (text: string) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined),
  },
  flag: {
    rule: 'must be true or false',
    read: (text: string) => (['true', 'false'].includes(text) ? text === 'true' : undefined),
  },
  moment: { rule: MOMENT_RULE, read: parseMoment },
};

const SHOWN = new RegExp(PRINTABLE, 'u');

/** @throws {ServiceError} 400 when the filter cannot have this value */
function toValue(name: string, schema: ReturnType<typeof schemaOf>, text: string, now: number): Value {
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
  return text;
}

/** Nobody has an id that no user can have. */
const toIds = (texts: readonly string[]): number[] =>
  texts.map((text) => Number(toInt64(text, 'id'))).filter((id) => id > 0 && id <= MAX_ID);

/** What a filter asks for. Undefined: nothing. @throws {ServiceError} 400 for too many values, or the first that is not valid */
function readFilter(event: APIGatewayProxyEvent, name: string, filter: Filter, now: number) {
  const given = isSeveral(filter) ? readSeveral(event, name) : [readOne(event, name)];
  const texts = [...new Set(given)].filter((text): text is string => text !== undefined && text !== '');
  const [value, ...others] = texts.map((text) => toValue(name, schemaOf(filter), text, now));
  if (value === undefined) return undefined;
  if (filter.property === 'id') return toIds(texts);
  if (isSeveral(filter)) return [value, ...others];
  const words = filter.asks === 'words' ? wordsOf(String(value)) : undefined;
  if (words && words.length > MAX_WORDS) throw badParameter(`${name} must have at most ${MAX_WORDS} words`);
  return words?.length === 0 ? undefined : value;
}

/** @throws {ServiceError} 400 when a question names too many attributes */
function refuseManyNames(asked: readonly string[]): void {
  const names = new Set(asked.flatMap((each) => nameAsked(each) ?? []));
  if (names.size > MAX_NAMES_ASKED)
    throw badParameter(`A request must name at most ${MAX_NAMES_ASKED} attributes in its filters, sort and by`);
}

/**
 * The filters of a listing that are given and not empty.
 *
 * @param others what else the question asks for: the properties of its order, or what users are counted by
 * @throws {ServiceError} 400 for the first value that is not valid, or for too many attributes
 */
export function readFilters(event: APIGatewayProxyEvent, rules: ListingRules, others: readonly string[] = []): Filters {
  const now = systemRuntime.now();
  const filters: Filters = Object.fromEntries(
    Object.keys(event.multiValueQueryStringParameters ?? {}).flatMap((name) => {
      const filter = isAmong(rules.filters, name) ? filterNamed(name) : undefined;
      const value = filter && readFilter(event, name, filter, now);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  refuseManyNames([...Object.keys(filters), ...others]);
  return filters;
}

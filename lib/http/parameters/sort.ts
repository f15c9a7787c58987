import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Order } from '../../columns/index.ts';
import type { ServiceError } from '../../ground/index.ts';
import { userError } from '../../users/errors.ts';
import { type Direction, type SortKey, totalOrder } from '../../users/order.ts';
import { ATTRIBUTE, isOfAttribute, type SortProperty } from '../../users/user.ts';
import { propertyMeant } from '../hints.ts';
import { MEMBERS } from './fields.ts';
import { type Parameter, readAll } from './parameter.ts';

/** The properties that a list can be sorted by, and the error message for others. */
interface SortRules {
  properties: readonly string[];
  /** Whether it can be sorted by attributes, too. */
  byAttributes?: true;
  refusal: (property: string) => string;
}

const SORTED: readonly string[] = /* @__PURE__ */ MEMBERS.filter((property) => property !== 'attributes');

const isDirection = (word: string | undefined): word is Direction => word === 'asc' || word === 'desc';

/** `firstName,lastName,desc` sorts by both fields in descending order. Case is always ignored; a trailing `ignorecase` is allowed. */
function parse(sort: string): { properties: string[]; direction: Direction } {
  const words = sort
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (words.length > 1 && words.at(-1)?.toLowerCase() === 'ignorecase') words.pop();
  const last = words.at(-1)?.toLowerCase();
  if (words.length > 1 && isDirection(last)) return { properties: words.slice(0, -1), direction: last };
  return { properties: words, direction: 'asc' };
}

/** A property with a direction as other APIs tell it: by a sign before it, or by a word or number after it. */
const DIRECTED = /^(?<sign>[-+]?)(?<name>.*?)(?:[:. |_]+(?<word>(?:a|de)sc(?:ending)?)|[: ]+(?<number>[-+]?1))?$/is;

/** The most characters of a property that are read for advice. The expression takes the square of their number. */
const MOST_READ = 100;

const IS_DIRECTION = /^(?:a|de)sc(?:ending)?$/i;

/** Names of orders by the moment of the creation. */
const BY_CREATION: Readonly<Record<string, string>> = {
  newest: 'createdAt,desc',
  latest: 'createdAt,desc',
  recent: 'createdAt,desc',
  oldest: 'createdAt,asc',
};

/** The property that is meant by a name that is none. Another name is that of an attribute. */
function propertyOf(name: string, { properties, byAttributes }: SortRules): string | undefined {
  const attribute = [name, `attributes.${name}`].find(isOfAttribute);
  return propertyMeant(name, properties) ?? (byAttributes ? attribute : undefined);
}

/** Advice in place of a property by which the list is not sorted. */
function adviceOn(given: string, rules: SortRules): string {
  const { sign = '', name = '', word = '', number = '' } = DIRECTED.exec(given.slice(0, MOST_READ))?.groups ?? {};
  const order = Object.hasOwn(BY_CREATION, name) ? BY_CREATION[name] : undefined;
  if (order) return `: is ${order} meant?`;
  const isDirected = sign + word + number !== '';
  const property = IS_DIRECTION.test(name) ? undefined : propertyOf(name, rules);
  if (!property && (isDirected || IS_DIRECTION.test(name)))
    return '. A direction comes after a comma: sort=lastName,desc';
  if (!property) return rules.byAttributes || !propertyMeant(name, SORTED) ? '' : ': GET /api/users sorts by it';
  if (isDirected) return `: is ${property},${/^(?:-|desc)/i.test(sign + word + number) ? 'desc' : 'asc'} meant?`;
  return isOfAttribute(property) ? `: is ${property} meant?` : `: is ${property} meant, or ${property},desc?`;
}

function refusalOf(property: string, rules: SortRules): ServiceError {
  const message = rules.refusal(property);
  return userError('unknown-sort', message, { detail: message + adviceOn(property, rules) });
}

/** @throws {ServiceError} 400 for the first property that the endpoint does not sort by */
function readOrder(event: APIGatewayProxyEvent, rules: SortRules): Order {
  const { properties, byAttributes } = rules;
  const isAllowed = (property: string): property is SortProperty =>
    properties.includes(property) || (byAttributes === true && isOfAttribute(property));
  const keys = readAll(event, 'sort')
    .map(parse)
    .flatMap((sort) =>
      sort.properties.map((property): SortKey => {
        if (!isAllowed(property)) throw refusalOf(property, rules);
        return { property, direction: sort.direction };
      }),
    );
  return totalOrder(keys);
}

const ignoringCase = (word: string): string => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join('');

/** The pattern that `readOrder` accepts: properties, then perhaps a direction, then perhaps `ignorecase`; or nothing. */
function patternOf({ properties, byAttributes }: SortRules): string {
  const property = `(?:${[...properties, ...(byAttributes ? [ATTRIBUTE] : [])].join('|')})`;
  const comma = '\\s*,[\\s,]*';
  const direction = `(?:${comma}(?:${ignoringCase('asc')}|${ignoringCase('desc')}))?`;
  const ignoreCase = `(?:${comma}${ignoringCase('ignorecase')})?`;
  return `^[\\s,]*(?:${property}(?:${comma}${property})*${direction}${ignoreCase}[\\s,]*)?$`;
}

const sortBy = (rules: SortRules, component?: string) =>
  ({
    name: 'sort',
    says:
      '`property`, or `property,asc` or `property,desc`, such as `lastName,desc`; `country,lastName,desc` gives both properties that direction; several are applied in turn. ' +
      'Strings are compared ignoring case; users without a value come last, in descending order first. ' +
      'Equal users are in the order of ids, in the direction of the last property. ' +
      `Properties: ${rules.properties.join(', ')}${rules.byAttributes ? ', and such as attributes.department: first false and true, then numbers, texts, and arrays' : ''}.`,
    schema: { type: 'string', pattern: patternOf(rules), examples: ['lastName,desc'] },
    several: 'repeated',
    ...(component !== undefined && { component }),
    properties: rules.properties,
    read: (event) => readOrder(event, rules),
  }) as const satisfies Parameter<Order> & SortedBy;

/** The properties that a list can be sorted by, beside attributes. */
interface SortedBy {
  properties: readonly string[];
}

export type Sort = Parameter<Order> & SortedBy;

/** By any property of users. */
export const sort: Sort = sortBy({
  properties: SORTED,
  byAttributes: true,
  refusal: (property) => `Unknown sort property: ${property}`,
});

/** Of the search, as the contract has it. */
export const searchSort: Sort = sortBy(
  {
    properties: ['id', 'firstName', 'lastName', 'createdAt'],
    refusal: (property) => `Cannot sort by: ${property}`,
  },
  'SearchSort',
);

import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Order } from '../../columns/index.ts';
import { ServiceError } from '../../ground/index.ts';
import { isOfAttribute } from '../../users/attributes.ts';
import type { SortProperty } from '../../users/fields.ts';
import { type Direction, type SortKey, totalOrder } from '../../users/order.ts';
import type { SortRules } from '../listingRules.ts';
import { readAll } from './parameters.ts';

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

/** Elsewhere a sign, a colon or a blank tells the direction, and what no field is called is the name of an attribute. */
function adviceOn(property: string, { byAttributes }: SortRules): string {
  if (/^[-+]|[: ]/.test(property)) return '. A direction comes after a comma: sort=lastName,desc';
  const attribute = `attributes.${property}`;
  return byAttributes && isOfAttribute(attribute) ? `: is ${attribute} meant?` : '';
}

function refusalOf(property: string, rules: SortRules): ServiceError {
  const message = rules.refusal(property);
  return new ServiceError('unknown-sort', message, { detail: message + adviceOn(property, rules) });
}

/** @throws {ServiceError} 400 for the first property that the endpoint does not sort by */
export function readOrder(event: APIGatewayProxyEvent, rules: SortRules): Order {
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

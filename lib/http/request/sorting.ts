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

/** @throws {ServiceError} 400 for the first property that the endpoint does not sort by */
export function readOrder(event: APIGatewayProxyEvent, { properties, byAttributes, refusal }: SortRules): Order {
  const isAllowed = (property: string): property is SortProperty =>
    properties.includes(property) || (byAttributes === true && isOfAttribute(property));
  const keys = readAll(event, 'sort')
    .map(parse)
    .flatMap((sort) =>
      sort.properties.map((property): SortKey => {
        if (!isAllowed(property)) throw new ServiceError('unknown-sort', refusal(property));
        return { property, direction: sort.direction };
      }),
    );
  return totalOrder(keys);
}

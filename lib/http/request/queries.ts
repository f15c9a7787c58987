import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FilterParameters } from '../../../schemas/filters.ts';
import type { CursorQuery, PageQuery } from '../../users/listing/listing.ts';
import type { ListingRules } from '../listingRules.ts';
import { asksForCursor, readCursor, readOne, readPaging, refusePaging } from './parameters.ts';
import { readOrder } from './sorting.ts';
import { createValidator } from './validation.ts';
import { isFilterParameters } from './validators.ts';

/** The largest number of users in a batch after a cursor. */
const BATCH_SIZE = 20;

const checkFilters = createValidator(isFilterParameters);

/** The filters among `names` that are given and not empty. */
export function readFilters(event: APIGatewayProxyEvent, names: readonly (keyof FilterParameters)[]): FilterParameters {
  const given = names.map((name) => [name, readOne(event, name)] as const).filter(([, value]) => value);
  return checkFilters(Object.fromEntries(given));
}

/** @throws {ServiceError} 400 for the first parameter that is out of range, before DynamoDB is read */
export function readPageQuery(event: APIGatewayProxyEvent, rules: Required<ListingRules>): PageQuery {
  const { keyword, ...filters } = readFilters(event, rules.filters);
  return { ...readPaging(event), order: readOrder(event, rules.sort), filters, keyword };
}

/** @throws {ServiceError} 400 when the request has a cursor and `page`, `size` or `sort` */
export function readCursorQuery(event: APIGatewayProxyEvent, { filters: names }: ListingRules): CursorQuery {
  refusePaging(event);
  const { keyword, ...filters } = readFilters(event, names);
  return { after: readCursor(event), size: BATCH_SIZE, filters, keyword };
}

/** For a listing that pages by both: with a cursor, a batch is asked for. */
export const readQuery = (event: APIGatewayProxyEvent, rules: Required<ListingRules>): CursorQuery | PageQuery =>
  asksForCursor(event) ? readCursorQuery(event, rules) : readPageQuery(event, rules);

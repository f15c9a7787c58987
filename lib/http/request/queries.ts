import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { CursorQuery, PageQuery } from '../../users/listing/listing.ts';
import type { ListingRules } from '../listings.ts';
import { readCursor, readFilters, readPaging, refusePaging } from './parameters.ts';
import { readOrder } from './sorting.ts';

/** The most users of a batch after a cursor. */
const BATCH_SIZE = 20;

/** @throws {ServiceError} 400 for the first parameter that is out of its range, before anything is read */
export function readPageQuery(event: APIGatewayProxyEvent, rules: Required<ListingRules>): PageQuery {
  const { keyword, ...filters } = readFilters(event, rules.filters);
  return { ...readPaging(event), order: readOrder(event, rules.sort), filters, keyword };
}

/** The batch after `cursor`. @throws {ServiceError} 400 when a page is asked for as well */
export function readCursorQuery(event: APIGatewayProxyEvent, { filters: names }: ListingRules): CursorQuery {
  refusePaging(event);
  const { keyword, ...filters } = readFilters(event, names);
  return { after: readCursor(event), size: BATCH_SIZE, filters, keyword };
}

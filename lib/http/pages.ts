import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { FilterParameters } from '../../schemas/filters.ts';
import { FILTER_FIELDS } from '../users/fields.ts';
import type { CursorQuery, PageQuery } from '../users/listing/listing.ts';
import { readCursor, readFilters, readPaging, refusePaging } from './parameters.ts';
import { readOrder, type SortRules } from './sorting.ts';

/** As many users as a batch after a cursor has at most. */
const BATCH_SIZE = 20;

export interface PageRules {
  filters: readonly (keyof FilterParameters)[];
  sort: SortRules;
}

export const ALL_FILTERS = [...FILTER_FIELDS, 'keyword'] as const;

/** @throws {ServiceError} 400 for the first parameter that is out of its range, before anything is read */
export function readPageQuery(event: APIGatewayProxyEvent, rules: PageRules): PageQuery {
  const { keyword, ...filters } = readFilters(event, rules.filters);
  return { ...readPaging(event), order: readOrder(event, rules.sort), filters, keyword };
}

/** A request for the batch after `cursor`. @throws {ServiceError} 400 when it asks for a page as well */
export function readCursorQuery(event: APIGatewayProxyEvent): CursorQuery {
  refusePaging(event);
  const { keyword, ...filters } = readFilters(event, ALL_FILTERS);
  return { after: readCursor(event), size: BATCH_SIZE, filters, keyword };
}

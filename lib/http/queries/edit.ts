/** Whom an edit changes. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { originOf } from '../../rest/index.ts';
import { filters, readFilters } from '../parameters/filters.ts';
import { readIdempotencyKey } from '../parameters/idempotencyKey.ts';
import { query } from '../parameters/parameter.ts';

/** With the filters as they were sent, in an order of their own. @throws {ServiceError} 400 for the first filter or header that is not valid */
function readParameters(event: APIGatewayProxyEvent) {
  const given = Object.entries(event.multiValueQueryStringParameters ?? {});
  const named = given.map(([name, values]) => [name, (values ?? []).filter((value) => value !== '').sort()]);
  const text = JSON.stringify(named.filter(([, values]) => values?.length).sort());
  return { filters: readFilters(event), text, key: readIdempotencyKey(event), ...originOf(event) };
}

export const editQuery = query(filters, readParameters);

import { filters } from '../../schemas/filters.ts';
import { user } from '../../schemas/user.ts';
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE } from '../http/parameters.ts';
import { SEARCH_FIELDS } from '../http/sorting.ts';

const query = (name: string, description: string, schema: object, more: object = {}) =>
  ({ name, in: 'query', description, schema, ...more }) as const;

const header = (name: string, description: string, schema: object = { type: 'string' }) =>
  ({ name, in: 'header', description, schema }) as const;

const sort = (properties: readonly string[]) =>
  query(
    'sort',
    '`property`, or `property,asc` or `property,desc`; several are applied in turn. Strings are compared without regard to case; ' +
      `users without a value come last, in descending order first. Properties: ${properties.join(', ')}.`,
    { type: 'array', items: { type: 'string' } },
    { style: 'form', explode: true, example: ['lastName,desc'] },
  );

/** The parameters of all operations, by the name that refers to them. */
export const PARAMETERS = {
  Id: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'A 64-bit integer.',
    schema: { type: 'integer', format: 'int64' },
  },
  File: {
    name: 'file',
    in: 'path',
    required: true,
    description: 'A file of the documentation page.',
    schema: { type: 'string' },
  },
  Page: query('page', 'Number of the page, counted from 0.', {
    type: 'integer',
    minimum: 0,
    maximum: MAX_PAGE,
    default: 0,
  }),
  Size: query('size', `Users a page; more than ${MAX_SIZE} means ${MAX_SIZE}.`, {
    type: 'integer',
    minimum: 1,
    default: DEFAULT_SIZE,
  }),
  Sort: sort(Object.keys(user.properties)),
  SearchSort: sort(SEARCH_FIELDS.properties),
  Status: query('status', 'Only users with this status, exactly.', filters.properties.status),
  Country: query('country', 'Only users with this country, exactly.', filters.properties.country),
  Keyword: query('keyword', 'Only users whose last name contains this, in any case.', filters.properties.keyword),
  Cursor: query('cursor', 'Answers the up to 20 users with a greater id, instead of a page; 0 if blank.', {
    type: 'integer',
    format: 'int64',
  }),
  IfMatch: header('If-Match', 'Write only if the user still has one of these ETags; `*` for any.'),
  IfNoneMatch: header('If-None-Match', 'Answer 304 if the user still has one of these ETags.'),
  IdempotencyKey: header('Idempotency-Key', 'Makes it safe to send the request again within a day.', {
    type: 'string',
    minLength: 1,
    maxLength: 255,
  }),
} as const;

export type ParameterName = keyof typeof PARAMETERS;

export const parameterRefs = (names: readonly ParameterName[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

import { filters } from '../../schemas/filters.ts';
import { LISTINGS, rulesOf } from '../http/listingRules.ts';
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE } from '../http/request/parameters.ts';
import { FIELDS, FILTER_FIELDS, type FilterField } from '../users/fields.ts';
import { DOCS_FILE_NAMES } from './viewer.ts';

const query = (name: string, description: string, schema: object, more: object = {}) =>
  ({ name, in: 'query', description, schema, ...more }) as const;

const header = (name: string, description: string, schema: object = { type: 'string' }) =>
  ({ name, in: 'header', description, schema }) as const;

const inAnyCase = (word: string): string => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join('');

/** What `readOrder` accepts: properties, then perhaps a direction, then perhaps `ignorecase`; or nothing. */
function sortPattern(properties: readonly string[]): string {
  const property = `(?:${properties.join('|')})`;
  const comma = '\\s*,[\\s,]*';
  const direction = `(?:${comma}(?:${inAnyCase('asc')}|${inAnyCase('desc')}))?`;
  const ignoreCase = `(?:${comma}${inAnyCase('ignorecase')})?`;
  return `^[\\s,]*(?:${property}(?:${comma}${property})*${direction}${ignoreCase}[\\s,]*)?$`;
}

const sort = (properties: readonly string[]) =>
  query(
    'sort',
    '`property`, or `property,asc` or `property,desc`, such as `lastName,desc`; `country,lastName,desc` gives both properties that direction; several are applied in turn. ' +
      'Strings are compared without regard to case; users without a value come last, in descending order first. ' +
      'Equal users are in the order of ids, in the direction of the last property. ' +
      `Properties: ${properties.join(', ')}.`,
    { type: 'array', items: { type: 'string', pattern: sortPattern(properties), examples: ['lastName,desc'] } },
    { style: 'form', explode: true },
  );

const HOW_COMPARED = { exact: 'exactly', folded: 'in any case; several may have the same' } as const;

const filter = (field: FilterField) =>
  query(field, `Only users with this ${field}, ${HOW_COMPARED[FIELDS[field].filter]}.`, filters.properties[field]);

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The filters that are fields. */
const FILTERS = Object.fromEntries(FILTER_FIELDS.map((field) => [capitalized(field), filter(field)]));

/**
 * The parameters of all operations, by the name of their references. Defaults are given in words: a viewer would fill in a
 * `default`, but a page cannot be combined with a cursor.
 */
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
    schema: { type: 'string', enum: DOCS_FILE_NAMES },
  },
  Page: query('page', 'Number of the page, counted from 0; 0 if not given.', {
    type: 'integer',
    minimum: 0,
    maximum: MAX_PAGE,
  }),
  Size: query('size', `Users per page: ${DEFAULT_SIZE} if not given, ${MAX_SIZE} if more is asked for.`, {
    type: 'integer',
    minimum: 1,
  }),
  Sort: sort(LISTINGS.listUsers.sort.properties),
  SearchSort: sort(LISTINGS.searchUsers.sort.properties),
  ...FILTERS,
  Keyword: query('keyword', 'Only users whose last name contains this, in any case.', filters.properties.keyword),
  Cursor: query(
    'cursor',
    'Returns up to 20 users with a higher id instead of a page; 0 if blank. With `page`, `size` or `sort` it is refused (400).',
    {
      type: 'integer',
      format: 'int64',
    },
  ),
  IfMatch: header('If-Match', 'Write only if the user still has one of these ETags; `*` for any.'),
  IfNoneMatch: header('If-None-Match', 'Respond with 304 if the user still has one of these ETags.'),
  UnlessChanged: header(
    'If-None-Match',
    'Respond with 304 if no user has changed since the response with one of these ETags.',
  ),
  UnlessMatch: header('If-None-Match', 'Write only if the user no longer has any of these ETags.'),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes it safe to send the request again within a day. Quotes around it are not a part of it.',
    { type: 'string', pattern: '^(?!""$)(?:"[\\x21-\\x7e]{1,255}"|[\\x21-\\x7e]{1,255})$' },
  ),
} as const;

export type ParameterName = Exclude<keyof typeof PARAMETERS, number> | Capitalize<FilterField>;

/** The filters of a listing. */
export const filterParameters = (operation: string): ParameterName[] =>
  rulesOf(operation).filters.map((name) => capitalized(name) as ParameterName);

export const parameterRefs = (names: readonly ParameterName[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

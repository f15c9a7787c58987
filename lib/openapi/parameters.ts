import { change, editName } from '../../schemas/changes.ts';
import { filterValues } from '../../schemas/filters.ts';
import { ATTRIBUTE_NAME, MAX_COUNTED_BY, MAX_WORDS } from '../../schemas/limits.ts';
import { userInput } from '../../schemas/user.ts';
import { TOKEN } from '../changes/token.ts';
import {
  LISTINGS,
  type ListingRules,
  type PagingParameter,
  SEARCH_FIELDS,
  type SortRules,
} from '../http/listingRules.ts';
import { MEMBERS } from '../http/members.ts';
import { DEFAULT_CHANGES, MAX_CHANGES, MAX_USER_CHANGES } from '../http/request/changes.ts';
import { DEFAULT_SIZE, MAX_PAGE, MAX_SIZE, mostValues } from '../http/request/parameters.ts';
import { MAX_VERSION } from '../replica/entry.ts';
import { COUNTED } from '../users/counted.ts';
import { kindOf, WORD_FIELDS } from '../users/fields.ts';
import { ANY_ATTRIBUTE, FILTERS, type FieldFilter, type Filter, type FilterName, isSeveral } from '../users/filters.ts';
import { schemaRef } from './schemas.ts';
import { DOCS_FILE_NAMES } from './viewer.ts';

const query = (name: string, description: string, schema: object, more: object = {}) =>
  ({ name, in: 'query', description, schema, ...more }) as const;

/** A parameter with several values. @param explode whether each has a name of its own, or all are between commas */
const several = (name: string, description: string, items: object, explode: boolean, more: object = {}) =>
  query(name, description, { type: 'array', items, ...more }, { style: 'form', explode });

const inPath = (name: string, description: string, schema: object) =>
  ({ name, in: 'path', required: true, description, schema }) as const;

const header = (name: string, description: string, schema: object = { type: 'string' }) =>
  ({ name, in: 'header', description, schema }) as const;

/** A token, or `now`, or nothing. */
const TOKEN_OR_NOW = `^(?:now|${TOKEN.source.slice(1, -1).replace(/\?<\w+>/g, '?:')})?$`;

/** Up to 255 characters, in quotes or not; not two quotes alone. RE2, which Go and Rust have, knows no lookahead. */
const IDEMPOTENCY_KEY =
  '^(?:"[\\x21-\\x7e]{1,255}"|"(?:[\\x21-\\x7e]{0,253}[\\x21\\x23-\\x7e])?|[\\x21\\x23-\\x7e][\\x21-\\x7e]{0,254})$';

const inAnyCase = (word: string): string => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join('');

/** A property of users that the document does not name. */
const ATTRIBUTE = `attributes\\.${ATTRIBUTE_NAME.slice(1, -1)}`;

/** What `readOrder` accepts: properties, then perhaps a direction, then perhaps `ignorecase`; or nothing. */
function sortPattern({ properties, byAttributes }: SortRules): string {
  const property = `(?:${[...properties, ...(byAttributes ? [ATTRIBUTE] : [])].join('|')})`;
  const comma = '\\s*,[\\s,]*';
  const direction = `(?:${comma}(?:${inAnyCase('asc')}|${inAnyCase('desc')}))?`;
  const ignoreCase = `(?:${comma}${inAnyCase('ignorecase')})?`;
  return `^[\\s,]*(?:${property}(?:${comma}${property})*${direction}${ignoreCase}[\\s,]*)?$`;
}

const sort = (rules: SortRules) =>
  several(
    'sort',
    '`property`, or `property,asc` or `property,desc`, such as `lastName,desc`; `country,lastName,desc` gives both properties that direction; several are applied in turn. ' +
      'Strings are compared ignoring case; users without a value come last, in descending order first. ' +
      'Equal users are in the order of ids, in the direction of the last property. ' +
      `Properties: ${rules.properties.join(', ')}${rules.byAttributes ? ', and such as attributes.department: first false and true, then numbers, texts, and arrays' : ''}.`,
    { type: 'string', pattern: sortPattern(rules), examples: ['lastName,desc'] },
    true,
  );

/** What users are counted by. */
const COUNTED_BY = `^(?:${COUNTED.map((name) => name.replace('.', '\\.')).join('|')}|${ATTRIBUTE})$`;

/** What `readMembers` takes. */
const MEMBER = `^(?:${MEMBERS.join('|')}|${ATTRIBUTE})$`;

/** What chooses among changes. */
const ofChanges = (name: string, which: string, items: object) =>
  several(name, `Only changes ${which}; given up to ${mostValues(name)} times, one of these.`, items, true, {
    maxItems: mostValues(name),
  });

/** Without a format, generated clients take 32 bits. */
const INTEGER = { type: 'integer', format: 'int64' } as const;
const POSITIVE = { ...INTEGER, minimum: 1 } as const;

const WORDS = `Only users who have each of these words in ${WORD_FIELDS.join(', ')}, or as their id, ignoring case and accents: at most ${MAX_WORDS}, between blanks.`;

/** What a filter asks of users, behind "Only users". */
const ASKED: Readonly<Record<Filter['asks'], (property: string, ignoringCase: string) => string>> = {
  is: (property, ignoring) => `with this ${property}${ignoring}`,
  not: (property, ignoring) => `without this ${property}${ignoring}, those without any included`,
  startsWith: (property) => `whose ${property} begins with this, ignoring case`,
  endsWith: (property) => `whose ${property} ends with this, ignoring case`,
  contains: (property) => `whose ${property} contains this, ignoring case`,
  gte: (property) => `whose ${property} is at or above this`,
  gt: (property) => `whose ${property} is above this`,
  lte: (property) => `whose ${property} is at or below this`,
  lt: (property) => `whose ${property} is below this`,
  missing: (property) => `without a value in ${property}, or, for false, with one`,
  words: () => '',
};

function schemaOf({ property, asks }: FieldFilter) {
  if (asks === 'missing') return { type: 'boolean' };
  if (property === 'createdAt') return schemaRef('Moment');
  return property === 'id' || kindOf(property) === 'number' ? INTEGER : filterValues[property];
}

function filter(name: FilterName, rule: FieldFilter) {
  const { property, asks } = rule;
  if (asks === 'words') return query(name, WORDS, filterValues.any);
  const ignoring = ['text', 'address'].includes(kindOf(property) ?? '') ? ', ignoring case' : '';
  const asked = `Only users ${ASKED[asks](property, ignoring)}.`;
  if (!isSeveral(rule)) return query(name, asked, schemaOf(rule));
  const most = mostValues(name);
  const words = `${asked} Several, at most ${most}: ${asks === 'not' ? 'none' : 'any'} of them.`;
  return several(name, words, schemaOf(rule), true, { maxItems: most });
}

/** `AgeGte` for `age.gte`; `Ids` for `id`, since `Id` is that in a path. */
const componentOf = (name: FilterName | PagingParameter): string =>
  name === 'id' ? 'Ids' : name.replaceAll(/(?:^|\.)(\w)/g, (_, letter) => letter.toUpperCase());

/** The filters. */
const BY_NAME = Object.fromEntries([...FILTERS].map(([name, rule]) => [componentOf(name), filter(name, rule)]));

/**
 * The parameters of all operations, by the name of their references. Defaults are given in words: generated
 * clients would send a `default` with each request.
 */
export const PARAMETERS = {
  Id: inPath('id', 'A 64-bit integer.', INTEGER),
  File: inPath('file', 'A file of the documentation page.', { type: 'string', enum: DOCS_FILE_NAMES }),
  EditName: inPath('edit', 'The name of an edit.', editName),
  AdminFile: inPath('file', 'A file of the admin page, as the page names it.', { type: 'string', minLength: 1 }),
  Page: query('page', 'Number of the page, counted from 0; 0 if not given.', {
    ...INTEGER,
    minimum: 0,
    maximum: MAX_PAGE,
  }),
  Size: query('size', `Users per page: ${DEFAULT_SIZE} if not given, ${MAX_SIZE} if more is asked for.`, POSITIVE),
  Sort: sort(LISTINGS.listUsers.sort),
  SearchSort: sort(LISTINGS.searchUsers.sort),
  By: several(
    'by',
    `Which values to count: those of one or two of ${COUNTED.join(', ')}, and such as attributes.department, where an array is one value. A domain is in lower case; days, weeks (ISO 8601), months and years are in UTC. Without it, only the total.`,
    { type: 'string', pattern: COUNTED_BY, examples: ['status'] },
    false,
    { maxItems: MAX_COUNTED_BY },
  ),
  Fields: several(
    'fields',
    `Only these members of users, and \`id\`: others are absent, also those that the schema of a user requires. Columns of CSV come in this order, \`id\` first unless it is named. Members: ${MEMBERS.join(', ')}, and such as attributes.department.`,
    { type: 'string', pattern: MEMBER },
    false,
  ),
  ...BY_NAME,
  UpsertExternalId: query(
    'externalId',
    'The external id of the user.',
    { ...userInput.properties.externalId, type: 'string' },
    { required: true },
  ),
  Cursor: query('cursor', 'Only users with a higher id; 0 if blank or not given.', INTEGER),
  After: query(
    'after',
    'The `next` of an earlier response, or `now`. From the oldest change that is kept, if not given.',
    { type: 'string', pattern: TOKEN_OR_NOW },
  ),
  FeedBefore: query(
    'before',
    'The newest first: back from now, or from the `next` of an earlier response. Not with `after`.',
    { type: 'string', pattern: TOKEN_OR_NOW },
  ),
  FeedBy: ofChanges('by', 'by this writer', { type: 'string' }),
  FeedType: ofChanges('type', 'of this type', change.properties.type),
  FeedId: ofChanges('id', 'of the user with this id', INTEGER),
  At: query('at', 'The user as of this moment. Needs the scope `users:audit` as well.', schemaRef('Moment')),
  ChangesSize: query(
    'size',
    `Changes per page: ${DEFAULT_CHANGES} if not given, ${MAX_CHANGES} if more is asked for.`,
    POSITIVE,
  ),
  UserChangesSize: query(
    'size',
    `Changes per page: ${MAX_USER_CHANGES} if not given, or if more is asked for.`,
    POSITIVE,
  ),
  Before: query('before', 'Only changes of lower versions.', { ...POSITIVE, maximum: MAX_VERSION }),
  IfMatch: header('If-Match', 'Write only if the user still has one of these ETags; `*` for any.'),
  IfNoneMatch: header('If-None-Match', 'Respond with 304 if the user still has one of these ETags.'),
  UnlessChanged: header(
    'If-None-Match',
    'Respond with 304 if no user has changed since the response with one of these ETags.',
  ),
  Prefer: header(
    'Prefer',
    'With `handling=lenient` (RFC 7240) a query parameter that is not known is ignored, and not refused.',
  ),
  UnlessMatch: header('If-None-Match', 'Write only if the user no longer has any of these ETags.'),
  UnlessMatchOrAny: header(
    'If-None-Match',
    'Write only if the user no longer has any of these ETags; `*` creates the user, and is refused (412) if there is one.',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes it safe to send the request again within a day. Quotes around it are not a part of it.',
    { type: 'string', minLength: 1, pattern: IDEMPOTENCY_KEY },
  ),
} as const;

export type ParameterName = Exclude<keyof typeof PARAMETERS, number>;

/** The parameters of a listing, and of numbers of users. */
export const listingParameters = ({ paging, filters, sort: own }: ListingRules): ParameterName[] => [
  ...paging.map((name) =>
    name === 'sort' && own === SEARCH_FIELDS ? 'SearchSort' : (componentOf(name) as ParameterName),
  ),
  // Generators know no parameters of a pattern: operations.ts tells of them in words.
  ...filters.flatMap((name) => (name === ANY_ATTRIBUTE ? [] : (componentOf(name) as ParameterName))),
  'UnlessChanged',
];

export const parameterRefs = (names: readonly ParameterName[]) =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

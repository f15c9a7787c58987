/** Lists of users: the way of a query to a page. */
import { listed, type Page, ScimError } from './answers.ts';
import type { Asked, Query } from './asked.ts';
import { type Conditions, conditionsOf, isUserId, NOBODY, propertyOf } from './conditions.ts';
import { invalidFilter, parseFilter } from './filter.ts';
import { resourceOf } from './resources.ts';
import type { Parameters, Service, User } from './service.ts';

/** The users of a page, at most and by default, as the API has them. */
export const MAX_RESULTS = 100;
/** The highest number that the API takes for a page. */
const LAST_PAGE = 2 ** 31 - 1;

/** A text as the API compares it. */
export const folded = (text: unknown) => String(text).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

/** A number of a list. One below the least counts as the least (RFC 7644, section 3.4.2.4). */
function integer(name: 'count' | 'startIndex', query: Query, other: number, least: number): number {
  const text = query[name] || String(other);
  if (/^-?\d{1,15}$/.test(text)) return Math.max(least, Number(text));
  throw new ScimError(400, `${name} is an integer`, name === 'count' ? 'invalidCount' : 'invalidValue');
}

const countOf = (query: Query): number => Math.min(MAX_RESULTS, integer('count', query, MAX_RESULTS, 0));

/** A window of all that there is. */
export function windowOf<Resource>(all: Resource[], query: Query): Page<Resource> {
  const startIndex = integer('startIndex', query, 1, 1);
  return { total: all.length, resources: all.slice(startIndex - 1).slice(0, countOf(query)), startIndex };
}

function orderOf({ query: { sortBy, sortOrder = 'ascending' }, settings }: Asked): Parameters {
  // The newest first: a client that looks for the user that it made finds it on the first page.
  if (!sortBy) return [['sort', 'id,desc']];
  const property = propertyOf(sortBy, settings);
  const [, direction] = /^(asc|desc)ending$/i.exec(sortOrder) ?? [];
  if (direction === undefined) throw new ScimError(400, 'sortOrder is ascending or descending', 'invalidValue');
  if (property !== undefined && property !== 'status') return [['sort', `${property},${direction}`]];
  throw new ScimError(400, `This service cannot sort by ${sortBy}`, 'invalidPath');
}

async function page(service: Service, parameters: Parameters) {
  return (await service<{ content: User[]; totalElements: number }>('GET', '', { parameters })).body;
}

/** The users with this userName, ignoring case: among texts with this beginning they come first. */
export async function withAttribute(service: Service, userName: string, more: Parameters = []): Promise<User[]> {
  const name = 'attributes.userName';
  const beginning: Parameters = [
    [`${name}.startsWith`, userName],
    ['sort', name],
    ['size', `${MAX_RESULTS}`],
  ];
  const { content } = await page(service, [...beginning, ...more]);
  return content.filter((user) => folded(user.attributes?.userName) === folded(userName));
}

/** The same, and users whom the door has not made, by their e-mail address or id. */
export async function named(service: Service, userName: string, more: Parameters = []): Promise<User[]> {
  const users = await withAttribute(service, userName, more);
  if (users.length > 0 || more.some(([name]) => /^(?:email|id)(?:\.|$)/.test(name))) return users;
  const isId = isUserId(userName);
  const other: Parameters = [[isId ? 'id' : 'email', userName], ['attributes.userName.missing', 'true'], ...more];
  return (await page(service, isId ? [['email.missing', 'true'], ...other] : other)).content;
}

async function byNames(names: string[], others: Parameters, { service, query }: Asked): Promise<Page<User>> {
  if (others.some(([name]) => name.startsWith('attributes.userName')))
    throw invalidFilter('The filter asks twice for userName');
  const found = new Map<number, User>();
  for (const name of names) for (const user of await named(service, name, others)) found.set(user.id, user);
  return windowOf([...found.values()], query);
}

async function byCursor(filters: Parameters, cursor: string, { service, query }: Asked): Promise<Page<User>> {
  const count = countOf(query);
  const parameters: Parameters = [...filters, ['after', cursor], ['size', String(Math.max(1, count))]];
  const { body, headers } = await service<User[]>('GET', '', { parameters }).catch((error) => {
    if (cursor === '' || error.status !== 400) throw error;
    throw new ScimError(400, 'The cursor belongs to another filter or order', 'invalidCursor');
  });
  const [, next] = /[?&]after=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
  const total = Number(headers.get('x-total-count'));
  return { total, resources: body.slice(0, count), nextCursor: next && decodeURIComponent(next) };
}

/** A window begins anywhere, and a page of the API at a multiple of its size: two of them have the window. */
async function byIndex(filters: Parameters, { service, query }: Asked): Promise<Page<User>> {
  const [startIndex, count] = [integer('startIndex', query, 1, 1), countOf(query)];
  const size = Math.max(1, count);
  const first = Math.min(LAST_PAGE - 1, Math.floor((startIndex - 1) / size));
  const skipped = (startIndex - 1) % size;
  const pageAt = (number: number) => page(service, [...filters, ['page', String(number)], ['size', String(size)]]);
  const { content, totalElements: total } = await pageAt(first);
  const more = skipped > 0 && total > (first + 1) * size ? (await pageAt(first + 1)).content : [];
  return { total, resources: [...content, ...more].slice(skipped, skipped + count), startIndex };
}

async function pageOf(asked: Asked): Promise<Page<User>> {
  const { filter, cursor } = asked.query;
  const conditions: Conditions | typeof NOBODY =
    filter === undefined ? new Map() : conditionsOf(parseFilter(filter), asked.settings);
  if (conditions === NOBODY) return { total: 0, resources: [], startIndex: 1 };
  const filters = [...conditions].flatMap(([name, values]) => values.map((value) => [name, value] as const));
  const order = orderOf(asked);
  const names = conditions.get('userName');
  if (names)
    return byNames(
      names,
      filters.filter(([name]) => name !== 'userName'),
      asked,
    );
  const parameters = [...filters, ...order];
  return cursor === undefined ? byIndex(parameters, asked) : byCursor(parameters, cursor, asked);
}

export async function listUsers(asked: Asked): Promise<Response> {
  const { resources, ...rest } = await pageOf(asked).catch((error) => {
    // The API says what it cannot read, such as a filter that a stage of an older version does not know.
    throw error.status === 400 && !error.scimType ? invalidFilter(error.message) : error;
  });
  return listed({ ...rest, resources: resources.map((user) => resourceOf(user, asked)) });
}

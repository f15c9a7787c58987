/** Lists of users: the way of a query to a page. */
import { listed, type Page, ScimError } from './answers.ts';
import type { Asked, Query } from './asked.ts';
import { type Conditions, isUserId, propertyOf, questionsOf } from './conditions.ts';
import { folded } from './fields.ts';
import { invalidFilter, parseFilter } from './filter.ts';
import { groupNames, resourceOf } from './resources.ts';
import { type Parameters, type Service, type User, usersIn } from './service.ts';

/** The users of a page, at most and by default, as the API has them. */
export const MAX_RESULTS = 100;
/** The highest number that the API takes for a page. */
const LAST_PAGE = 2 ** 31 - 1;

/** A number of a list. One below the least counts as the least (RFC 7644, section 3.4.2.4). */
function integer(name: 'count' | 'startIndex', query: Query, other: number, least: number): number {
  const text = query[name] || String(other);
  if (/^-?\d{1,15}$/.test(text)) return Math.max(least, Number(text));
  throw new ScimError(400, `${name} is an integer`, name === 'count' ? 'invalidCount' : 'invalidValue');
}

export const countOf = (query: Query): number => Math.min(MAX_RESULTS, integer('count', query, MAX_RESULTS, 0));

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
  const { content, totalElements } = (await service<Record<string, unknown>>('GET', '', { parameters })).body;
  return { content: usersIn(content), totalElements: Number(totalElements) };
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

/** The cursor of the beginning, where a client asks for none of the users before it goes on. */
const BEGINNING = '~';

async function byCursor(filters: Parameters, given: string, { service, query }: Asked): Promise<Page<User>> {
  const [count, cursor] = [countOf(query), given === BEGINNING ? '' : given];
  const parameters: Parameters = [...filters, ['after', cursor], ['size', String(Math.max(1, count))]];
  const { body, headers } = await service<unknown>('GET', '', { parameters }).catch((error) => {
    if (cursor === '' || error.status !== 400) throw error;
    throw new ScimError(400, 'The cursor belongs to another filter or order', 'invalidCursor');
  });
  const users = usersIn(body);
  const [, next] = /[?&]after=([^&>]+)/.exec(headers.get('link') ?? '') ?? [];
  const total = Number(headers.get('x-total-count'));
  if (count === 0) return { total, resources: [], nextCursor: users.length > 0 ? given || BEGINNING : undefined };
  return { total, resources: users, nextCursor: next && decodeURIComponent(next) };
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

/** Whether the shown id has a part. The API has no such filter. */
function hasPart({ id }: User, [op, part = '']: string[]): boolean {
  const text = String(id);
  if (op === 'sw') return text.startsWith(part);
  return op === 'ew' ? text.endsWith(part) : text.includes(part);
}

const parametersOf = (question: Conditions): Parameters =>
  [...question].flatMap(([name, values]) =>
    /^(?:userName|idPart)$/.test(name) ? [] : values.map((value) => [name, value] as const),
  );

const TOO_MANY = 'more than a page';

const tooMany = () =>
  new ScimError(400, `More than ${MAX_RESULTS} users meet a part of the filter: ask for less`, 'tooMany');

/** The users of a question, all of them. */
async function answerOf(question: Conditions, service: Service): Promise<User[] | typeof TOO_MANY> {
  const [others, userName, part] = [parametersOf(question), question.get('userName')?.[0], question.get('idPart')];
  if (userName !== undefined && others.some(([name]) => name.startsWith('attributes.userName')))
    throw invalidFilter('The filter asks twice for userName');
  if (userName !== undefined) return named(service, userName, others);
  const { content, totalElements } = await page(service, [...others, ['sort', 'id,desc'], ['size', `${MAX_RESULTS}`]]);
  if (totalElements > MAX_RESULTS) return TOO_MANY;
  return part === undefined ? content : content.filter((user) => hasPart(user, part));
}

/** The users of several questions, if they are few. If all are of one question, it has pages as any other. */
async function united(questions: Conditions[], service: Service): Promise<User[] | Conditions> {
  const found = new Map<number, User>();
  let large: Conditions | undefined;
  for (const question of questions) {
    const users = await answerOf(question, service);
    if (users !== TOO_MANY) for (const user of users) found.set(user.id, user);
    else if (large === undefined && !question.has('idPart')) large = question;
    else throw tooMany();
    if (large !== undefined && found.size > 0) throw tooMany();
  }
  return large ?? [...found.values()].sort((a, b) => b.id - a.id);
}

/** A page of users who are all known. */
function pageOfAll(users: User[], query: Query): Page<User> {
  if (query.sortBy && users.length > 1) throw invalidFilter('This filter is several questions, which have no order');
  if (query.cursor === undefined) return windowOf(users, query);
  if (query.cursor === '' && users.length <= countOf(query)) return { total: users.length, resources: users };
  throw new ScimError(400, 'This filter has no pages by cursor', 'invalidCursor');
}

/** Users without a userName of their own are shown with another, which the order of the API does not know. */
async function refuseMixedNames(filters: Parameters, { service, settings, query }: Asked): Promise<void> {
  if (!query.sortBy || propertyOf(query.sortBy, settings) !== 'attributes.userName') return;
  const nameless: Parameters = [
    ['attributes.userName.missing', 'true'],
    ['size', '1'],
  ];
  const given = filters.filter(([name]) => name !== 'attributes.userName.missing');
  const { totalElements } = await page(service, [...given, ...nameless]);
  if (totalElements === 0) return;
  throw new ScimError(
    400,
    `${totalElements} users have no userName of their own: they cannot be sorted by it`,
    'invalidPath',
  );
}

async function pageOf(asked: Asked): Promise<Page<User>> {
  const { filter, cursor } = asked.query;
  const questions = filter === undefined ? [new Map()] : questionsOf(parseFilter(filter), asked.settings);
  const order = orderOf(asked);
  const [first = new Map()] = questions;
  const isPlain = questions.length === 1 && !first.has('userName') && !first.has('idPart');
  const question = isPlain ? first : await united(questions, asked.service);
  if (!(question instanceof Map)) return pageOfAll(question, asked.query);
  const filters = parametersOf(question);
  await refuseMixedNames(filters, asked);
  const parameters = [...filters, ...order];
  return cursor === undefined ? byIndex(parameters, asked) : byCursor(parameters, cursor, asked);
}

export async function listUsers(asked: Asked): Promise<Response> {
  const { resources, ...rest } = await pageOf(asked).catch((error) => {
    // The API says what it cannot read, such as a filter that a stage of an older version does not know.
    throw error.status === 400 && !error.scimType ? invalidFilter(error.message) : error;
  });
  const names = await groupNames(resources, asked);
  return listed({ ...rest, resources: resources.map((user) => resourceOf(user, names, asked)) });
}

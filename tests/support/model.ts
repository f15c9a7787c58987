/**
 * The contract of lists, in memory and as plainly as possible, without any code of the service but the kinds of fields. Tests compare the
 * service with it.
 */
import type { FilterName, Filters } from '../../lib/users/filters.ts';
import { KINDS } from '../../lib/users/user.ts';
import type { UserRepresentation } from '../../schemas/user.ts';
import { folded as fold, foldedAddress, foldedDomain, foldedMailbox, plain } from './folding.ts';

export type ModelUser = UserRepresentation;

/** A member with one value. */
export type OneValue = Exclude<keyof ModelUser, 'attributes'>;

/** One of the attributes. */
type Attribute = `attributes.${string}`;

type ModelValue = string | number | boolean | readonly string[] | undefined;

type Moment = Exclude<Extract<FilterName, `${'createdAt' | 'updatedAt'}.${string}`>, 'updatedAt.missing'>;

/** As the listing takes them, but for moments, which are in the form of `createdAt`. */
type ModelFilters = { [Name in Exclude<FilterName, Moment>]?: Filters[Name] } & { [Name in Moment]?: string } & {
  [name: Attribute]: Filters[Attribute];
};

export type ModelQuery = ModelFilters & {
  sort: { property: OneValue | Attribute; direction: 'asc' | 'desc' }[];
  page: number;
  size: number;
};

/** Whether a field is compared by exact values, by the contract's own list. */
const isExact = (property: string): boolean =>
  Object.entries(KINDS).some(([field, kind]) => field === property && kind === 'exact');

const FOLDED = new Map<string, { text: string; codePoints: number[] }>();

/** A text as it is compared. Each is folded once: sorting compares it many times. */
function foldedOf(property: string, value: string) {
  const isAddress = property === 'email';
  const key = `${isAddress} ${value}`;
  const known = FOLDED.get(key);
  if (known) return known;
  const text = isAddress ? foldedAddress(value) : fold(value);
  const made = { text, codePoints: codePointsOf(text) };
  FOLDED.set(key, made);
  return made;
}

const folded = (property: string, value: string): string => foldedOf(property, value).text;

function compareCodePoints(left: readonly number[], right: readonly number[]): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const codePointsOf = (text: string) => Array.from(text, (c) => c.codePointAt(0) ?? 0);

const compareStrings = (property: string, a: string, b: string): number =>
  compareCodePoints(foldedOf(property, a).codePoints, foldedOf(property, b).codePoints);

/** Exact values that differ only in case are in the order of their own texts. */
const compareExact = (property: string, a: string, b: string): number =>
  compareStrings(property, a, b) || compareCodePoints(codePointsOf(a), codePointsOf(b));

const KINDS_OF_VALUES = ['boolean', 'number', 'string', 'object'];

/** Member by member. The shorter one of two that begin alike comes first. */
function compareLists(a: readonly string[], b: readonly string[], compare: (x: string, y: string) => number): number {
  const differences = a.flatMap((text, i) => (i < b.length ? compare(text, b[i] ?? '') : []));
  return differences.find((each) => each !== 0) ?? a.length - b.length;
}

/** False and true, numbers, texts, arrays. Texts ignoring case, and then by themselves. */
function compareAttributes(a: NonNullable<ModelValue>, b: NonNullable<ModelValue>): number {
  const [x, y] = [a, b].map((value) => KINDS_OF_VALUES.indexOf(typeof value));
  if (x !== y) return Number(x) - Number(y);
  if (typeof a !== 'string' && typeof a !== 'object') return Number(a) - Number(b);
  const [s, t] = [[a].flat(), [b as string].flat()];
  return (
    compareLists(s, t, (x, y) => compareStrings('', x, y)) ||
    compareLists(s, t, (x, y) => compareCodePoints(codePointsOf(x), codePointsOf(y)))
  );
}

function valueIn({ attributes = {}, ...user }: ModelUser, property: string): ModelValue {
  const [field, name = ''] = property.split('.');
  if (field !== 'attributes') return user[property as OneValue];
  return Object.hasOwn(attributes, name) ? (attributes[name] as ModelValue) : undefined;
}

function compareValues(property: string, a: ModelValue, b: ModelValue): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (property.startsWith('attributes.')) return compareAttributes(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const compare = isExact(property) ? compareExact : compareStrings;
  return compare(property, String(a), String(b));
}

export function modelSort(users: readonly ModelUser[], sort: ModelQuery['sort']): ModelUser[] {
  // A property counts where it is named first. Users who are equal are sorted by id, in the direction of the last property.
  const distinct = sort.filter(({ property }, i) => sort.findIndex((key) => key.property === property) === i);
  const isDescending = distinct.at(-1)?.direction === 'desc';
  return [...users].sort((a, b) => {
    for (const { property, direction } of sort) {
      const difference = compareValues(property, valueIn(a, property), valueIn(b, property));
      if (difference !== 0) return direction === 'asc' ? difference : -difference;
    }
    return isDescending ? b.id - a.id : a.id - b.id;
  });
}

/** The endings that ask for a part of a text, once more: a definition that is wrong must not judge itself. A new one needs a line of its own. */
export const MODEL_PARTS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
};

const BOUNDS: Record<string, (value: string | number, bound: string | number) => boolean> = {
  gte: (value, bound) => value >= bound,
  gt: (value, bound) => value > bound,
  lte: (value, bound) => value <= bound,
  lt: (value, bound) => value < bound,
};

const textsIn = (value: ModelValue): readonly string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string');

/** The date in UTC that a text begins with. */
function dateIn(text: string): string[] {
  const [, date = '', time = ''] =
    /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d)$)?/.exec(text) ?? [];
  const [day, moment] = [date, time && `${date}T${time}`].map((each) => new Date(each));
  if (!day || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== date) return [];
  return [moment && !Number.isNaN(moment.getTime()) ? moment.toISOString().slice(0, 10) : date];
}

/** The texts that a bound is compared with: a bound that is a date, or a part of one, meets only dates. */
const textsAt = (value: ModelValue, bound: string): readonly string[] =>
  textsIn(value).filter((text) => !/^\d{4}-/.test(bound) || dateIn(text).length > 0);

/** Whether the value of a field, or of an attribute, is what one value of a filter asks for. */
function isMet(property: string, asks: string, value: ModelValue, wanted: string | number): boolean {
  const isAttribute = property.startsWith('attributes.');
  const [part, bound] = [MODEL_PARTS[asks], BOUNDS[asks]];
  if (part) return textsIn(value).some((text) => part(folded(property, text), folded(property, String(wanted))));
  if (bound && isAttribute && typeof wanted === 'number') return typeof value === 'number' && bound(value, wanted);
  if (bound && isAttribute)
    return textsAt(value, String(wanted)).some((text) => bound(compareStrings('', text, String(wanted)), 0));
  if (bound) return bound(value as string | number, wanted);
  if (isAttribute)
    return textsIn(value).includes(String(wanted)) || (!Array.isArray(value) && String(value) === String(wanted));
  if (typeof value === 'number' || isExact(property)) return value === wanted;
  const same = property === 'email' ? foldedMailbox : fold;
  return same(String(value)) === same(String(wanted));
}

/** The other members of a question. */
const NO_FILTERS = ['sort', 'page', 'size'];

const hasWord = ({ id, name, firstName, lastName, email, externalId }: ModelUser, word: string): boolean =>
  String(id) === word ||
  [name, firstName, lastName, email, externalId].some((text) => text && plain(text).includes(word));

/** Whether a user meets a filter such as `age.gte`. A user without a value meets only `missing` and `not`; an empty filter is none. */
function meets(user: ModelUser, name: string, wanted: unknown): boolean {
  if (wanted === undefined || wanted === '' || NO_FILTERS.includes(name)) return true;
  const values = [wanted].flat() as (string | number)[];
  if (name === 'q') {
    const words = String(wanted).split(/\s/).filter(Boolean);
    return words.every((word) => hasWord(user, plain(word)));
  }
  const [, property = '', asks = 'is'] =
    name === 'keyword' ? ['', 'lastName', 'contains'] : (/^(attributes\.[^.]*|[^.]*)(?:\.(.*))?$/.exec(name) ?? []);
  const value = valueIn(user, property);
  if (asks === 'missing') return (value === undefined) === wanted;
  const isAny = (asks: string) => value !== undefined && values.some((each) => isMet(property, asks, value, each));
  return asks === 'not' ? !isAny('is') : isAny(asks);
}

export const modelFilter = (users: readonly ModelUser[], asked: Partial<ModelQuery>): ModelUser[] =>
  users.filter((user) => Object.entries(asked).every(([name, wanted]) => meets(user, name, wanted)));

/** The week of a date by ISO 8601, counted in days: the first one of a year has its fourth of January. */
function weekOf(date: string): string {
  const day = new Date(date);
  const fromMonday = (day.getUTCDay() + 6) % 7;
  const thursday = new Date(day.getTime() + (3 - fromMonday) * 86_400_000);
  let week = 1;
  for (let t = thursday.getTime() - 7 * 86_400_000; new Date(t).getUTCFullYear() === thursday.getUTCFullYear(); week++)
    t -= 7 * 86_400_000;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** By its period, what a date is counted as. */
const PERIODS: Record<string, (date: string) => string> = {
  day: (date) => date,
  week: weekOf,
  month: (date) => date.slice(0, 7),
  year: (date) => date.slice(0, 4),
};

/** The values that a user counts as: each text of an array, and the periods of dates. Without any, as somebody without a value. */
function countedIn(user: ModelUser, name: string): readonly ModelValue[] {
  const [, property = '', period = ''] = /^(createdAt|updatedAt|attributes\.[^.]+)\.(.+)$/.exec(name) ?? [];
  const { email = '' } = user;
  if (name === 'email.domain') return [email ? foldedDomain(email.replace(/^.*@/s, '')) : undefined];
  const value = valueIn(user, property || name);
  const values = PERIODS[period] ? textsIn(value).flatMap(dateIn).map(PERIODS[period]) : [value].flat();
  return values.length > 0 ? [...new Set(values)] : [undefined];
}

/** All combinations of the values that a user is counted as. */
const combinationsOf = (user: ModelUser, by: readonly string[]): ModelValue[][] =>
  by.reduce<ModelValue[][]>(
    (all, name) => all.flatMap((some) => countedIn(user, name).map((each) => [...some, each])),
    [[]],
  );

/**
 * How many users have each combination of some values, for the first ones: the most first, and equally many in the order of their values. And how
 * many have others.
 */
export function modelCounts(users: readonly ModelUser[], by: readonly string[], most: number) {
  const all = new Map<string, { values: ModelValue[]; count: number }>();
  for (const user of users) {
    for (const values of combinationsOf(user, by)) {
      const known = all.get(JSON.stringify(values)) ?? { values, count: 0 };
      all.set(JSON.stringify(values), { values, count: known.count + 1 });
    }
  }
  const compare = (name: string, a: ModelValue, b: ModelValue) =>
    compareValues(name === 'email.domain' ? 'email' : name, a, b) ||
    compareCodePoints(codePointsOf(String(a)), codePointsOf(String(b)));
  const sorted = [...all].sort(
    ([, a], [, b]) =>
      b.count - a.count || by.map((name, i) => compare(name, a.values[i], b.values[i])).find((n) => n !== 0) || 0,
  );
  const shown = new Map(sorted.slice(0, most));
  const isBeside = (user: ModelUser) => combinationsOf(user, by).some((values) => !shown.has(JSON.stringify(values)));
  return { counts: [...shown.values()], others: users.filter(isBeside).length };
}

/** The next users behind a place of the order, which is that of a user who need not be there any more, and whether somebody is behind them. */
export function modelWalk(users: readonly ModelUser[], asked: Partial<ModelQuery>, place: ModelUser | undefined) {
  const { sort: all = [], size = 20 } = asked;
  // The properties behind the id order nobody: the place may be of a user who has changed since.
  const byId = all.findIndex(({ property }) => property === 'id');
  const sort = byId < 0 ? all : all.slice(0, byId + 1);
  const matching = modelFilter(users, asked);
  // A user who is equal to the place stays before it.
  const sorted = modelSort(place ? [...matching, place] : matching, sort);
  const behind = place ? sorted.slice(sorted.indexOf(place) + 1) : sorted;
  return { users: behind.slice(0, size), total: matching.length, hasMore: behind.length > size };
}

/** A page; unless told, the first twenty users by id. */
export function modelPage(users: readonly ModelUser[], asked: Partial<ModelQuery>) {
  const { sort = [], page: number = 0, size = 20 } = asked;
  const matching = modelSort(modelFilter(users, asked), sort);
  const totalPages = Math.ceil(matching.length / size);
  return {
    content: matching.slice(number * size, (number + 1) * size),
    totalElements: matching.length,
    totalPages,
    number,
    size,
    first: number === 0,
    last: number >= totalPages - 1,
  };
}

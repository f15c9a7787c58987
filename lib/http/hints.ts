import { FIELDS } from '../../schemas/fields.ts';
import type { AskedPath } from '../rest/index.ts';
import { ANY_ATTRIBUTE, attributeIn, isOfAttribute, nameAsked } from '../users/user.ts';
import { CHANGE_MANY, ROUTES, TAKEN_AT, WORDS } from './routes.ts';

/** Names of a parameter in other APIs, in small letters and digits alone. */
interface OtherNames {
  /** Its name here. Absent if no parameter does that, at any endpoint. */
  here?: string;
  elsewhere: string;
  /** If there is more to say than its name. */
  hint?: string;
}

/**
 * Names of SCIM (RFC 7644), JSON:API, OData, Spring, GitHub, Stripe, Okta, Auth0, Keycloak, Cognito, and of Google's and Microsoft's
 * directories. The first line counts whose parameter the endpoint takes.
 */
const OTHER_NAMES: readonly OtherNames[] = [
  { here: 'q', elsewhere: 'search query term terms text find searchterm searchtext fulltext' },
  { here: 'keyword', elsewhere: 'search query term terms text find searchterm searchtext fulltext' },
  { here: 'size', elsewhere: 'limit perpage pagesize pagelimit count top max maxresults maxitems take rows' },
  {
    here: 'sort',
    elsewhere: 'orderby sortby order ordering sortorder direction dir desc asc newest latest oldest',
    hint: 'is sort meant, such as sort=lastName,desc?',
  },
  { here: 'page', elsewhere: 'pagenumber pageno pageindex' },
  {
    here: 'page',
    elsewhere: 'offset pageoffset skip startindex start first',
    hint: 'is page meant, which counts pages of size users, from 0?',
  },
  { here: 'at', elsewhere: 'asof asofdate timestamp' },
  { here: 'createdAt.lt', elsewhere: 'until createdbefore createdatbefore createdlt to enddate' },
  {
    here: 'createdAt.gte',
    elsewhere: 'since createdafter createdsince createdgte createdat created from startdate date datefrom',
  },
  { here: 'updatedAt.lt', elsewhere: 'updatedbefore modifiedbefore updatedatbefore' },
  {
    here: 'updatedAt.gte',
    elsewhere:
      'lastmodified modifiedat modified updated updatedat updatedsince modifiedsince updatedafter modifiedafter lastupdated changedsince',
  },
  { here: 'fields', elsewhere: 'select include attributes attributestoget excludedattributes columns' },
  {
    here: 'after',
    elsewhere: 'pagetoken nexttoken paginationtoken skiptoken startingafter pageafter pagecursor marker next',
  },
  {
    here: 'after',
    elsewhere: 'since from startdate date datefrom updatedsince modifiedsince updatedafter modifiedafter',
    hint: 'GET /api/users?updatedAt.gte= lists who has changed since a date. after is no date, but the token next of an earlier response, or now',
  },
  { here: 'after', elsewhere: 'cursor page offset' },
  {
    here: 'before',
    elsewhere: 'since from startdate until to enddate after',
    hint: 'changes have their moments in at, and the newest come first. before is no date, but goes on from the last change of a response',
  },
  { here: 'before', elsewhere: 'endingbefore pagebefore' },
  { here: 'type', elsewhere: 'event events eventtype action' },
  { here: 'by', elsewhere: 'groupby facet facets' },
  { here: 'name', elsewhere: 'displayname fullname' },
  { here: 'firstName', elsewhere: 'givenname' },
  { here: 'lastName', elsewhere: 'surname familyname' },
  { here: 'email.endsWith', elsewhere: 'domain emaildomain' },
  { here: 'email', elsewhere: 'username login mail emails emailaddress' },
  { here: 'id', elsewhere: 'ids userid userids' },
  { here: 'externalId', elsewhere: 'sub subject customid' },
  { here: 'status', elsewhere: 'state' },
  { here: 'status', elsewhere: 'filter filters where', hint: 'each filter is a parameter of its own, such as status' },
  ...['active', 'enabled', 'blocked'].map((flag) => ({
    here: 'status',
    elsewhere: flag,
    hint: `is attributes.${flag} meant, or status?`,
  })),
  {
    elsewhere: 'deleted isdeleted includedeleted withdeleted onlydeleted showdeleted trashed',
    hint: 'GET /api/users/changes?type=deleted has the users who were deleted',
  },
  { elsewhere: 'includetotals includetotal withcount', hint: 'each page has its total' },
  { elsewhere: 'format output accept', hint: 'is the header Accept meant?' },
  { elsewhere: 'accesstoken token apikey', hint: 'is the header Authorization meant?' },
];

/** Endings of filters in other APIs. */
const OTHER_ENDINGS = Object.entries({
  not: '! ne neq nin notin',
  contains: '~ like ilike',
  missing: 'null isnull exists',
  gte: '> min',
  lte: '< max',
});

/** The names are compared ignoring case, and without what joins words. */
const plain = (name = ''): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** The beginning of a name: `age.eq`, `filter[status]`, `status__in`. */
const rootOf = (name: string): string => plain(name.split(/\.|\[|__/)[0]);

/** Shorter names are no one's typing error: one edit makes another word of them. */
const SHORTEST_ERROR = 5;

/** Whether one edit makes one text of the other: a character more, less, another, or two swapped (Damerau, 1964). */
function isOneEditAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [left, right] = [a.slice(start), b.slice(start)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** The known name that is meant by a name that looks like it: other case, other joints, an ending that it has not, or one edit. */
export function similarTo(name: string, known: readonly string[]): string | undefined {
  const whole = plain(name);
  return (
    known.find((each) => plain(each) === whole) ??
    known.find((each) => plain(each) === rootOf(name)) ??
    (whole.length < SHORTEST_ERROR ? undefined : known.find((each) => isOneEditAway(whole, plain(each))))
  );
}

const isMeant = (name: string | undefined): string | undefined => name && `is ${name} meant?`;

/** The first line with one of these names whose parameter is known. */
const lineOf = (names: readonly string[], known?: readonly string[]): OtherNames | undefined =>
  OTHER_NAMES.find(
    ({ here, elsewhere }) =>
      (!here || !known || known.includes(here)) && elsewhere.split(' ').some((each) => names.includes(each)),
  );

/** The ending here for one of another API. */
const endingOf = (ending: string): string | undefined =>
  OTHER_ENDINGS.find(([, elsewhere]) => elsewhere.split(' ').includes(ending))?.[0];

/** The known filter that is meant by one with an ending from elsewhere: `status.ne`, `status[$ne]`, `status!=`. */
function filterOf(name: string, known: readonly string[]): string | undefined {
  const here = endingOf(/[!~<>]$/.exec(name)?.[0] ?? plain(name).slice(rootOf(name).length));
  return here && known.find((each) => plain(each) === rootOf(name) + here);
}

/** An endpoint that takes a parameter which is no filter. */
function whereTaken(name: string): string | undefined {
  const route = Object.entries(TAKEN_AT).find(([, names]) => names.split(' ').includes(name))?.[0];
  return route && `${route} takes it`;
}

const IN_LISTS = 'GET /api/users takes it';

/** The properties that lists have filters of, besides attributes. */
const FILTERED = [...Object.keys(FIELDS), 'id', 'createdAt', 'keyword', 'q'];

/** That lists take a filter, of whose property the endpoint takes none. So it need not know the endings of lists. */
function whereFiltered(name: string, known: readonly string[]): string | undefined {
  const property = nameAsked(name) === undefined ? (name.split('.', 1)[0] ?? '') : ANY_ATTRIBUTE;
  const isFilter = property === ANY_ATTRIBUTE || FILTERED.includes(property);
  const isOwn = known.some((each) => each === property || each.startsWith(`${property}.`));
  if (!isFilter || isOwn) return undefined;
  // A PUT of the collection takes one parameter, and writes one user.
  return known.includes('externalId') ? `${IN_LISTS}. ${CHANGE_MANY}` : IN_LISTS;
}

/** `attributes.team.nots`, `attributes[team]`, `attribute.team`: the name of the attribute, and the ending. */
const ATTRIBUTE = /^attributes?[.[]([^.[\]!~<>]*)\]?(.*)$/i;

/** The endings of filters. A list with filters of attributes has all of them. */
const endingsOf = (known: readonly string[]): string[] => [
  ...new Set(known.flatMap((name) => (name === ANY_ATTRIBUTE ? [] : name.split('.').slice(1)))),
];

/** The parameter that a name means which looks like a filter of an attribute. */
function attributeMeant(name: string, known: readonly string[]): string | undefined {
  const [match, attribute = '', rest = ''] = ATTRIBUTE.exec(name) ?? [];
  if (match === undefined || !known.includes(ANY_ATTRIBUTE)) return undefined;
  const property = `attributes.${attribute}`;
  if (!isOfAttribute(property)) return 'the name of an attribute is a letter, then at most 62 letters, digits, - or _';
  if (rest === '') return isMeant(property);
  const endings = endingsOf(known);
  const ending =
    endingOf(rest) ?? endingOf(plain(rest)) ?? endings.find((each) => isOneEditAway(plain(rest), plain(each)));
  return ending ? isMeant(`${property}.${ending}`) : `the endings of ${property} are ${endings.join(', ')}`;
}

/** The parameter of another endpoint that is known by one of these names elsewhere. */
function takenElsewhere(names: readonly string[]): string | undefined {
  const here = lineOf(names)?.here;
  return here && `${isMeant(here)} ${whereTaken(here) ?? IN_LISTS}`;
}

/** Prefixes of a client's own fields in other products: Okta's `profile.team`, Cognito's `custom:team`, Auth0's `user_metadata.team`. */
const HOLDER = /^(?:profile|custom|metadata|(?:user|app)_metadata)[.:[]/i;

/** The attribute that is meant by a name that no field has. Elsewhere it is a parameter as it is: `team`, `team.ne`, `team__in`, `team[]`. */
function attributeCalled(name: string, known: readonly string[]): string | undefined {
  const [attribute = '', rest = ''] = name.replace(HOLDER, '').split(/[.:[\]]+|__|(?=[!~<>])/);
  const property = `attributes.${attribute}`;
  if (!isOfAttribute(property) || !known.includes('status')) return undefined;
  const ending = endingsOf(known).find((each) => each === rest) ?? endingOf(rest) ?? endingOf(plain(rest));
  const meant = isMeant(ending ? `${property}.${ending}` : property);
  return known.includes(ANY_ATTRIBUTE) ? meant : `${meant} ${IN_LISTS}`;
}

/** An attribute is a member of a member. */
function attributeWithin(name: string): string | undefined {
  const attribute = `attributes.${name.replace(HOLDER, '')}`;
  return isOfAttribute(attribute) ? isMeant(attribute) : undefined;
}

/**
 * The member that is probably meant by one that an object in a body does not have; undefined for a name that is like none.
 *
 * @param known the members that it may have
 */
export function memberMeant(name: string, known: readonly string[]): string | undefined {
  const own = known.includes('attributes') ? attributeIn(name) : undefined;
  if (own !== undefined) return `is the member ${own} of attributes meant?`;
  const similar = isMeant(similarTo(name, known));
  if (similar !== undefined || !known.includes('attributes')) return similar;
  const line = lineOf([plain(name)], known);
  return (line?.here && (line.hint ?? isMeant(line.here))) ?? attributeWithin(name);
}

/** The parameter that is probably meant by a name that an endpoint does not know; undefined for a name that is like none. */
export function hintAt(name: string, known: readonly string[]): string | undefined {
  const same = filterOf(name, known) ?? known.find((each) => plain(each) === plain(name));
  const names = [plain(name), rootOf(name)];
  const line = lineOf(names, known);
  return (
    attributeMeant(name, known) ??
    whereFiltered(name, known) ??
    isMeant(same) ??
    line?.hint ??
    isMeant(line?.here) ??
    whereTaken(name) ??
    isMeant(similarTo(name, known)) ??
    takenElsewhere(names) ??
    attributeCalled(name, known)
  );
}

/** The property that is meant by one with another spelling, or with a name from elsewhere. */
export function propertyMeant(name: string, known: readonly string[]): string | undefined {
  const property = ({ here = '' }: OtherNames): string => here.split('.', 1)[0] ?? '';
  const line = OTHER_NAMES.find(
    (each) => !each.hint && known.includes(property(each)) && each.elsewhere.split(' ').includes(plain(name)),
  );
  return similarTo(name, known) ?? (line && property(line));
}

/** Beginnings of paths, which say nothing of what is asked for. */
const PREFIX = /^(?:api|rest|scim|v\d+|users?|people|accounts|members|)$/;

/** The most words of a path that are looked at: a path has room for thousands. */
const MOST_WORDS = 20;

/** The words of a segment of a path: all of it first, then its parts, such as those of `audit-log` and `bulkDelete`. */
const wordsOf = (segment: string): string[] => [
  plain(segment),
  ...segment.split(/[^A-Za-z\d]+|(?<=[a-z])(?=[A-Z])/).map(plain),
];

/** The help for the first word of a path that says so, exactly or but for an error of typing. */
function thereFor(segments: readonly string[]): string | undefined {
  const words = segments
    .flatMap(wordsOf)
    .filter((word) => !PREFIX.test(word))
    .slice(0, MOST_WORDS);
  const all = WORDS.flatMap(({ elsewhere }) => elsewhere.split(' '));
  const known = words.find((word) => all.includes(word)) ?? words.map((word) => similarTo(word, all)).find(Boolean);
  const there = known && WORDS.find(({ elsewhere }) => elsewhere.split(' ').includes(known))?.there;
  if (there) return there;
  const field = words.map((word) => similarTo(word, Object.keys(FIELDS))).find(Boolean);
  return field && `A filter is a parameter: GET /api/users?${field}=`;
}

/** A number in a path. */
const IS_ID = /^\d{1,19}$/;

/** The help for a path, by its segments. */
function helpOf(segments: readonly string[]): string {
  if (segments.some((each) => /@|%40/.test(each))) return 'GET /api/users?email= finds a user by an address';
  const there = thereFor(segments);
  if (there) return there;
  if (segments.some((each) => IS_ID.test(each))) return 'A user is at /api/users/{id}';
  return segments.some((each) => /^(?:users?|people|accounts|members)$/i.test(each))
    ? 'Users are at /api/users, and GET /api/users?externalId= finds one by a name from elsewhere'
    : 'The paths are in /api/openapi.json, and /api/docs shows them';
}

/** The path that is asked for, from `/api` on where it has a route. */
function segmentsOf({ resource, path, pathParameters }: AskedPath): string[] {
  const isThere = ROUTES.some((route) => route.path === resource);
  const asked = resource.replace(/\{(\w+)\}/g, (given, name: string) => pathParameters?.[name] ?? given);
  return (isThere ? asked : path).split('/').filter((each) => each !== '');
}

/** The paths that are meant by one that is not there, by a method that its path does not have, or by a word where an id belongs. */
export function helpAt(asked: AskedPath): string {
  const segments = segmentsOf(asked);
  const id = segments.find((each) => IS_ID.test(each));
  const isChange = !['GET', 'HEAD'].includes(asked.httpMethod) && asked.resource.startsWith('/api/users');
  if (isChange && id && segments.length === 3)
    return `PATCH /api/users/${id} changes a user, and PUT replaces all of it`;
  const many = isChange && !id ? CHANGE_MANY : '';
  if (many && segments.length === 2) return many;
  const help = helpOf(segments);
  return (many && help !== many ? `${help}. ${many}` : help).replaceAll('{id}', id ?? '{id}');
}

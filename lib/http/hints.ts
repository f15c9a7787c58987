import { QUERY_PARAMETERS } from './queryParameters.ts';
import { ROUTES } from './routes.ts';

/** What a parameter is called elsewhere, in small letters and digits alone. */
interface OtherNames {
  /** Its name here. */
  here: string;
  elsewhere: string;
  /** What is different here. */
  but?: string;
}

/**
 * Names of SCIM (RFC 7644), JSON:API, OData, Spring, GitHub, Stripe, Okta, Auth0, Keycloak, Cognito, and of Google's and Microsoft's
 * directories. The first line counts whose parameter the endpoint takes.
 */
const OTHER_NAMES: readonly OtherNames[] = [
  { here: 'q', elsewhere: 'search query term terms text find searchterm searchtext fulltext' },
  { here: 'keyword', elsewhere: 'search query term terms text find searchterm searchtext fulltext' },
  { here: 'size', elsewhere: 'limit perpage pagesize pagelimit count top max maxresults maxitems take rows' },
  { here: 'sort', elsewhere: 'orderby sortby order ordering sortorder direction', but: 'such as sort=lastName,desc' },
  { here: 'page', elsewhere: 'pagenumber pageno pageindex' },
  {
    here: 'page',
    elsewhere: 'offset pageoffset skip startindex start first',
    but: 'which counts pages of size users, from 0',
  },
  { here: 'at', elsewhere: 'asof asofdate timestamp' },
  { here: 'createdAt.lt', elsewhere: 'until createdbefore createdlt to enddate' },
  { here: 'createdAt.gte', elsewhere: 'since createdafter createdsince createdgte createdat created from startdate' },
  { here: 'fields', elsewhere: 'select include attributes attributestoget columns' },
  {
    here: 'after',
    elsewhere: 'pagetoken nexttoken paginationtoken skiptoken startingafter pageafter pagecursor since cursor',
  },
  { here: 'cursor', elsewhere: 'pagetoken nexttoken paginationtoken skiptoken startingafter pageafter pagecursor' },
  { here: 'before', elsewhere: 'endingbefore pagebefore until' },
  { here: 'by', elsewhere: 'groupby facet facets' },
  { here: 'name', elsewhere: 'displayname fullname' },
  { here: 'firstName', elsewhere: 'givenname' },
  { here: 'lastName', elsewhere: 'surname familyname' },
  { here: 'email', elsewhere: 'username login mail emailaddress' },
  { here: 'id', elsewhere: 'ids userid userids' },
  { here: 'status', elsewhere: 'filter filters where', but: 'each filter is a parameter of its own' },
];

/** The names are compared ignoring case, and without what joins words. */
const plain = (name = ''): string => name.toLowerCase().replaceAll(/[^a-z\d]/g, '');

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
  const asked = plain(name);
  const root = plain(name.split(/\.|\[|__/)[0]);
  return (
    known.find((each) => plain(each) === asked) ??
    known.find((each) => plain(each) === root) ??
    (asked.length < SHORTEST_ERROR ? undefined : known.find((each) => isOneEditAway(asked, plain(each))))
  );
}

/** The first endpoint that takes a parameter. */
const routeWith = (name: string) => ROUTES.find(({ operation }) => QUERY_PARAMETERS[operation]?.includes(name));

/** What is probably meant by a name that an endpoint does not know, which has some parameters; empty for a name that is like none. */
export function hintAt(name: string, known: readonly string[]): string {
  const asked = [plain(name), plain(name.split('[')[0])];
  const other = OTHER_NAMES.find(
    ({ here, elsewhere }) => known.includes(here) && elsewhere.split(' ').some((each) => asked.includes(each)),
  );
  if (other) return `: is ${other.here} meant${other.but ? `, ${other.but}` : ''}?`;
  const route = routeWith(name);
  if (route) return `: ${route.method} ${route.path} takes it`;
  const similar = similarTo(name, known);
  return similar ? `: is ${similar} meant?` : '';
}

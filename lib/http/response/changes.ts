import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Change, Feed, UserChange } from '../../../schemas/changes.ts';
import type { HistoryPage } from '../../changes/history.ts';
import { typeOf } from '../../changes/items.ts';
import type { FeedPage, ShownChange, ShownQuery } from '../../changes/shown.ts';
import { originOf } from '../../replica/index.ts';
import { ok } from '../../rest/index.ts';
import type { WrittenChange } from '../../users/entry.ts';
import { attributesBeside, PLAIN_FIELDS, pickFields, represent, type User } from '../../users/user.ts';
import { nextLink } from './links.ts';

/** A change as clients see it. */
export const representChange = ({ id, version, type, at, user, ...change }: ShownChange): Change => ({
  id,
  version,
  type,
  at: new Date(at).toISOString(),
  ...originOf(change),
  ...(user && { user: represent(user) }),
});

/** The fields, and of attributes the members, of a state that have other values in another state. */
export const changedFields = (state: User | undefined, other: User | undefined): UserChange['before'] =>
  pickFields({
    ...Object.fromEntries(
      PLAIN_FIELDS.filter((field) => state?.[field] !== other?.[field]).map((field) => [field, state?.[field]]),
    ),
    attributes: attributesBeside(state?.attributes, other?.attributes),
  });

function representUserChange(change: WrittenChange): UserChange {
  const { before, after } = change;
  const user = after ?? before;
  return {
    ...representChange({ ...change, type: typeOf(change), ...(user && { user }) }),
    before: changedFields(before, after),
    after: changedFields(after, before),
  };
}

/** A client that follows links ends at a page without changes, which has none. */
const linkTo = (event: APIGatewayProxyEvent, name: 'after' | 'before', { changes, next }: FeedPage | HistoryPage) =>
  changes.length > 0 && next !== undefined ? nextLink(event, { [name]: next }) : {};

export function okFeed(event: APIGatewayProxyEvent, { before }: ShownQuery, page: FeedPage): APIGatewayProxyResult {
  const feed: Feed = { ...page, changes: page.changes.map(representChange) };
  return ok(feed, linkTo(event, before === undefined ? 'after' : 'before', page));
}

export const okHistory = (event: APIGatewayProxyEvent, page: HistoryPage): APIGatewayProxyResult =>
  ok(page.changes.map(representUserChange), linkTo(event, 'before', page));

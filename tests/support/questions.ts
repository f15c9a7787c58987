import { expect } from 'vitest';
import { metered } from '../../lib/ground/index.ts';
import { toPage } from '../../lib/http/response/collections.ts';
import type { CountedBy } from '../../lib/users/counted.ts';
import { type Filters, filterNamed } from '../../lib/users/filters.ts';
import { readPlace, totalOrder, writePlace } from '../../lib/users/order.ts';
import type {
  UserBatch,
  UserCounts,
  UserListing,
  UserPage,
  UserStream,
  UserStretch,
} from '../../lib/users/questions.ts';
import { type ListedUser, represent } from '../../lib/users/user.ts';
import { type ModelQuery, type ModelUser, modelCounts, modelFilter, modelPage } from './model.ts';

/** The filters of a question as the listing takes them: moments are Unix milliseconds, and empty filters are left out. */
const filtersOf = (asked: Partial<ModelQuery>): Filters =>
  Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) => {
      const property = filterNamed(name)?.property;
      if (property === undefined || value === undefined || value === '') return [];
      const isMoment = (property === 'createdAt' || property === 'updatedAt') && typeof value === 'string';
      return [[name, isMoment ? Date.parse(value) : (value as string | string[])]];
    }),
  );

/** The report of `verify` if lists have what the table has. */
export const NOTHING_WRONG = { differences: [] };

/** A page (the first one unless told), its read units, and the tag of its state. */
export function askPage(listing: UserListing, asked: Partial<ModelQuery>) {
  const { sort = [], page: number = 0, size = 20 } = asked;
  const request = { filters: filtersOf(asked), order: totalOrder(sort), number, size, members: undefined };
  return metered(async (meter) => {
    const found = (await listing.page(request)) as UserPage;
    return { page: toPage(found, request), tag: found.tag, units: meter.readUnits };
  });
}

/** Expects that a page is right. @returns its read units, and the tag of its state */
export async function expectPage(listing: UserListing, all: readonly ModelUser[], asked: Partial<ModelQuery>) {
  const { page, ...more } = await askPage(listing, asked);
  expect(page, JSON.stringify(asked)).toEqual(modelPage(all, asked));
  return more;
}

/** The names of a page, and how many users match. */
export async function askNames(listing: UserListing, asked: Partial<ModelQuery> = {}) {
  const { content, totalElements } = (await askPage(listing, asked)).page;
  return { names: content.map(({ name }) => name), total: totalElements };
}

/** Users after an id, and the tag of their state. */
export async function askAfter(listing: UserListing, asked: Partial<ModelQuery>, after: number, size: number) {
  const query = { filters: filtersOf(asked), after, size };
  const { users, tag } = (await listing.after(query)) as UserBatch;
  return { users: users.map(represent) as ModelUser[], tag };
}

/** A user as lists have it. */
const listed = ({ updatedAt, ...user }: ModelUser): ListedUser => ({
  ...user,
  ...(updatedAt !== undefined && { updatedAt: Date.parse(updatedAt) }),
});

/** Users behind a place of the order, which goes the way of a token, whether somebody is behind them, and the tag of their state. */
export async function askWalk(listing: UserListing, asked: Partial<ModelQuery>, place: ModelUser | undefined) {
  const order = totalOrder(asked.sort ?? []);
  const after = place && readPlace(order, writePlace(order, listed(place)));
  const query = { filters: filtersOf(asked), order, after, size: asked.size ?? 20 };
  const { tag, users, total, hasMore } = (await listing.walk(query)) as UserStretch;
  return { tag, found: { users: users.map(represent) as ModelUser[], total, hasMore } };
}

/** Everyone who matches, and the tag of their state. @param pause before the first of them is taken */
export async function askAll(
  listing: UserListing,
  sort: ModelQuery['sort'],
  asked: Partial<ModelQuery> = {},
  pause = async () => {},
) {
  const query = { filters: filtersOf(asked), order: totalOrder(sort) };
  const { users, tag, total } = (await listing.all(query)) as UserStream;
  await pause();
  const all: ModelUser[] = [];
  for await (const some of users) for (const user of some) all.push(represent(user) as ModelUser);
  return { users: all, tag, total };
}

/** Few, so that there are others. */
const MOST = 8;

/** How many of those who match have which values, and the tag of their state. */
export async function askCounts(listing: UserListing, asked: Partial<ModelQuery>, by: readonly CountedBy[]) {
  const { tag, ...counts } = (await listing.counts({ filters: filtersOf(asked), by, most: MOST })) as UserCounts;
  return { counts, tag };
}

/** The counts that are right. */
export function countsOf(all: readonly ModelUser[], asked: Partial<ModelQuery>, by: readonly CountedBy[]) {
  const matching = modelFilter(all, asked);
  return { total: matching.length, ...modelCounts(matching, by, MOST) };
}

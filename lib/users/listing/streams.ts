import type { User } from '../user.ts';
import { compareBy, type Order, rankBy } from './order.ts';
import type { UserQuery } from './plans.ts';
import type { View } from './view.ts';

/** Users in order, read as the caller consumes them. */
export type Users = AsyncGenerator<User, void, undefined>;

/** The type of `open`. Plans call it for runs and groups, which are queries of their own. */
export type Open = (view: View, query: UserQuery) => Users;

/** The first users of a stream, each once: a user that changes while the stream is read may come at its old and its new place. */
export async function takeFrom(users: Users, count: number): Promise<User[]> {
  const taken: User[] = [];
  const ids = new Set<number>();
  if (count > 0) {
    for await (const user of users) {
      if (ids.has(user.id)) continue;
      ids.add(user.id);
      taken.push(user);
      if (taken.length >= count) break;
    }
  }
  return taken;
}

export async function* limit(users: Users, count: number): Users {
  let left = count;
  if (left <= 0) return;
  for await (const user of users) {
    yield user;
    if (--left <= 0) return;
  }
}

export async function* drop(users: Users, count: number): Users {
  let left = count;
  for await (const user of users) if (left-- <= 0) yield user;
}

/** Merges several streams with the same order into one. */
export async function* merged(streams: readonly Users[], order: Order): Users {
  const [rank, compare] = [rankBy(order), compareBy(order)];
  const heads = await Promise.all(streams.map(async (users) => ({ users, next: await users.next() })));
  for (;;) {
    const waiting = heads.flatMap((head) => (head.next.done ? [] : [{ head, ranked: rank(head.next.value) }]));
    const [first] = waiting.sort((a, b) => compare(a.ranked, b.ranked));
    if (!first) return;
    yield first.ranked.user;
    first.head.next = await first.head.users.next();
  }
}

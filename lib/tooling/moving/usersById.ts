import type { components } from '../../../docs/openapi.d.ts';

export type ListedUser = components['schemas']['User'];

/** The next users after an id, by id. None if there are no more. */
export type ReadBatch = (after: number) => Promise<readonly ListedUser[]>;

/** All users after an id, by id. While the users of a batch are used, the next batch is read. */
export async function* usersById(read: ReadBatch, after: number): AsyncGenerator<ListedUser> {
  for (let batch = await read(after); batch.length > 0; ) {
    const next = read(batch.at(-1)?.id ?? after);
    // Whoever takes the users sees the failure when it is awaited.
    next.catch(() => undefined);
    yield* batch;
    batch = await next;
  }
}

/** The user with an id at both services. */
export interface Pair {
  id: number;
  source?: ListedUser;
  target?: ListedUser;
}

/** Joins the users of two services, both by id. Two users are in memory. */
export async function* pairUp(
  source: AsyncIterator<ListedUser>,
  target: AsyncIterator<ListedUser>,
): AsyncGenerator<Pair> {
  const next = async (users: AsyncIterator<ListedUser>) => (await users.next()).value as ListedUser | undefined;
  let [left, right] = await Promise.all([next(source), next(target)]);
  while (left || right) {
    const id = Math.min(left?.id ?? Number.POSITIVE_INFINITY, right?.id ?? Number.POSITIVE_INFINITY);
    const [hasLeft, hasRight] = [left?.id === id, right?.id === id];
    yield { id, ...(hasLeft && left && { source: left }), ...(hasRight && right && { target: right }) };
    [left, right] = await Promise.all([hasLeft ? next(source) : left, hasRight ? next(target) : right]);
  }
}

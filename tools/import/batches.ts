import type { components } from '../../.local/openapi.d.ts';
import type { UserFields } from '../../lib/users/user.ts';
import type { UserInput } from '../../schemas/user.ts';
import { type Answer, isTransient, notTheService, type Service } from '../program/client.ts';
import { Stop } from '../program/stop.ts';
import { BATCH, inBatches } from './inBatches.ts';

export type Operation = components['schemas']['BatchOperation'];
export type Result = components['schemas']['BatchResult'];
export type Found = components['schemas']['User'];

/** The generated type has no arrays that are read only. */
export const inputOf = (fields: UserFields): UserInput => fields as UserInput;

/** With an id, the user gets it, if no other user has it. */
export const creating = (fields: UserFields, id?: number): Operation => ({
  op: 'create',
  ...(id !== undefined && { id }),
  user: inputOf(fields),
});

/** An operation, and the idempotency key of the request that has it. */
interface Keyed {
  operation: Operation;
  key?: string | undefined;
}

const NO_BATCHES =
  'Is --url the URL of the service? Before version 2.4 it has no batches: use the import of its own version';

export type Batches = ReturnType<typeof openBatches>;

/** @throws {Stop} for what every request would be answered */
function checkAnswer({ status, reason }: Answer<unknown>): void {
  if ([404, 405].includes(status)) throw new Stop(`${reason}. ${NO_BATCHES}`);
  if (status < 400 ? status !== 200 : status === 403) throw new Stop(reason);
}

const hasStatus = (result: unknown): boolean => Number.isInteger(Object(result).status);

/** The results of a batch. @throws {Stop} when these are none: JSON of something else would be asked for again, for minutes */
function resultsIn(data: unknown, count: number): readonly Result[] {
  const { results } = Object(data) as { results?: unknown };
  if (Array.isArray(results) && results.length === count && results.every(hasStatus)) return results;
  throw notTheService('its response to a batch has not one result for each operation');
}

/**
 * Writes and reads users, many in a request. An operation that the service was too busy for is sent again, as a request is.
 *
 * @param parallel how many requests of each kind there are at once
 * @param untilReady is awaited before each of them that writes
 */
export function openBatches({ client, ask }: Service, parallel: number, untilReady: () => Promise<void>) {
  async function write(keyed: readonly Keyed[]): Promise<readonly Result[]> {
    await untilReady();
    const { key } = keyed[0] ?? {};
    const header = key === undefined ? {} : { 'Idempotency-Key': key };
    const results = new Map<Keyed, Result>();
    let left = keyed;
    const answer = await ask(async (signal) => {
      const body = { operations: left.map(({ operation }) => operation) };
      const came = await client.POST('/api/users/batch', { params: { header }, body, signal });
      if (!came.response.ok) return came;
      for (const [index, result] of resultsIn(came.data, left.length).entries())
        results.set(left[index] as Keyed, result);
      left = left.filter((each) => isTransient(results.get(each)?.status ?? 0));
      const failures = left.flatMap((each) => results.get(each) ?? []);
      // A fault may be one operation's own, and ends soon. A busy service is waited for.
      const error = failures.find(({ status }) => status !== 500) ?? failures[0];
      return error ? { error, response: new Response(null, { status: error.status }) } : came;
    });
    checkAnswer(answer);
    return keyed.map((each) => results.get(each) ?? { status: answer.status, message: answer.message });
  }

  /** A list has everybody whose creation was acknowledged before. */
  async function list(query: { id: number[] } | { externalId: string[] }): Promise<readonly Found[]> {
    const params = { query: { ...query, size: BATCH } };
    const found = await ask((signal) => client.GET('/api/users', { params, signal }));
    const { content } = Object(found.data) as { content?: readonly Found[] };
    if (found.status !== 200) throw new Stop(found.reason);
    if (!Array.isArray(content)) throw notTheService('its list has no users');
    return content;
  }

  async function read(ids: readonly number[]): Promise<readonly (Found | undefined)[]> {
    const users = new Map((await list({ id: [...ids] })).map((user) => [user.id, user]));
    return ids.map((id) => users.get(id));
  }

  const operate = inBatches(parallel, write, ({ key }) => key);
  return {
    run: (operation: Operation, key?: string): Promise<Result> => operate({ operation, key }),
    /** The user with an id, if there is one. */
    find: inBatches(parallel, read),
    /** The user with an external id, if there is one. */
    findBy: async (externalId: string): Promise<Found | undefined> => (await list({ externalId: [externalId] }))[0],
  };
}

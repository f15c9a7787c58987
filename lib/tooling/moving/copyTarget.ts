import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../runtime.ts';
import { creationTime } from '../../users/ids.ts';
import { pickFields, type UserFields } from '../../users/user.ts';
import type { Client } from './client.ts';
import type { Ask } from './requests.ts';
import { Stop } from './stop.ts';

/** Users come and go at a target that others write. More turns than this mean that something else is wrong. */
const MAX_TURNS = 10;

/** How much the clock of a source may be ahead of the target's, which refuses ids of its future. */
const MOST_AHEAD_MS = 60_000;
const POLL_MS = 1_000;

/** Writes the users of a copy. @throws {Stop} when the target refuses one */
export function createWriter(client: Client, ask: Ask, runtime: Pick<Runtime, 'now' | 'sleep'>) {
  const create = (id: number, body: UserFields) =>
    ask((signal) =>
      client.PUT('/api/users/{id}', { params: { path: { id }, header: { 'If-None-Match': '*' } }, body, signal }),
    );

  async function createWhenDue(id: number, body: UserFields) {
    for (let waited = 0; ; waited += POLL_MS) {
      const answer = await create(id, body);
      const isNew = creationTime(id) > runtime.now() - MOST_AHEAD_MS;
      if (answer.status !== 400 || !isNew || waited === MOST_AHEAD_MS) return answer;
      await runtime.sleep(POLL_MS);
    }
  }

  const replace = (id: number, body: UserFields) =>
    ask((signal) => client.PUT('/api/users/{id}', { params: { path: { id } }, body, signal }));

  /** Whether the target has the same user. */
  async function hasSame(id: number, fields: UserFields): Promise<boolean> {
    const { data } = await ask((signal) => client.GET('/api/users/{id}', { params: { path: { id } }, signal }));
    return data !== undefined && isDeepStrictEqual(pickFields(data), fields);
  }

  return {
    /**
     * The target has a user with these fields afterwards, whatever it had before.
     *
     * @param wasThere whether it has a user with the id, as far as is known
     */
    async put(id: number, fields: UserFields, wasThere: boolean): Promise<void> {
      let isThere = wasThere;
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        const { status, reason } = isThere ? await replace(id, fields) : await createWhenDue(id, fields);
        if (status === 200 || status === 201) return;
        if (status !== (isThere ? 404 : 412)) throw new Stop(`User ${id} cannot be copied. ${reason}`);
        if (!isThere && (await hasSame(id, fields))) return;
        isThere = !isThere;
      }
      throw new Stop(`User ${id} cannot be copied: others create and delete it at the target`);
    },

    async remove(id: number): Promise<void> {
      const { status, reason } = await ask((signal) =>
        client.DELETE('/api/users/{id}', { params: { path: { id } }, signal }),
      );
      if (status !== 204 && status !== 404) throw new Stop(`User ${id} cannot be deleted. ${reason}`);
    },
  };
}

export type Writer = ReturnType<typeof createWriter>;

import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connect } from '../../../../lib/tooling/moving/client.ts';
import { copyAll } from '../../../../lib/tooling/moving/copyAll.ts';
import type { Change, Reader } from '../../../../lib/tooling/moving/copySource.ts';
import type { CopyState } from '../../../../lib/tooling/moving/copyState.ts';
import { createWriter, type Writer } from '../../../../lib/tooling/moving/copyTarget.ts';
import { type CopyOptions, copyAllUsers, copyWhatChanges } from '../../../../lib/tooling/moving/copyUsers.ts';
import { createPace } from '../../../../lib/tooling/moving/pace.ts';
import { createRequests } from '../../../../lib/tooling/moving/requests.ts';
import type { ListedUser } from '../../../../lib/tooling/moving/usersById.ts';
import { firstIdAt } from '../../../../lib/users/ids.ts';
import { serveForTest } from '../../../support/moving.ts';

const AT = '2026-01-01T00:00:00.000Z';
const person = (id: number, name: string): ListedUser => ({ id, name, createdAt: AT });

/** A service in memory. A token is the number of changes before it. */
function inMemory(names: readonly (readonly [number, string])[] = []) {
  const users = new Map(names.map(([id, name]) => [id, person(id, name)]));
  const feed: Change[] = [];
  const service = { users, feed, journal: 0 as number | undefined, writes: 0, isGone: false };
  const change = (type: Change['type'], user: ListedUser, isErased = false) =>
    feed.push({ id: user.id, version: feed.length + 1, type, at: AT, ...(!isErased && { user }) });
  const reader: Reader = {
    size: async () => ({ users: users.size, journal: service.journal, tag: undefined }),
    batch: async (cursor) => {
      const after = [...users.values()].filter(({ id }) => id > cursor);
      return after.sort((a, b) => a.id - b.id).slice(0, 3);
    },
    user: async (id) => users.get(id),
    changes: async (after) => {
      if (service.isGone) return undefined;
      const changes = feed.slice(Number(after), Number(after) + 2);
      return { changes, next: String(Number(after) + changes.length) };
    },
  };
  const writer: Writer = {
    put: async (id, { name }) => {
      service.writes++;
      users.set(id, person(id, name));
    },
    remove: async (id) => {
      service.writes++;
      users.delete(id);
    },
  };
  return Object.assign(service, { reader, writer, change });
}

const people = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('a', 'b')), {
  selector: ([id]) => id,
  maxLength: 30,
});

const STATE: CopyState = { from: 'a', to: 'b', after: '0', phase: 'changes', reached: 0, users: 0 };

/** A clock that passes only while somebody sleeps. */
function fakeRuntime() {
  let now = 0;
  const sleep = async (milliseconds: number) => {
    now += milliseconds;
  };
  return { now: () => now, monotonic: () => now, random: () => 0, sleep };
}

type Service = ReturnType<typeof inMemory>;

/** The options of a copy, and what it has saved and said. */
function copyOf(source: Service, target: Service, more: Partial<CopyOptions> = {}) {
  const runtime = fakeRuntime();
  const saved: CopyState[] = [];
  const said: string[] = [];
  const options: CopyOptions = {
    source: source.reader,
    target: target.reader,
    writer: target.writer,
    runtime,
    parallel: 2,
    save: async (state) => void saved.push(state),
    say: (sentence) => said.push(sentence),
    isFollowing: false,
    signal: new AbortController().signal,
    ...more,
  };
  return { options, runtime, saved, said };
}

describe('a copy of all users', () => {
  test('makes both sides the same and writes only users who differ, however often it was stopped before', async () => {
    await fc.assert(
      fc.asyncProperty(people, people, fc.array(fc.nat(10)), async (here, there, ends) => {
        const [source, target] = [inMemory(here), inMemory(there)];
        const differ = [...new Set([...source.users.keys(), ...target.users.keys()])].filter(
          (id) => source.users.get(id)?.name !== target.users.get(id)?.name,
        );
        let reached = 0;
        const pass = async (left: number) => {
          const stopped = new AbortController();
          let pairs = 0;
          await copyAll({
            source: source.reader,
            target: target.reader,
            writer: target.writer,
            reached,
            parallel: 3,
            signal: stopped.signal,
            onReached: async (now) => {
              reached = Math.max(reached, now);
              if (++pairs > left) stopped.abort();
            },
          });
        };
        for (const end of ends) await pass(end);
        await pass(Number.POSITIVE_INFINITY);
        const byId = ({ users }: Service) => [...users.values()].sort((a, b) => a.id - b.id);
        expect(byId(target)).toEqual(byId(source));
        expect(target.writes).toBe(differ.length);
      }),
    );
  });

  test.each([1, 2, 4])('saves how far it came when the target refuses a user, %i at a time', async (parallel) => {
    const source = inMemory([1, 2, 3, 4, 5, 6, 7].map((id) => [id, 'x']));
    const target = inMemory();
    const writer: Writer = {
      ...target.writer,
      put: async (id, fields, wasThere) => {
        if (id === 3) {
          await setTimeout(20);
          throw new Error('refused');
        }
        await target.writer.put(id, fields, wasThere);
      },
    };
    const { options, saved } = copyOf(source, target, { writer, parallel });
    const state: CopyState = { ...STATE, phase: 'users' };
    await expect(copyAllUsers(state, options, () => undefined)).rejects.toThrow('refused');
    expect(saved.at(-1)).toEqual({ ...state, reached: 2, users: expect.any(Number) });
    expect(target.users.size).toBe(parallel === 1 ? 2 : 6);
  });
});

describe('a copy of what changes', () => {
  function follow(source: Service, more: Partial<CopyOptions> = {}) {
    const target = inMemory([
      [1, 'old'],
      [2, 'old'],
    ]);
    const { options, ...copy } = copyOf(source, target, more);
    return { target, ...copy, ended: copyWhatChanges(STATE, options) };
  }

  test('goes on until nothing is left, and reads an erased user from the source', async () => {
    const source = inMemory([
      [3, 'erased'],
      [4, 'back'],
    ]);
    source.change('updated', person(1, 'new'));
    source.change('deleted', person(2, 'old'));
    source.change('created', person(3, 'x'), true);
    source.change('created', person(5, 'x'), true);
    source.change('deleted', person(4, 'x'));
    source.change('created', person(4, 'back'));
    const { target, saved, ended } = follow(source);
    expect(await ended).toEqual({ state: { ...STATE, after: '6' }, end: 'agreed' });
    expect([...target.users.values()].map(({ id, name }) => [id, name]).sort()).toEqual([
      [1, 'new'],
      [3, 'erased'],
      [4, 'back'],
    ]);
    expect(saved.map(({ after }) => after)).toEqual(['2', '4', '6']);
  });

  test('gives up after a minute with entries in the journal, and waits half a minute if their number is unknown', async () => {
    const source = inMemory();
    source.journal = 1;
    const busy = follow(source);
    expect((await busy.ended).end).toBe('busy');
    expect(busy.runtime.now()).toBe(61_000);
    source.journal = undefined;
    const unknown = follow(source);
    expect((await unknown.ended).end).toBe('agreed');
    expect(unknown.runtime.now()).toBe(31_000);
  });

  test('ends when changes are no longer kept', async () => {
    const source = inMemory();
    source.isGone = true;
    expect(await follow(source).ended).toEqual({ state: STATE, end: 'gone' });
  });

  test('goes on until the signal, and says once after each change that both agree', async () => {
    const source = inMemory();
    const stopped = new AbortController();
    let polls = 0;
    source.reader.size = async () => {
      polls++;
      if (polls === 5) source.change('created', person(9, 'late'));
      if (polls === 200) {
        source.change('created', person(10, 'last'));
        stopped.abort();
      }
      return { users: 0, journal: 0, tag: undefined };
    };
    const { target, said, ended } = follow(source, { isFollowing: true, signal: stopped.signal });
    expect(await ended).toMatchObject({ end: 'agreed', state: { after: '2' } });
    expect([...target.users.keys()]).toEqual([1, 2, 9, 10]);
    expect(said.map((sentence) => sentence.slice(0, 16))).toEqual(['Both agree since', 'Both agree since']);
  });

  test('that does not go on by itself fails at a signal, and the next run does the rest', async () => {
    await expect(follow(inMemory(), { signal: AbortSignal.abort() }).ended).rejects.toThrow('Stopped before the end');
  });
});

describe('a user of the target', () => {
  /** A service that has Ann, and responds to writes with these statuses, one after another. */
  async function writerFor(...statuses: number[]) {
    const requests: string[] = [];
    const url = await serveForTest((request, response) => {
      requests.push(`${request.method}${request.headers['if-none-match'] ?? ''}`);
      request.resume();
      const status = request.method === 'GET' ? 200 : (statuses.shift() ?? 418);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ id: 7, name: 'Ann', message: 'no' }));
    });
    const connection = await connect(url);
    const runtime = { ...fakeRuntime(), now: Date.now };
    const pace = createPace({ runtime, parallel: 1 });
    const ask = createRequests({ connection, pace, runtime, name: 'The target' });
    const writer = createWriter(connection.client, ask, runtime);
    return { writer, requests };
  }

  test.each([
    ['Ann', false, [201], ['PUT*']],
    ['Ann', true, [200], ['PUT']],
    ['Ann', false, [412], ['PUT*', 'GET']],
    ['Bob', false, [412, 200], ['PUT*', 'GET', 'PUT']],
    ['Bob', false, [412, 404, 201], ['PUT*', 'GET', 'PUT', 'PUT*']],
    ['Ann', true, [404, 201], ['PUT', 'PUT*']],
    ['Ann', false, [503, 429, 500, 201], ['PUT*', 'PUT*', 'PUT*', 'PUT*']],
  ])('is written as %s (there before: %s), whatever the responses: %j', async (name, wasThere, statuses, sent) => {
    const { writer, requests } = await writerFor(...statuses);
    await writer.put(7, { name }, wasThere);
    expect(requests).toEqual(sent);
  });

  test('who is refused ends the run with the reason', async () => {
    const refusing = await writerFor(400, 403);
    const sentence = 'User 7 cannot be copied. The target responded with 400: no';
    await expect(refusing.writer.put(7, { name: 'Ann' }, false)).rejects.toThrow(sentence);
    await expect(refusing.writer.remove(7)).rejects.toThrow('User 7 cannot be deleted. The target responded with 403');
  });

  test('with an id of the future, by the clock of the target, is written when it has come', async () => {
    const id = firstIdAt(Date.now() + 3_000);
    const { writer, requests } = await writerFor(400, 400, 201);
    await writer.put(id, { name: 'Ann' }, false);
    expect(requests).toEqual(['PUT*', 'PUT*', 'PUT*']);
    const late = await writerFor(...Array<number>(100).fill(400));
    await expect(late.writer.put(id, { name: 'Ann' }, false)).rejects.toThrow(`User ${id} cannot be copied`);
    expect(late.requests).toHaveLength(61);
  });

  test('whom others create and delete all the time ends the run', async () => {
    const { writer } = await writerFor(...Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? 412 : 404)));
    await expect(writer.put(7, { name: 'Bob' }, false)).rejects.toThrow('others create and delete it');
  });

  test.each([204, 404])('is removed when a DELETE is answered %i', async (status) => {
    const { writer, requests } = await writerFor(status);
    await writer.remove(7);
    expect(requests).toEqual(['DELETE']);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runBatch } from '../../lib/http/batch/batch.ts';
import { toUser } from '../../lib/users/database.ts';
import { findByExternalId } from '../../lib/users/unique.ts';
import { pickFields } from '../../lib/users/user.ts';
import type { BatchResult } from '../../schemas/batch.ts';
import { handlerCalls } from '../support/calls.ts';
import type { Call } from '../support/httpService.ts';
import { logOfEachTest } from '../support/logs.ts';
import { serviceOn, type TestService } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);

logOfEachTest();

type Fields = Record<string, unknown>;

/** An operation about one of some users: two have ids, two have external ids. */
interface Operation {
  op: string;
  who: number;
  user: Fields;
  patch: Fields;
  ifMatch: string | undefined;
}

/** Mostly valid. */
const mostly = (valid: readonly unknown[], ...wrong: readonly unknown[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...valid), weight: 6 }, fc.constantFrom(...wrong));

/** Names that objects of JavaScript have, too. One named `then` is no promise. */
const OWN: unknown[] = [
  Object.fromEntries([['then', 7]]),
  { constructor: 'a', length: ['x'] },
  { toString: true },
  {},
  null,
];

const attributes = mostly(OWN, { ' ': 1 }, { length: {} });
const user = fc.record(
  {
    name: mostly(['Ann', 'Bea'], ' ', null),
    age: mostly([30, 31, null], -1, '7'),
    email: mostly(['ann@example.com', 'bea@example.com'], 'x'),
    attributes,
  },
  { requiredKeys: ['name'] },
);
const patch = fc.record(
  { name: mostly(['Cem', 'Dan'], null), status: mostly(['on', null], 'x'.repeat(65)), attributes },
  { requiredKeys: [] },
);
const operation = (ops: string[], ...who: number[]): fc.Arbitrary<Operation> =>
  fc.record({
    op: fc.constantFrom(...ops),
    who: fc.constantFrom(...who),
    user,
    patch,
    ifMatch: fc.constantFrom(undefined, undefined, '*', '"1"', '"2", "3"', 'W/"1"', 'x', ''),
  });
const operations = fc.array(
  fc.oneof(
    operation(['create', 'create', 'replace', 'patch', 'patch', 'delete'], 0, 1),
    operation(['upsert', 'upsert', 'create'], 2, 3),
    operation(['create'], 4),
  ),
  { minLength: 1, maxLength: 14 },
);

/** The id of a user in a run. Operations that name a user in two ways are in no order. */
const idOf = (run: number, who: number): number => 600_000_000_000_000 + 10 * run + who;
const externalIdOf = (run: number, who: number): string => `${run}|${who}`;

function inBatch(run: number, { op, who, user, patch, ifMatch }: Operation): Fields {
  if (op === 'upsert') return { op, externalId: externalIdOf(run, who), user, ifMatch };
  if (op === 'create') {
    const named = who === 4 ? {} : { externalId: externalIdOf(run, who) };
    return who < 2 ? { op, id: idOf(run, who), user } : { op, user: { ...user, ...named } };
  }
  return { op, id: idOf(run, who), ifMatch, ...(op === 'replace' && { user }), ...(op === 'patch' && { patch }) };
}

const METHODS: Record<string, string> = {
  create: 'POST',
  upsert: 'PUT',
  replace: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** The answer of a single request, in the form of a result. */
async function alone(call: Call, given: Fields): Promise<object> {
  const { op, id, externalId, user, patch, ifMatch } = given as Record<string, string> & {
    user?: object;
    patch?: object;
  };
  const isNew = op === 'create' && id !== undefined;
  const query = externalId === undefined ? '' : `?externalId=${encodeURIComponent(externalId)}`;
  const json = user ?? patch;
  const answer = await call(isNew ? 'PUT' : (METHODS[op ?? ''] ?? ''), `/api/users${id ? `/${id}` : query}`, {
    ...(json && { json }),
    headers: {
      accept: 'application/problem+json, application/json',
      ...(isNew && { 'if-none-match': '*' }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
  });
  const { status } = answer;
  const body = answer.body as { id?: number; type: string; detail: string };
  if (status === 204) return { status, id };
  // Advice is in problem details alone.
  const message = body.detail?.replace(/: a (?:whole number|text) .* is wanted$/, '');
  if (status >= 400) return { status, code: body.type.replace('urn:problem:', ''), message };
  return { status, id: body.id, etag: answer.headers.get('etag'), user: body };
}

/** The version of a user with a given id begins with the moment. */
const withoutMoments = (text?: string) => text?.replace(/\d{12}/, 'moment');

/** Without ids that a service has given, and moments. */
const comparable = (result: object): unknown => {
  const { id, user, etag, message } = result as BatchResult;
  const { createdAt: _, updatedAt: __, ...fields } = user ?? {};
  return {
    ...result,
    ...{ etag: withoutMoments(etag), message: withoutMoments(message) },
    ...{ id: id && id < 700_000_000_000_000 ? id : 'given', user: user && { ...fields, id: 'given' } },
  };
};

test('a batch answers and writes what its operations do one by one', async () => {
  const services = [await serviceOn.embedded(), await serviceOn.embedded()] as const;
  const calls = [await handlerCalls(services[0]), await handlerCalls(services[1])] as const;
  const statuses = new Set<number>();
  let run = 0;
  const usersOf = async (service: TestService) => {
    const ids = await Promise.all([0, 1].map((who) => service.users.get(idOf(run, who)).catch(() => undefined)));
    const others = await Promise.all([2, 3].map((who) => findByExternalId(service, externalIdOf(run, who))));
    return [...ids, ...others].map((user) =>
      typeof user === 'object' ? comparable({ etag: `"${user.version}"`, user: pickFields(user) }) : user,
    );
  };
  await fc.assert(
    fc.asyncProperty(operations, async (chosen) => {
      run++;
      const all = chosen.map((each) => inBatch(run, each));
      const { body } = await calls[0]('POST', '/api/users/batch', { json: { operations: all } });
      const { results } = body as { results: BatchResult[] };
      const single: object[] = [];
      for (const each of all) single.push(await alone(calls[1], each));
      expect(results.map(comparable)).toEqual(single.map(comparable));
      expect(await usersOf(services[0])).toEqual(await usersOf(services[1]));
      for (const { status } of results) statuses.add(status);
    }),
    { numRuns: 30 * TIMES },
  );
  // The seven statuses come at random.
  expect(statuses.size).toBeGreaterThan(3);
});

test('a batch whose process dies creates nobody twice when it is sent again with its key', async () => {
  const all = Array.from({ length: 9 }, (_, n) => ({
    op: 'create',
    user: { name: `Ann ${n}`, ...(n % 2 === 0 && { externalId: `x${n}` }) },
  }));
  const deaths = fc.record({ after: fc.nat(14), isWritten: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(deaths, async ({ after, isWritten }) => {
      const service = serviceOn.memory();
      let calls = 0;
      const dying = service.processOf((_, execute) => {
        const dead = new Promise<never>(() => {});
        if (calls++ < after) return execute();
        return isWritten && calls === after + 1 ? execute().then(() => dead) : dead;
      });
      const sentTo = ({ users, runtime }: TestService) =>
        runBatch(all, { users, runtime, key: 'k', origin: {}, isStrict: false, requestId: 'request-1' });
      void sentTo(dying);
      await new Promise(setImmediate);
      const again = await sentTo(service);
      expect(await sentTo(service)).toEqual(again.map((result) => ({ ...result, status: 200 })));
      const users = service.store.itemsOf('users').map(toUser);
      expect(users.map(({ id, name }) => [id, name]).toSorted()).toEqual(
        again.map(({ id, user }) => [id, user?.name]).toSorted(),
      );
      expect(users).toHaveLength(all.length);
    }),
    { numRuns: 40 * TIMES },
  );
});

import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { replicaFrom } from '../../../lib/columns/index.ts';
import { deleteItems, putItems } from '../../../lib/dynamodb/index.ts';
import { fault, timeLeft, unavailable, withDeadline } from '../../../lib/ground/index.ts';
import { entryKey, packKeys } from '../../../lib/replica/entry.ts';
import { changeHead } from '../../../lib/replica/headChanges.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { createReplica } from '../../../lib/replica/replica.ts';
import { readRecent } from '../../../lib/replica/state.ts';
import { writeBase } from '../../../lib/replica/storedBase.ts';
import { COLUMNS } from '../../../lib/users/columns.ts';
import { createUserListing } from '../../../lib/users/lists.ts';
import { named } from '../../support/fake/steps.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { askAfter, askNames, askPage } from '../../support/questions.ts';
import { type MemoryService, serviceOn, type TestService } from '../../support/service.ts';

const log = logOfEachTest();

type Options = Parameters<typeof serviceOn.memory>[0];

/** A stage with a base of the users a and b. */
async function stage(options: Options = {}) {
  const service = serviceOn.memory(options);
  await service.users.createMany(named('a', 'b'));
  await service.fold();
  return service;
}

/** The target of a call: partitions of the Directory table, or the index or table. */
function readOf(input: unknown): string {
  const { ExpressionAttributeValues, RequestItems, IndexName, TableName, Limit } = input as Record<string, string> & {
    ExpressionAttributeValues?: Record<string, string>;
    RequestItems?: Record<string, { Keys?: { pk: string }[] }>;
  };
  const keys = Object.values(RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys.map(({ pk }) => pk));
  const read = ExpressionAttributeValues?.[':partition'] ?? TableName ?? keys.join();
  return IndexName ?? (Limit ? `head of ${read}` : read);
}

/** Another container, and what it has read since the last look. Before each of its calls something may happen. */
function container({ processOf }: MemoryService, before: (read: string) => unknown = () => {}) {
  let reads: string[] = [];
  const { listing } = processOf(async ({ input }, execute) => {
    reads.push(readOf(input));
    await before(readOf(input));
    return execute();
  });
  const read = () => {
    const seen = reads;
    reads = [];
    return seen;
  };
  return { listing, read, total: async () => (await askNames(listing)).total };
}

/** For how long a container waits for its users. */
const START_MS = 7_000;

describe('a container', () => {
  test('loads a base once for requests that overlap, though deltas are throttled, and a journal comes late', async () => {
    const service = await stage();
    await service.users.createMany(named('c'));
    await service.fold();
    const [deltas, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const seen: string[] = [];
    const { total, read } = container(service, (each) => {
      seen.push(each);
      const place = `${each} ${seen.filter((other) => other === each).length}`;
      if (place === 'deltas 1') throw unavailable('Throttled');
      if (place === 'deltas 2') deltas.resolve();
      if (place === 'base:0 1') return deltas.promise;
      if (place === 'journal 3') return answer.promise;
    });
    const [first, second, third] = [total(), total(), total()];
    await expect(first).rejects.toMatchObject({ status: 503 });
    expect(await second).toBe(3);
    answer.resolve();
    expect(await third).toBe(3);
    expect(read().filter((each) => each !== 'journal')).toEqual(['base:0', 'deltas', 'deltas']);
  });

  describe('while it starts', () => {
    /** A stage with a base of two users and a delta of a third, and a container that waits for its users until `giveUp`. */
    async function starting(before?: (read: string) => unknown) {
      const time = Promise.withResolvers<void>();
      const sleep = async (milliseconds: number) => milliseconds === START_MS && time.promise;
      const service = await stage({ limits: { mergeLeast: 3 }, clock: { sleep } });
      await service.users.createMany(named('c'));
      await service.fold();
      return { service, ...container(service, before), giveUp: time.resolve };
    }

    test('reads all users, with as much time as a request has: its first request reads the journal', async () => {
      const left: number[] = [];
      const { service, listing, total, read } = await starting(() => left.push(timeLeft(service.runtime)));
      await listing.load(START_MS);
      expect([read(), left[0]]).toEqual([['journal', 'base:0', 'deltas'], 28_000]);
      expect([await total(), read()]).toEqual([3, ['journal']]);
    });

    test('has them for a request that comes long after it, though they are merged and swept', async () => {
      const { service, listing, total, read } = await starting();
      await listing.load(START_MS);
      await service.users.createMany(named('d', 'e', 'f'));
      await service.fold();
      service.pass(3_600_000);
      await service.fold();
      read();
      expect([await total(), read()]).toEqual([6, ['journal', 'deltas', 'base:0']]);
    });

    test('tells nobody of a failure: its first request reads them', async () => {
      let failures = 1;
      const { listing, total, read } = await starting((each) => {
        if (each === 'base:0' && failures-- > 0) throw fault('Access was denied');
      });
      await listing.load(START_MS);
      expect(read()).toEqual(['journal', 'base:0', 'deltas']);
      expect([await total(), read()]).toEqual([3, ['journal', 'base:0', 'deltas']]);
    });

    test('waits for a time only: its first request waits for the base that is being read', async () => {
      const answer = Promise.withResolvers<void>();
      const { listing, total, read, giveUp } = await starting((each) => each === 'base:0' && answer.promise);
      const begun = listing.load(START_MS);
      await setImmediate();
      giveUp();
      await begun;
      expect(read()).toEqual(['journal', 'base:0', 'deltas']);
      const first = total();
      answer.resolve();
      expect([await first, read()]).toEqual([3, ['journal', 'journal']]);
    });

    test('is frozen amid that for hours, and answers all the same when what it has read is long gone', async () => {
      const answer = Promise.withResolvers<void>();
      let isFirst = true;
      const { service, listing, total, giveUp } = await starting((each) => {
        if (each !== 'base:0' || !isFirst) return;
        isFirst = false;
        return answer.promise;
      });
      const begun = listing.load(START_MS);
      await setImmediate();
      giveUp();
      await begun;
      await service.users.createMany(named('d', 'e', 'f'));
      await service.fold();
      service.pass(3_600_000);
      await service.fold();
      const first = total();
      answer.resolve();
      expect(await first).toBe(6);
    });
  });

  test('goes on loading when the request that began it is out of time: others wait for it', async () => {
    let isThrottled = true;
    const { total } = container(await stage(), (read) => {
      if (read !== 'base:0' || !isThrottled) return;
      isThrottled = false;
      throw unavailable('Throttled');
    });
    expect(await Promise.allSettled([withDeadline(1_790_000_000_050, total), total()])).toMatchObject([
      { reason: { message: 'The request ran out of time' } },
      { value: 2 },
    ]);
  });

  test('applies the deltas that it lacks, and takes the base when they are gone', async () => {
    const service = await stage({ limits: { mergeLeast: 3 } });
    const { users, fold, pass } = service;
    const { total, read } = container(service);
    await total();
    await users.createMany(named('c'));
    await fold();
    read();
    expect(await total()).toBe(3);
    expect(read()).toEqual(['journal', 'deltas']);
    await users.createMany(named('d', 'e'));
    await fold();
    pass(600_000);
    await fold();
    await users.createMany(named('f'));
    expect(await total()).toBe(6);
    expect(read()).toEqual(['journal', 'deltas', 'base:0']);
  });

  test('merges beside its requests, but not in its first answer', async () => {
    const service = await stage();
    await service.users.createMany(named('c', 'd', 'e'));
    const database = { ...service.database, limits: { ...service.database.limits, mergeLeast: 2, mergeSteps: 1_000 } };
    const users = createReplica(database);
    const changedNow = async () => (await users.now()).replica.changed;
    expect([await changedNow(), await changedNow()]).toEqual([3, 0]);
  });

  test('keeps what a merge has made when a request that overlapped it ends later', async () => {
    const service = await stage();
    const limits = { ...service.database.limits, mergeLeast: 2, mergeSteps: 50 };
    const users = createReplica({ ...service.database, limits });
    const { base } = (await users.now()).replica;
    await service.users.createMany(named('c', 'd', 'e'));
    const overlapping = await Promise.all(Array.from({ length: 3 }, () => users.now()));
    const bases = overlapping.map(({ replica }) => replica.base);
    expect(bases.map((each) => each === base)).toEqual([true, false, true]);
    expect((await users.now()).replica.base).toBe(bases[1]);
  });

  test('whose reading of the journal takes more than a second reads the head again, and begins again if it has moved: entries may be missing', async () => {
    const service = await stage();
    let milliseconds = 1_000;
    const { total, read } = container(service, async (each) => {
      if (each === 'journal') return service.pass(milliseconds);
      if (each === 'head of journal') await service.fold();
    });
    await total();
    expect(read()).toEqual(['journal', 'base:0']);
    milliseconds = 1_001;
    await service.users.createMany(named('c'));
    expect(await total()).toBe(3);
    expect(read()).toEqual(['journal', 'head of journal', 'journal', 'head of journal', 'deltas']);
  });

  test('gives up after `readings` readings, because what is stored moved', async () => {
    const service = await stage({ limits: { readings: 3 } });
    let epoch = 0;
    const { total, read } = container(service, async (each) => {
      if (each !== 'head of journal') return void service.pass(1_001);
      await service.users.createMany(named(`${epoch++}`));
      await service.fold();
    });
    await expect(total()).rejects.toMatchObject({
      status: 503,
      message: 'The stored rows changed 3 times while they were read',
    });
    expect(read()).toHaveLength(6);
  });
});

describe('a stage without a head', () => {
  test.each([
    ['is new', async (service: MemoryService) => void (await service.users.createMany(named('a', 'b')))],
    [
      'has lost it, though containers have its users,',
      async ({ users, fold, listing, store }: MemoryService) => {
        await users.createMany(named('a', 'b'));
        await fold();
        await askNames(listing);
        store.lose('directory', ({ sk }) => sk === '#head');
      },
    ],
  ])('because it %s answers lists 503 until the fold has read its users, and they write nothing', async (_, begin) => {
    const service = serviceOn.memory();
    await begin(service);
    const stored = service.store.itemsOf('directory');
    const { listing, read } = container(service);
    await listing.load(START_MS);
    for (const each of [listing, service.listing])
      for (const ask of [askNames(each), askAfter(each, {}, 0, 20)])
        await expect(ask).rejects.toMatchObject({
          ...{ status: 503, headers: { 'retry-after': '1' } },
          message: 'The rows of this stage have not been read for lists yet: the fold does it within minutes',
        });
    expect(service.store.itemsOf('directory')).toEqual(stored);
    expect(read()).not.toContain('users');
    await service.fold();
    for (const each of [listing, service.listing]) expect(await askNames(each)).toMatchObject({ total: 2 });
  });
});

const DOES_NOT_HOLD = 'The stored base, or a delta, does not hold: the fold makes another base within minutes';

describe('a base that does not hold', () => {
  const partOf = ({ store }: MemoryService) => store.itemsOf('directory').findLast(({ pk }) => pk === 'base:0') ?? {};
  const breakBase = (service: MemoryService) =>
    service.store.tables.directory?.put({ ...partOf(service), data: Buffer.from('broken') });
  const loseBase = (service: MemoryService) => service.store.tables.directory?.delete(partOf(service));
  /** Weak reads of tests do not see what is put in place directly. */
  const lag = 10 ** 12;

  test.each([
    ['is broken', breakBase, 1],
    ['has lost a part', loseBase, 0],
  ])('because it %s is 503: one request asks the fold, which reads all users anew', async (_, damage, told) => {
    const service = serviceOn.memory();
    await service.users.createMany(named('a', 'b'));
    service.setLag(lag);
    await service.fold();
    damage(service);
    service.pass(1);
    const { total, read } = container(service);
    await expect(total()).rejects.toMatchObject({ status: 503, message: DOES_NOT_HOLD });
    const asked = { repairAsked: service.runtime.now() };
    service.pass(1);
    await expect(total()).rejects.toMatchObject({ status: 503, message: DOES_NOT_HOLD });
    expect(await readHead(service.database)).toMatchObject(asked);
    expect(read()).not.toContain('users');
    await service.fold();
    expect(await total()).toBe(2);
    expect(log.faults.map(({ message }) => message)).toEqual(
      Array(told).fill(expect.stringMatching(/^The base \S+ cannot be applied/)),
    );
  });

  test.each([
    ['a list', [], ({ listing }: TestService) => expect(askNames(listing)).rejects.toMatchObject({ status: 503 })],
    ['the fold', [DOES_NOT_HOLD], ({ fold }: TestService) => fold()],
  ])('is replaced by the next fold when %s unpacks a column for a change and finds it', async (_, told, meet) => {
    const service = serviceOn.memory({ limits: { mergeLeast: 1 } });
    const { database, users, runtime } = service;
    await users.createMany(named('a', 'b'));
    await service.fold();
    const { epoch = 0 } = (await readHead(database)) ?? {};
    // Ids are stored as whole steps from one to the next: of half a step nothing is left.
    const twice = replicaFrom(COLUMNS, [{ id: 7 }, { id: 7.5 }]);
    const base = await writeBase(database, twice, epoch, runtime.now());
    await changeHead(database, { set: { base }, condition: 'attribute_exists(#format)' });
    await users.createMany(named('c'));
    service.pass(1);
    await meet(service.processOf((_, execute) => execute()));
    await service.fold();
    expect(await container(service).total()).toBe(3);
    expect(log.faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The base \S+ cannot be applied/),
      ...told,
    ]);
  });
});

describe('a delta that does not hold', () => {
  /** A stage whose delta has one other bit, and what was told of it. */
  async function damaged(options: Options) {
    const service = await stage({ ...options, limits: { mergeLeast: 4 } });
    await service.users.createMany(named('c'));
    await service.fold();
    const delta = service.store.itemsOf('directory').find(({ pk }) => pk === 'deltas') ?? {};
    const data = Buffer.from(delta.data as Uint8Array);
    data[data.length - 9] = (data.at(-9) ?? 0) ^ 1;
    await putItems(service.database, 'directory', [{ ...delta, data }]);
    service.pass(1);
    return service;
  }

  test('is 503, and told: one request asks the fold, which reads all users anew', async () => {
    const service = await damaged({});
    const { total, read } = container(service);
    for (let time = 0; time < 2; time++)
      await expect(total()).rejects.toMatchObject({
        ...{ status: 503, headers: { 'retry-after': '1' }, message: DOES_NOT_HOLD },
      });
    expect(read()).not.toContain('users');
    expect(await readHead(service.database)).toMatchObject({ repairAsked: service.runtime.now() });
    await service.fold();
    expect(await total()).toBe(3);
    expect(log.faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The delta \d{20} in deltas cannot be applied/),
    ]);
  });

  test('is met by the fold that merges, which reads all users anew', async () => {
    const service = await damaged({});
    await service.users.createMany(named('d', 'e', 'f'));
    // The merge that fails leaves the delta for a repair, which the next call makes.
    for (let call = 0; call < 2; call++) await service.processOf((_, execute) => execute()).fold();
    expect(await container(service).total()).toBe(6);
  });

  test('stops no container that has its users already', async () => {
    const service = await stage();
    const { total } = container(service);
    await service.users.createMany(named('c'));
    await service.fold();
    expect(await total()).toBe(3);
    const delta = service.store.itemsOf('directory').find(({ pk }) => pk === 'deltas') ?? {};
    await putItems(service.database, 'directory', [{ ...delta, data: Buffer.from('broken') }]);
    expect(await total()).toBe(3);
  });

  test('because the keys of its batch are others is replaced, too', async () => {
    const service = await stage();
    const { epoch = 0 } = (await readHead(service.database)) ?? {};
    const batch = packKeys([entryKey({ id: 5, version: 1 })]);
    await changeHead(service.database, { set: { epoch: epoch + 1, batch }, condition: 'attribute_exists(#format)' });
    service.pass(30_000);
    const { total } = container(service);
    await expect(total()).rejects.toMatchObject({ status: 503, message: DOES_NOT_HOLD });
    await service.users.createMany(named('c'));
    await service.fold();
    expect(await total()).toBe(3);
  });

  test('because it is lost is replaced, too, and no base is read again and again', async () => {
    const service = await damaged({});
    const { pk, sk } = service.store.itemsOf('directory').find(({ pk }) => pk === 'deltas') ?? {};
    await deleteItems(service.database, 'directory', [{ pk, sk }]);
    const { total, read } = container(service);
    await expect(total()).rejects.toMatchObject({ status: 503, message: DOES_NOT_HOLD });
    expect(read().filter((each) => each === 'base:0')).toEqual(['base:0']);
    await service.fold();
    expect(await total()).toBe(3);
  });
});

test('a base that does not fit into the memory is a 503 that says what to do; cursor, reads and writes go on', async () => {
  const service = await stage();
  const { database, users, runtime } = service;
  const small = { ...database, limits: { ...database.limits, baseBytes: 10 } };
  const listing = createUserListing(small);
  for (let time = 0; time < 2; time++)
    await expect(askPage(listing, {})).rejects.toMatchObject({
      status: 503,
      message: 'The rows do not fit into the memory of functions that list: raise listMemory (docs/runbook.md#size)',
    });
  const { id } = await users.create({ name: 'Cem' });
  expect(await users.get(id)).toMatchObject({ name: 'Cem' });
  expect((await askAfter(listing, {}, 0, 20)).users).toHaveLength(3);
  const { written } = await readRecent(small);
  expect([...written()]).toEqual([[id, { id, name: 'Cem', updatedAt: 1_790_000_000_000 }]]);
  expect(runtime.now()).toBe(1_790_000_000_000);
});

test('a computation that outlasts its request ends with 503', async () => {
  const { listing, runtime } = await stage();
  await askNames(listing);
  await expect(withDeadline(runtime.now(), () => askNames(listing))).rejects.toMatchObject({ status: 503 });
});

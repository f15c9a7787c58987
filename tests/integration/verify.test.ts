import { setTimeout } from 'node:timers/promises';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { type Runtime, systemRuntime } from '../../lib/runtime.ts';
import type { User, UserFields } from '../../lib/users/user.ts';
import { createVerifier, isAllRight } from '../../lib/users/verification/verifier.ts';
import { injectFaults } from '../support/faults.ts';
import { counted, everything, recount } from '../support/recount.ts';
import { createTestService, type TestService } from '../support/store.ts';

const instantly = { sleep: async () => {} };

const verify = (service: TestService, repair: boolean, runtime: Partial<Runtime> = instantly) =>
  createVerifier({ ...service, runtime: { ...systemRuntime, ...runtime } }).verify({ repair });

const sorted = (items: Record<string, unknown>[]) =>
  items.toSorted((a, b) => (JSON.stringify([a.pk, a.sk, a.id]) < JSON.stringify([b.pk, b.sk, b.id]) ? -1 : 1));

async function snapshot(service: TestService) {
  const { users, directory } = await everything(service);
  return { users: sorted(users), directory: sorted(directory) };
}

/** That the statistics are what counting the users gives. */
async function expectRecount(service: TestService): Promise<void> {
  const rows = Object.entries(await counted(service));
  const statistics = rows.filter(([key]) => !key.startsWith('["idempotency"'));
  expect(Object.fromEntries(statistics)).toEqual(await recount(service));
}

const LONG = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh';

/** Ten users: 4 count rows, 3 + 2 rows of last names, one long one. */
async function createSample(): Promise<TestService & { all: User[] }> {
  const service = await createTestService();
  const ann = { name: 'Ann', lastName: 'Lee', status: 'active', country: 'DE', age: 34 };
  const all = await service.users.createMany([
    ann,
    { ...ann, name: 'Юлия' },
    { ...ann, age: 71 },
    { ...ann, status: 'locked' },
    { name: 'Bo', lastName: 'Ço', country: 'FR' },
    { name: 'Cy', lastName: LONG, country: 'FR' },
    { name: 'Di' },
    { name: 'Di', lastName: '' },
    { name: 'Ed', firstName: 'Ed' },
  ]);
  all.push(await service.users.createOnce({ key: 'k', fields: { name: 'Flo', lastName: 'Ço', country: 'FR' } }));
  return { ...service, all };
}

type Sample = Awaited<ReturnType<typeof createSample>>;

interface Key {
  pk: string;
  sk: string;
}

const change =
  (Key: Key, UpdateExpression: string, names: Record<string, string>, values?: Record<string, unknown>) =>
  ({ dynamo, tables }: TestService) =>
    dynamo.send(
      new UpdateCommand({
        TableName: tables.directory,
        Key,
        UpdateExpression,
        ExpressionAttributeNames: names,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );

const set = (key: Key, attribute: string, value: unknown) =>
  change(key, 'SET #a = :v', { '#a': attribute }, { ':v': value });

const drop = (key: Key, attribute: string) => change(key, 'REMOVE #a', { '#a': attribute });

const put =
  (Item: Record<string, unknown>) =>
  ({ dynamo, tables }: TestService) =>
    dynamo.send(new PutCommand({ TableName: tables.directory, Item }));

const remove =
  (...keys: Key[]) =>
  ({ dynamo, tables }: TestService) =>
    Promise.all(keys.map((Key) => dynamo.send(new DeleteCommand({ TableName: tables.directory, Key }))));

type Item = Record<string, unknown>;

/** Changes a user's item, and nothing else. */
const editUser =
  (index: number, edit: (item: Item) => Item) =>
  async ({ dynamo, tables, all }: Sample): Promise<void> => {
    const { Item = {} } = await dynamo.send(
      new GetCommand({ TableName: tables.users, Key: { id: all[index]?.id }, ConsistentRead: true }),
    );
    await dynamo.send(new PutCommand({ TableName: tables.users, Item: edit(Item) }));
  };

const COUNT = { pk: 'count', sk: 'active\0DE\x000' };
const LEE = { pk: 'suffix:l', sk: 'lee\0lee' };
const EE = { pk: 'suffix:e', sk: 'ee\0lee' };
const E = { pk: 'suffix:e', sk: 'e\0lee' };
const LONG_ROW = { pk: 'long', sk: LONG.toLowerCase() };

type Damage = (sample: Sample) => Promise<unknown>;

const damages: [title: string, damage: Damage, faults: Record<string, number>][] = [
  ['a count too high', set(COUNT, 'n', 5), { 'count row: wrong count': 1 }],
  ['a count too low', set(COUNT, 'n', 2), { 'count row: wrong count': 1 }],
  ['a count below zero', set(COUNT, 'n', -1), { 'count row: wrong count': 1 }],
  ['a count that is none', set(COUNT, 'n', '3'), { 'count row: wrong count': 1 }],
  ['no count', drop(COUNT, 'n'), { 'count row: wrong count': 1 }],
  ['a missing count row', remove(COUNT), { 'count row: missing': 1 }],
  ['a superfluous count row', put({ pk: 'count', sk: 'old\0DE\x003', n: 2 }), { 'count row: superfluous': 1 }],
  ['a zero left in a count row', put({ pk: 'count', sk: 'active\0DE\x009', n: 0 }), { 'count row: superfluous': 1 }],
  [
    'a count row of zones alone',
    put({ pk: 'count', sk: 'active\0IT\x000', age: new Set([1]) }),
    { 'count row: superfluous': 1 },
  ],
  ['a count row of no cell', put({ pk: 'count', sk: 'active', n: 1 }), { 'count row: superfluous': 1 }],
  ['an attribute that a count row has not', set(COUNT, 'active\0DE', 3), { 'count row: wrong count': 1 }],
  [
    'a missing zone',
    change(COUNT, 'DELETE #a :v', { '#a': 'name' }, { ':v': new Set([5]) }),
    { 'count row: missing zone': 1 },
  ],
  ['no zones of a field', drop(COUNT, 'age'), { 'count row: missing zone': 1 }],
  ['zones that are none', set(COUNT, 'age', new Set(['3'])), { 'count row: wrong count': 1 }],
  ['a last name counted too high', set(EE, 'n', 9), { 'last-name row: wrong count': 1 }],
  ['a wrong count of a cell', set(EE, 'active\0DE', 1), { 'last-name row: wrong count': 1 }],
  ['a count of a cell that is missing', drop(EE, 'locked\0DE'), { 'last-name row: wrong count': 1 }],
  ['a zero left of a cell', set(EE, 'old\0DE', 0), { 'last-name row: wrong count': 1 }],
  ['a superfluous count of a cell', set(LONG_ROW, 'old\0DE', 4), { 'last-name row: wrong count': 1 }],
  ['a missing row of a last name', remove(EE), { 'last-name row: missing': 1 }],
  ['all rows of a last name missing', remove(LEE, EE, E), { 'last-name row: missing': 3 }],
  ['a missing long name', remove(LONG_ROW), { 'last-name row: missing': 1 }],
  ['a row of a name that nobody has', put({ pk: 'long', sk: 'x', n: 1 }), { 'last-name row: superfluous': 1 }],
  ['a row in another partition', put({ ...EE, pk: 'suffix:x', n: 4 }), { 'last-name row: superfluous': 1 }],
  ['a row without a name', put({ pk: 'suffix:e', sk: 'ee', n: 4 }), { 'last-name row: superfluous': 1 }],
  [
    'everything at once',
    (sample) => Promise.all([set(COUNT, 'n', 7)(sample), remove(LEE, E)(sample), set(EE, 'n', 2)(sample)]),
    { 'count row: wrong count': 1, 'last-name row: missing': 2, 'last-name row: wrong count': 1 },
  ],
];

const userDamages: [title: string, damage: Damage, faults: Record<string, number>][] = [
  ['a wrong index key', editUser(0, (item) => ({ ...item, lastNameKey: 'x' })), { 'user with wrong keys': 1 }],
  [
    'a user in the index partition of another cell',
    editUser(0, (item) => ({ ...item, statusCountryKey: 'x\0y' })),
    { 'user with wrong keys': 1 },
  ],
  ['a missing index key', editUser(0, ({ ageKey: _, kind: __, ...item }) => item), { 'user with wrong keys': 1 }],
  ['a user without a shard', editUser(0, ({ shard: _, ...item }) => item), { 'user with wrong keys': 1 }],
  [
    'a user that no index has, and rows that do not count it',
    async (sample) => {
      await editUser(0, ({ lastNameKey: _, statusCountryKey: __, ...item }) => item)(sample);
      await set(COUNT, 'n', 2)(sample);
      await set(E, 'active\0DE', 2)(sample);
    },
    { 'user with wrong keys': 1, 'count row: wrong count': 1, 'last-name row: wrong count': 1 },
  ],
];

const outcomes = (faults: Record<string, number>, isRepaired: boolean) =>
  Object.fromEntries(
    Object.entries(faults).map(([fault, found]) => [fault, { found, repaired: isRepaired ? found : 0 }]),
  );

/** Draws the same numbers in every run: a linear congruential generator. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const NAMES = ['Lee', 'LEE', 'Ley', 'Øst', LONG, 'Ço', undefined];
const STATUSES = ['active', 'locked', undefined];

function randomFields(random: (below: number) => number): UserFields {
  const [lastName, status] = [NAMES[random(NAMES.length)], STATUSES[random(STATUSES.length)]];
  return {
    name: ['Ann', 'Юлия', '李'][random(3)] ?? '',
    ...(lastName !== undefined && { lastName }),
    ...(status !== undefined && { status }),
    ...(random(2) === 0 && { country: 'DE' }),
    ...(random(2) === 0 && { age: random(100) }),
  };
}

/** Creates, changes and deletes users of its own, with pauses as a service has between requests. */
async function write(service: TestService, seed: number, writes: number, pauseMs = 0): Promise<void> {
  const random = createRandom(seed);
  const ids: number[] = [];
  for (let n = 0; n < writes; n++) {
    const id = ids[random(ids.length)];
    if (id === undefined || random(3) === 0) ids.push((await service.users.create(randomFields(random))).id);
    else if (random(2) === 0) await service.users.update(id, () => randomFields(random));
    else ids.splice(ids.indexOf(id), 1, ...(await service.users.delete(id).then(() => [])));
    if (pauseMs > 0) await setTimeout(random(2 * pauseMs));
  }
}

/** Runs something before each call of a command that the verifier makes. */
function beforeCalls(
  { dynamo }: TestService,
  command: string,
  run: (call: number, input: object) => Promise<unknown>,
): void {
  let calls = 0;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === command) await run(++calls, args.input);
        return next(args);
      },
    { step: 'initialize', name: `before${command}` },
  );
}

const isOf = (input: object, table: string) => JSON.stringify(input).includes(table);

/** Between the scan of the users and that of the rows, all of whose parallel parts wait for it. */
function beforeRowsAreScanned(verifier: TestService, run: () => Promise<unknown>): void {
  let done: Promise<unknown> | undefined;
  beforeCalls(verifier, 'ScanCommand', async (_call, input) => {
    if (!isOf(input, verifier.tables.directory)) return;
    done ??= run();
    await done;
  });
}

describe('a verification', () => {
  test('finds right what some hundred writes have left', async () => {
    const service = await createTestService();
    await Promise.all([write(service, 1, 150), write(service, 2, 150), write(service, 3, 150)]);
    const { users, directory } = await snapshot(service);
    const report = await verify(service, false);
    expect(report).toEqual({ users: users.length, rows: directory.length, faults: {}, unsettled: 0 });
    expect(isAllRight(report)).toBe(true);
    expect(await snapshot(service)).toEqual({ users, directory });
  });

  test('finds nothing wrong in empty tables', async () => {
    const service = await createTestService();
    expect(await verify(service, true)).toEqual({ users: 0, rows: 0, faults: {}, unsettled: 0 });
  });

  test.each(damages)(
    'finds %s, and changes nothing; with repair everything is as it was',
    async (_, damage, faults) => {
      const sample = await createSample();
      const right = await snapshot(sample);
      await damage(sample);
      const damaged = await snapshot(sample);
      expect(damaged).not.toEqual(right);

      const found = await verify(sample, false);
      expect(found).toMatchObject({ users: 10, faults: outcomes(faults, false), unsettled: 0 });
      expect(isAllRight(found)).toBe(false);
      expect(await snapshot(sample)).toEqual(damaged);

      const repaired = await verify(sample, true);
      expect(repaired.faults).toEqual(outcomes(faults, true));
      expect(isAllRight(repaired)).toBe(true);
      expect(await snapshot(sample)).toEqual(right);
      await expectRecount(sample);
      expect((await verify(sample, true)).faults).toEqual({});
    },
  );

  test.each(userDamages)('finds %s; with repair it is written again, once', async (_, damage, faults) => {
    const sample = await createSample();
    const right = await snapshot(sample);
    await damage(sample);
    const damaged = await snapshot(sample);

    expect((await verify(sample, false)).faults).toEqual(outcomes(faults, false));
    expect(await snapshot(sample)).toEqual(damaged);

    expect((await verify(sample, true)).faults).toEqual(outcomes(faults, true));
    const [first, ...others] = right.users;
    expect(await snapshot(sample)).toEqual({ ...right, users: [{ ...first, version: 2 }, ...others] });
    expect((await verify(sample, true)).faults).toEqual({});
  });

  test('leaves a user without a version alone, and says so', async () => {
    const sample = await createSample();
    await editUser(0, ({ version: _, ageKey: __, ...item }) => item)(sample);
    const report = await verify(sample, true);
    expect(report.faults).toEqual({ 'user with wrong keys': { found: 1, repaired: 0 } });
    expect(isAllRight(report)).toBe(false);
  });

  test('follows a change of the rules by which last names are folded', async () => {
    const sample = await createSample();
    const right = await snapshot(sample);
    // As if folding had left case alone.
    await editUser(4, (item) => ({ ...item, lastNameKey: `Ço\0${String(item.id).padStart(16, '0')}` }))(sample);
    const cell = '\u{10FFFF}\u0002\0FR';
    await put({ pk: 'suffix:Ç', sk: 'Ço\0Ço', n: 1, [cell]: 1 })(sample);
    await put({ pk: 'suffix:o', sk: 'o\0Ço', n: 1, [cell]: 1 })(sample);
    for (const [pk, sk] of [
      ['suffix:ç', 'ço\0ço'],
      ['suffix:o', 'o\0ço'],
    ] as const) {
      await put({ pk, sk, n: 1, [cell]: 1 })(sample);
    }
    expect((await verify(sample, true)).faults).toEqual({
      'user with wrong keys': { found: 1, repaired: 1 },
      'last-name row: superfluous': { found: 2, repaired: 2 },
      'last-name row: wrong count': { found: 2, repaired: 2 },
    });
    expect((await snapshot(sample)).directory).toEqual(right.directory);
  });

  test('corrects a row with more wrong counts than one expression has room for', async () => {
    const service = await createTestService();
    const fields = Array.from({ length: 120 }, (_, n) => ({ name: 'Ann', lastName: 'B', status: `s${n}` }));
    await service.users.createMany(fields);
    const right = await snapshot(service);
    const row = right.directory.find(({ pk }) => pk === 'suffix:b') ?? {};
    const wrong = Object.entries(row).map(([attribute, n]) => [attribute, typeof n === 'number' ? n + 7 : n]);
    await put(Object.fromEntries(wrong))(service);
    expect(isAllRight(await verify(service, true))).toBe(true);
    expect(await snapshot(service)).toEqual(right);
  });
});

describe('a verification while others write', () => {
  /** Rounds are 20 times as quick as in earnest. */
  const quickly = { sleep: (ms: number) => setTimeout(ms / 20) };

  test('finds nothing wrong where nothing is', async () => {
    const service = await createTestService();
    await Promise.all([1, 2, 3].map((seed) => write(service, seed, 60)));
    const writers = Promise.all([4, 5, 6, 7, 8].map((seed) => write(service, seed, 60, 20)));
    const report = await verify(service, true, quickly);
    await writers;
    expect({ faults: report.faults, unsettled: report.unsettled }).toEqual({ faults: {}, unsettled: 0 });
    await expectRecount(service);
  });

  test('repairs rows that five writers write to, to what a recount gives', async () => {
    const service = await createTestService();
    await Promise.all([1, 2, 3].map((seed) => write(service, seed, 60)));
    const { directory } = await snapshot(service);
    const random = createRandom(9);
    for (const { pk, sk, n } of directory) {
      const key = { pk: String(pk), sk: String(sk) };
      const kind = random(6);
      if (kind === 0) await set(key, 'n', Number(n) + 1 + random(3))(service);
      if (kind === 1) await set(key, 'old\0DE', random(2))(service);
      if (kind === 2) await remove(key)(service);
    }
    expect(isAllRight(await verify(service, false))).toBe(false);

    const writers = Promise.all([4, 5, 6, 7, 8].map((seed) => write(service, seed, 60, 20)));
    const report = await verify(service, true, quickly);
    await writers;
    expect({ isAllRight: isAllRight(report), unsettled: report.unsettled }).toEqual({ isAllRight: true, unsettled: 0 });
    await expectRecount(service);
    expect((await verify(service, false)).faults).toEqual({});
  });

  test('tries again when somebody has written just before the correction', async () => {
    const sample = await createSample();
    await set(COUNT, 'n', 9)(sample);
    const verifier = await createTestService({}, sample.tables);
    const found: unknown[] = [];
    beforeCalls(verifier, 'TransactWriteItemsCommand', async (call) => {
      const { directory } = await everything(sample);
      found.push(directory.find(({ sk }) => sk === COUNT.sk)?.n);
      if (call < 3) await sample.users.create({ name: 'Ann', status: 'active', country: 'DE' });
    });
    const { faults, unsettled } = await verify(verifier, true);
    expect({ faults, unsettled, found }).toEqual({
      faults: { 'count row: wrong count': { found: 1, repaired: 1 } },
      unsettled: 0,
      found: [9, 10, 11],
    });
    await expectRecount(sample);
  });

  test('looks again at a row that was missing: a user that left meanwhile has left no trace there', async () => {
    const sample = await createSample();
    await remove(COUNT)(sample);
    const verifier = await createTestService({}, sample.tables);
    beforeCalls(verifier, 'TransactWriteItemsCommand', async (call) => {
      if (call === 1) await sample.users.delete(sample.all[0]?.id ?? 0);
    });
    expect((await verify(verifier, true)).faults).toEqual({ 'count row: missing': { found: 1, repaired: 1 } });
    await expectRecount(sample);
  });

  test.each(['answer lost', 'not sent', 'conflict', 'throttled'] as const)(
    'corrects once when the correction meets: %s',
    async (fault) => {
      const sample = await createSample();
      const right = await snapshot(sample);
      await set(COUNT, 'n', 9)(sample);
      injectFaults(sample.dynamo, 'TransactWriteItemsCommand', [fault]);
      expect((await verify(sample, true)).faults).toEqual({ 'count row: wrong count': { found: 1, repaired: 1 } });
      expect(await snapshot(sample)).toEqual(right);
    },
  );

  test.each([
    ['the user', (fields: UserFields, n: number) => ({ ...fields, age: n })],
    ['the row', (fields: UserFields, n: number) => ({ ...fields, status: n % 2 === 0 ? 'active' : 'locked' })],
  ])('calls a row unsettled when %s never stands still, and leaves it alone', async (_, next) => {
    const sample = await createSample();
    await set(COUNT, 'n', 9)(sample);
    const verifier = await createTestService({}, sample.tables);
    const pauses: number[] = [];
    let n = 0;
    beforeCalls(verifier, 'BatchGetItemCommand', async (_call, input) => {
      if (isOf(input, sample.tables.directory)) {
        n++;
        await sample.users.update(sample.all[0]?.id ?? 0, (user) => next(user, n));
      }
    });
    beforeCalls(verifier, 'TransactWriteItemsCommand', () => Promise.reject(new Error('It corrects a row')));
    const report = await verify(verifier, true, { sleep: async (ms) => pauses.push(ms) });
    expect({ unsettled: report.unsettled, isAllRight: isAllRight(report) }).toEqual({
      unsettled: 1,
      isAllRight: false,
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, ...Array(16).fill(8_000)]);
  });

  test('waits for a late index before it calls a row wrong', async () => {
    const sample = await createSample();
    const verifier = await createTestService({}, sample.tables);
    const late = { status: 'active', country: 'DE', name: 'Late' };
    // Comes after the scan of the users; indexes have it when the first pause is over.
    beforeRowsAreScanned(verifier, () => sample.users.create(late));
    let hasPaused = false;
    hideFromIndexes(verifier, (item) => !hasPaused && item.name === 'Late');
    const pause = async () => {
      hasPaused = true;
    };
    expect(await verify(verifier, true, { sleep: pause })).toEqual({ users: 10, rows: 10, faults: {}, unsettled: 0 });
    expect(hasPaused).toBe(true);
    await expectRecount(sample);
  });

  test('is not misled by users that are there for one of its readings alone', async () => {
    const sample = await createSample();
    const verifier = await createTestService({}, sample.tables);
    const fields = { status: 'active', country: 'DE', name: 'Gus' };
    beforeRowsAreScanned(verifier, () => sample.users.create(fields));
    // The row is read, its users are, the row again, its users again.
    const guests: User[] = [];
    beforeCalls(verifier, 'BatchGetItemCommand', async (call, input) => {
      const guest = guests.pop();
      if (guest) await sample.users.delete(guest.id);
      else if (call > 1 && isOf(input, sample.tables.directory)) guests.push(await sample.users.create(fields));
    });
    const { faults, unsettled } = await verify(verifier, false);
    expect({ faults, unsettled }).toEqual({ faults: {}, unsettled: 1 });
  });

  test('counts users that an index has lost', async () => {
    const sample = await createSample();
    const right = await snapshot(sample);
    await set(COUNT, 'n', 9)(sample);
    const verifier = await createTestService({}, sample.tables);
    hideFromIndexes(verifier, () => true);
    expect((await verify(verifier, true)).faults).toEqual({ 'count row: wrong count': { found: 1, repaired: 1 } });
    expect(await snapshot(sample)).toEqual(right);
  });

  test('does not count users that an index has not given up yet', async () => {
    const sample = await createSample();
    const right = await snapshot(sample);
    await set(COUNT, 'n', 9)(sample);
    const verifier = await createTestService({}, sample.tables);
    editIndexes(verifier, (items) => [...items, { id: sample.all[4]?.id }, { id: 4711 }]);
    expect((await verify(verifier, true)).faults).toEqual({ 'count row: wrong count': { found: 1, repaired: 1 } });
    expect(await snapshot(sample)).toEqual(right);
  });

  test('waits out a table that throttles, and asks again for what a batch has left out', async () => {
    const sample = await createSample();
    const right = await snapshot(sample);
    await set(COUNT, 'n', 9)(sample);
    const verifier = await createTestService({}, sample.tables);
    injectFaults(verifier.dynamo, 'ScanCommand', Array(12).fill('throttled'));
    leaveOut(verifier);
    expect((await verify(verifier, true)).faults).toEqual({ 'count row: wrong count': { found: 1, repaired: 1 } });
    expect(await snapshot(sample)).toEqual(right);
  });

  test('ends with 503 when DynamoDB stays away', async () => {
    const sample = await createSample();
    injectFaults(sample.dynamo, 'ScanCommand', Array(1_000).fill('throttled'));
    await expect(verify(sample, true)).rejects.toMatchObject({ status: 503 });
  });
});

/** Changes what indexes answer, as those that lag behind their table would. */
function editIndexes(
  { dynamo }: TestService,
  edit: (items: Record<string, unknown>[]) => Record<string, unknown>[],
): void {
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answer = await next(args);
        const { output } = answer;
        if (commandName === 'QueryCommand' && 'IndexName' in args.input && 'Items' in output) {
          output.Items = edit(output.Items ?? []) as typeof output.Items;
        }
        return answer;
      },
    { step: 'initialize', name: 'editIndexes', priority: 'high' },
  );
}

function hideFromIndexes(service: TestService, isHidden: (item: Record<string, unknown>) => boolean): void {
  editIndexes(service, (items) => items.filter((item) => !isHidden(item)));
}

/** Every batch of more than one item leaves the last one for later. */
function leaveOut({ dynamo }: TestService): void {
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'BatchGetItemCommand' || !('RequestItems' in args.input)) return next(args);
        const [[table, request] = []] = Object.entries(args.input.RequestItems ?? {});
        if (!table || !request || !('Keys' in request) || (request.Keys?.length ?? 0) < 2) return next(args);
        const input = { ...args.input, RequestItems: { [table]: { ...request, Keys: request.Keys?.slice(0, -1) } } };
        const answer = await next({ ...args, input: input as typeof args.input });
        const left = { [table]: { ...request, Keys: request.Keys?.slice(-1) } };
        return { ...answer, output: { ...answer.output, UnprocessedKeys: left } as typeof answer.output };
      },
    { step: 'initialize', name: 'leaveOut' },
  );
}

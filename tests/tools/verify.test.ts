import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../lib/tooling/local/people.ts';
import { USERS_INDEXES } from '../../lib/users/indexes.ts';
import type { UserPage } from '../../lib/users/listing/listing.ts';
import { totalOrder } from '../../lib/users/listing/order.ts';
import { listOf } from '../../lib/users/lists.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { isAllRight, verify } from '../../lib/users/rebuild/verify.ts';
import { decodePage, encodePage } from '../../lib/users/statistics/packing.ts';
import { readBounds, readFloor } from '../../lib/users/statistics/pages.ts';
import { readSegmented } from '../../lib/users/statistics/segmented.ts';
import { createTestService, type TestService } from '../support/store.ts';

/** Enough users for lists to be cut into segments. */
const USERS = 150;

async function filled(): Promise<TestService> {
  const service = await createTestService({}, undefined, { segmentUsers: 128, segmentsPerSum: 1, fewSegments: 1 });
  await loadUsers(service, people(1), { users: USERS });
  return service;
}

const totalOf = async ({ listing }: TestService, country?: string) =>
  (
    (await listing.page({
      filters: { country },
      keyword: undefined,
      order: totalOrder([]),
      number: 0,
      size: 1,
    })) as UserPage
  ).total;

const directory = ({ tables }: TestService) => tables.directory;

async function firstPage(service: TestService, map: string) {
  const [sk] = await readBounds(service, map);
  const page = sk === undefined ? undefined : await readFloor(service, map, sk);
  if (!page) throw new Error(`${map} has no pages`);
  return page;
}

async function deleteFirstPage(service: TestService, map: string): Promise<void> {
  const { pk, sk } = await firstPage(service, map);
  await service.dynamo.send(new DeleteCommand({ TableName: directory(service), Key: { pk, sk } }));
}

const TOTAL = { wrongTotal: true, wrongMaps: 0, wrongLists: 0 };
const ONE_MAP = { wrongTotal: false, wrongMaps: 1, wrongLists: 0 };
const ONE_LIST = { wrongTotal: false, wrongMaps: 0, wrongLists: 1 };
const NOTHING = { wrongTotal: false, wrongMaps: 0, wrongLists: 0 };

type Damage = [what: string, (service: TestService) => Promise<unknown>, found: typeof NOTHING];

const kindOf = (map: string) => (map.startsWith('segments') ? ONE_LIST : ONE_MAP);

/** Damages that statistics have had, or could have. */
const DAMAGES: Damage[] = [
  [
    'the total',
    (service) =>
      service.dynamo.send(
        new UpdateCommand({
          TableName: directory(service),
          Key: { pk: 'journal', sk: '#head' },
          UpdateExpression: 'SET #total = #total + :one',
          ExpressionAttributeNames: { '#total': 'total' },
          ExpressionAttributeValues: { ':one': 1 },
        }),
      ),
    TOTAL,
  ],
  ...['totals:status', 'totals:country', 'names:a', 'pieces:e', 'segments1:byName:user', 'segments2:byId:user'].map(
    (map): Damage => [`a lost page of ${map}`, (service) => deleteFirstPage(service, map), kindOf(map)],
  ),
  ...['totals:country,status', 'names:e', 'segments1:byAge:user'].map(
    (map): Damage => [
      `a page of ${map} with the rows of another map`,
      async (service) => {
        const page = await firstPage(service, map);
        const { data } = await firstPage(service, 'totals:status,country');
        return service.dynamo.send(new PutCommand({ TableName: directory(service), Item: { ...page, data } }));
      },
      kindOf(map),
    ],
  ),
  ...['totals:country', 'names:s', 'segments1:byEmail:user'].map(
    (map): Damage => [
      `a count of ${map} that is one too high`,
      async (service) => {
        const page = await firstPage(service, map);
        const [first, ...others] = decodePage(page.data);
        if (!first) throw new Error(`${map} counts nothing`);
        const [[bucket, n] = ['', 0]] = first.counts;
        const data = encodePage([{ ...first, counts: new Map(first.counts).set(bucket, n + 1) }, ...others]);
        return service.dynamo.send(new PutCommand({ TableName: directory(service), Item: { ...page, data } }));
      },
      kindOf(map),
    ],
  ),
];

describe('verifying', () => {
  test('finds no damage after folds and bulk loads, with any journal', async () => {
    const service = await filled();
    const { id } = await service.users.create({ name: 'Ann', lastName: 'Lee', country: 'DE' });
    await service.fold.run(10_000);
    await service.users.update(id, () => ({ name: 'Ann', lastName: 'Leigh', country: 'FR' }));
    await service.users.create({ name: 'Bo' });
    expect(await verify(service)).toMatchObject({
      users: USERS + 1,
      wrongTotal: false,
      wrongMaps: 0,
      wrongLists: 0,
      repaired: false,
    });
    expect(await totalOf(service)).toBe(USERS + 2);
  });

  describe('damages one by one', () => {
    let service: TestService;

    beforeAll(async () => {
      service = await filled();
    });

    // Nothing else is wrong, so the previous damage was repaired.
    test.each<Damage>([...DAMAGES, ['nothing more', async () => {}, NOTHING]])(
      'finds and repairs %s',
      async (_, damage, wrong) => {
        await damage(service);
        expect(await verify(service, { repair: true })).toMatchObject({ ...wrong, repaired: wrong !== NOTHING });
        expect(await totalOf(service)).toBe(USERS);
      },
    );
  });

  test('leaves a list that has become short without segments, until it grows again', async () => {
    const service = await filled();
    const all = await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: 40 });
    for (const { id } of all.users ?? []) await service.users.delete(id);
    await service.fold.run(60_000);
    await deleteFirstPage(service, 'segments1:byId:user');
    expect(await verify(service, { repair: true })).toMatchObject({ ...ONE_LIST, repaired: true });
    expect(await verify(service)).toMatchObject({ users: USERS - 40, ...NOTHING });
    await service.users.createMany(Array.from({ length: 30 }, (_, n) => ({ name: `n${n}` })));
    await service.fold.run(60_000);
    expect(await verify(service)).toMatchObject({ users: USERS - 10, ...NOTHING });
  });

  test('takes a list that is not cut yet for right, and cuts it with repair', async () => {
    const { tables } = await createTestService();
    const withSegmentsOf = (segmentUsers: number) => createTestService({}, tables, { segmentUsers });
    await loadUsers(await withSegmentsOf(USERS), people(1), { users: USERS });
    const service = await withSegmentsOf(USERS - 1);
    const levels = async () => {
      const levelOf = await readSegmented(service);
      return USERS_INDEXES.filter(({ filters }) => filters.length === 0).map((index) => levelOf(listOf(index, {})));
    };
    expect(await verify(service)).toMatchObject({ ...NOTHING, repaired: false });
    expect(await levels()).toEqual(Array(8).fill(0));
    expect(await verify(service, { repair: true })).toMatchObject({ ...NOTHING, repaired: false });
    expect(await levels()).toEqual(Array(8).fill(1));
    expect(await verify(service)).toMatchObject({ ...NOTHING, repaired: false });
  });

  test('repairs all damages at once while others write, and only on request', async () => {
    const service = await filled();
    for (const [, damage] of DAMAGES) await damage(service);
    const found = await verify(service);
    expect(found).toMatchObject({ wrongTotal: true, wrongMaps: 7, wrongLists: 4, repaired: false });
    expect(isAllRight(found)).toBe(false);
    const writing = Promise.all(
      Array.from({ length: 5 }, async (_, w) => {
        for (let n = 0; n < 4; n++) await service.users.create({ name: `Writer ${w}`, lastName: 'Ea', country: 'DE' });
      }),
    );
    const [report] = await Promise.all([verify(service, { repair: true }), writing]);
    expect(report.repaired).toBe(true);
    await service.fold.run(20_000);
    expect(await verify(service)).toMatchObject({ users: USERS + 20, wrongTotal: false, wrongMaps: 0, wrongLists: 0 });
    expect(await totalOf(service)).toBe(USERS + 20);
  });

  test('repairs restored tables after it has emptied the journal, which does not fit the users', async () => {
    const service = await filled();
    const { id } = await service.users.create({ name: 'Ann', country: 'DE' });
    // The users are older than the journal.
    await service.dynamo.send(new DeleteCommand({ TableName: service.tables.users, Key: { id } }));
    expect(await totalOf(service)).toBe(USERS + 1);
    await verify(service, { restored: true });
    expect(await totalOf(service)).toBe(USERS);
  });
});

import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { scanItems } from '../../lib/dynamodb/bulk.ts';
import { people } from '../../lib/tooling/local/people.ts';
import { readHead } from '../../lib/users/journal/items.ts';
import { loadUsers } from '../../lib/users/rebuild/load.ts';
import { isAllRight, verify } from '../../lib/users/rebuild/verify.ts';
import { treeOf } from '../../lib/users/statistics/statistics.ts';
import { readNodes, WHOLE_MAP } from '../../lib/users/tree/nodes.ts';
import { pack, unpack } from '../../lib/users/tree/pack.ts';
import { generationOf, type Node } from '../../lib/users/tree/tree.ts';
import { askPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn, type TestService } from '../support/service.ts';

/** Enough users for lists to have several segments, and for maps to have several nodes. */
const USERS = 150;

const SMALL = { segmentUsers: 16, sumUsers: 48, nodeBytes: 250 };

async function filled(): Promise<TestService> {
  const service = await serviceOn.embedded({ sizes: SMALL });
  await loadUsers(service, people(1), { users: USERS });
  return service;
}

const totalOf = async ({ listing }: TestService, country?: string) =>
  (await askPage(listing, { ...(country && { country }), size: 1 })).page.totalElements;

const directory = ({ tables }: TestService) => tables.directory;

async function nodesOf(service: TestService, map: string) {
  const tree = treeOf(service, (await readHead(service)).generation);
  const nodes = await readNodes(tree, map, WHOLE_MAP);
  const [first, ...others] = nodes;
  if (!first) throw new Error(`${map} has no nodes`);
  return { first, others };
}

const put = (service: TestService, Item: object) =>
  service.dynamo.send(new PutCommand({ TableName: directory(service), Item: { ...Item } }));

const remove = (service: TestService, { pk, sk }: Node) =>
  service.dynamo.send(new DeleteCommand({ TableName: directory(service), Key: { pk, sk } }));

const AT_ONCE = { repair: true, keepOldMs: 0 };

const TOTAL = { wrongTotal: true, wrongMaps: 0, wrongLists: 0 };
const ONE_MAP = { wrongTotal: false, wrongMaps: 1, wrongLists: 0 };
const ONE_LIST = { wrongTotal: false, wrongMaps: 0, wrongLists: 1 };

type Damage = [what: string, (service: TestService) => Promise<unknown>, found: typeof NOTHING_WRONG];

const kindOf = (map: string) => (/^(segments|sums):/.test(map) ? ONE_LIST : ONE_MAP);

/** Damages that statistics can have. */
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
  ...['totals:status', 'totals:country', 'names:a', 'pieces:e', 'segments:byFirstName', 'sums:byId'].map(
    (map): Damage => [
      `the lost first node of ${map}`,
      async (service) => remove(service, (await nodesOf(service, map)).first),
      kindOf(map),
    ],
  ),
  ...['names:a', 'segments:byLastName'].map(
    (map): Damage => [
      `a lost node in the middle of ${map}`,
      async (service) => {
        const { others } = await nodesOf(service, map);
        const [second] = others;
        if (!second) throw new Error(`${map} has one node`);
        return remove(service, second);
      },
      kindOf(map),
    ],
  ),
  ...['totals:country,status', 'names:e', 'segments:byAge'].map(
    (map): Damage => [
      `a node of ${map} with the rows of another map`,
      async (service) => {
        const { first } = await nodesOf(service, map);
        const { data } = (await nodesOf(service, 'totals:status,country')).first;
        return put(service, { ...first, data });
      },
      kindOf(map),
    ],
  ),
  ...['totals:country', 'names:s', 'segments:byEmail', 'sums:byEmail'].map(
    (map): Damage => [
      `a count of ${map} that is one too high`,
      async (service) => {
        const { first } = await nodesOf(service, map);
        const [row, ...others] = unpack(first.data);
        if (!row) throw new Error(`${map} counts nothing`);
        const [[bucket, n] = ['', 0]] = row.counts;
        return put(service, {
          ...first,
          data: pack([{ key: row.key, counts: new Map(row.counts).set(bucket, n + 1) }, ...others]),
        });
      },
      kindOf(map),
    ],
  ),
  [
    'a segment whose bound is too high for one of its users',
    async (service) => {
      const { first } = await nodesOf(service, 'segments:byLastName');
      const [row, second, ...others] = unpack(first.data);
      if (!row || !second) throw new Error('There is one segment');
      return put(service, {
        ...first,
        data: pack([row, { key: `${second.key.slice(0, -1)}\uFFFF`, counts: second.counts }, ...others]),
      });
    },
    ONE_LIST,
  ],
];

describe('verifying', () => {
  test('finds no damage after folds and bulk loads, whatever is in the journal', async () => {
    const service = await filled();
    const { id } = await service.users.create({ name: 'Ann', lastName: 'Lee', country: 'DE' });
    await service.fold();
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

    // Nothing else is wrong, so the damage before was repaired.
    test.each<Damage>([...DAMAGES, ['nothing more', async () => {}, NOTHING_WRONG]])(
      'finds and repairs %s',
      async (_, damage, wrong) => {
        await damage(service);
        expect(await verify(service, AT_ONCE)).toMatchObject({ ...wrong, repaired: wrong !== NOTHING_WRONG });
        expect(await totalOf(service)).toBe(USERS);
      },
    );
  });

  test('finds nothing when lists have become short, and grow again', async () => {
    const service = await filled();
    const all = await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: 140 });
    for (const { id } of all.users ?? []) await service.users.delete(id);
    await service.fold();
    expect(await verify(service)).toMatchObject({ users: USERS - 140, ...NOTHING_WRONG });
    await service.users.createMany(Array.from({ length: 30 }, (_, n) => ({ name: `n${n}` })));
    await service.fold();
    expect(await verify(service)).toMatchObject({ users: USERS - 110, ...NOTHING_WRONG });
  });

  test('leaves statistics that are right as they are, even with repair', async () => {
    const service = await filled();
    const before = await readHead(service);
    expect(await verify(service, AT_ONCE)).toMatchObject({ users: USERS, ...NOTHING_WRONG, repaired: false });
    expect((await readHead(service)).generation).toBe(before.generation);
  });

  test('deletes what a repair has replaced, and what a killed repair has left behind', async () => {
    const service = await filled();
    await put(service, { pk: 'g0-killed:names:a', sk: '\0', epoch: 1, revision: 1, data: pack([]) });
    await remove(service, (await nodesOf(service, 'names:a')).first);
    await verify(service, AT_ONCE);
    const { generation } = await readHead(service);
    const generations = new Set<string | undefined>();
    await scanItems(service, directory(service), (items) => {
      for (const { pk } of items) generations.add(generationOf(String(pk)));
    });
    expect([...generations].filter(Boolean)).toEqual([generation]);
  });

  test('repairs all damages at once while others write, and only on request', async () => {
    const service = await filled();
    for (const [what, damage] of DAMAGES) if (!what.includes('lost')) await damage(service);
    const found = await verify(service);
    expect(found).toMatchObject({ wrongTotal: true, wrongMaps: 4, wrongLists: 3, repaired: false });
    expect(isAllRight(found)).toBe(false);
    const writing = Promise.all(
      Array.from({ length: 5 }, async (_, w) => {
        for (let n = 0; n < 4; n++) await service.users.create({ name: `Writer ${w}`, lastName: 'Ea', country: 'DE' });
      }),
    );
    const [report] = await Promise.all([verify(service, AT_ONCE), writing]);
    expect(report.repaired).toBe(true);
    await service.fold();
    expect(await verify(service)).toMatchObject({ users: USERS + 20, ...NOTHING_WRONG });
    expect(await totalOf(service)).toBe(USERS + 20);
  });

  test('repairs restored tables after it has emptied their journal, which does not fit the users', async () => {
    const service = await filled();
    const { id } = await service.users.create({ name: 'Ann', country: 'DE' });
    // The users were restored from an earlier moment than the journal.
    await service.dynamo.send(new DeleteCommand({ TableName: service.tables.users, Key: { id } }));
    expect(await totalOf(service)).toBe(USERS + 1);
    await verify(service, { restored: true, keepOldMs: 0 });
    expect(await totalOf(service)).toBe(USERS);
  });
});

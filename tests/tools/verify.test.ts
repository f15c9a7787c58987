import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from 'vitest';
import { people } from '../../bench/people.ts';
import { treeOf } from '../../lib/users/counts/maps.ts';
import { changeHead } from '../../lib/users/journal/headChanges.ts';
import { readHead } from '../../lib/users/journal/items.ts';
import { isAllRight, verify } from '../../lib/users/rebuild/verify.ts';
import { readNodes, WHOLE_MAP } from '../../lib/users/tree/nodes.ts';
import { pack, unpack } from '../../lib/users/tree/pack.ts';
import type { Node } from '../../lib/users/tree/tree.ts';
import { loadUsers } from '../../tools/local/loadUsers.ts';
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

const totalOf = async ({ listing }: TestService) => (await askPage(listing, { size: 1 })).page.totalElements;

async function nodesOf(service: TestService, map: string): Promise<[first: Node, second: Node | undefined]> {
  const tree = treeOf(service, (await readHead(service)).generation);
  const [first, second] = await readNodes(tree, map, WHOLE_MAP);
  if (!first) throw new Error(`${map} has no nodes`);
  return [first, second];
}

const put = ({ dynamo, tables }: TestService, Item: object) =>
  dynamo.send(new PutCommand({ TableName: tables.directory, Item: { ...Item } }));

const remove = ({ dynamo, tables }: TestService, { pk, sk }: Node) =>
  dynamo.send(new DeleteCommand({ TableName: tables.directory, Key: { pk, sk } }));

const AT_ONCE = { repair: true, keepOldMs: 0 };

type Damage = (service: TestService, map: string) => Promise<unknown>;

const loseFirst: Damage = async (service, map) => remove(service, (await nodesOf(service, map))[0]);

const loseSecond: Damage = async (service, map) => {
  const [, second] = await nodesOf(service, map);
  return second && remove(service, second);
};

const takeRowsOfAnother: Damage = async (service, map) => {
  const [first] = await nodesOf(service, map);
  const [{ data }] = await nodesOf(service, 'totals:status,country');
  return put(service, { ...first, data });
};

const countOneMore: Damage = async (service, map) => {
  const [first] = await nodesOf(service, map);
  const [row, ...others] = unpack(first.data);
  if (!row) throw new Error(`${map} counts nothing`);
  const [[bucket, n] = ['', 0]] = row.counts;
  const more = { key: row.key, counts: new Map(row.counts).set(bucket, n + 1) };
  return put(service, { ...first, data: pack([more, ...others]) });
};

/** Makes the bound of a segment too high for one of its users. */
const moveBound: Damage = async (service, map) => {
  const [first] = await nodesOf(service, map);
  const [row, second, ...others] = unpack(first.data);
  if (!row || !second) throw new Error('There is one segment');
  const moved = { key: `${second.key.slice(0, -1)}\uFFFF`, counts: second.counts };
  return put(service, { ...first, data: pack([row, moved, ...others]) });
};

const countUserMore: Damage = async (service) =>
  changeHead(service, { set: { total: (await readHead(service)).total + 1 } });

/** Damages that statistics can have, and where each is done. A lost node is done alone: it would hide others. */
const ERRORS: [what: string, damage: Damage, maps: string[]][] = [
  ['a total that is one too high', countUserMore, ['total']],
  ['a node with the rows of another map', takeRowsOfAnother, ['totals:country,status', 'names:e', 'segments:byAge']],
  ['a count that is one too high', countOneMore, ['totals:country', 'names:s', 'segments:byEmail', 'sums:byEmail']],
  ['a segment whose bound is too high for one of its users', moveBound, ['segments:byLastName']],
];
const LOST = ['totals:status', 'totals:country', 'names:a', 'letters:status', 'segments:byFirstName', 'sums:byId'];
const ALL: typeof ERRORS = [
  ['the lost first node', loseFirst, LOST],
  ['a lost node between others', loseSecond, ['totals:status,country']],
  ...ERRORS,
];

describe('verifying', () => {
  describe('damages one by one', () => {
    let service: TestService;

    beforeAll(async () => {
      service = await filled();
    });

    // Nothing else is wrong, so the damage before was repaired.
    test.each(ALL)('finds and repairs %s in each kind of map', async (_, damage, maps) => {
      for (const map of maps) {
        await damage(service, map);
        expect(await verify(service, AT_ONCE), map).toMatchObject({ wrong: [map], repaired: true });
        expect(await totalOf(service)).toBe(USERS);
      }
    });
  });

  test('repairs all damages at once while others write, and only on request', async () => {
    const service = await filled();
    for (const [, damage, maps] of ERRORS) for (const map of maps) await damage(service, map);
    const found = await verify(service);
    expect(found).toMatchObject({ wrong: expect.any(Array), repaired: false });
    expect(found.wrong.toSorted()).toEqual(ERRORS.flatMap(([, , maps]) => maps).toSorted());
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
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFold, createRepair, readHead } from '../../../lib/replica/index.ts';
import { createEngine, createIndexing } from '../../../lib/search/index.ts';
import { createUserListing } from '../../../lib/users/lists.ts';
import { totalOrder } from '../../../lib/users/order.ts';
import type { UserListing } from '../../../lib/users/questions.ts';
import { USER_SHAPE } from '../../../lib/users/shape.ts';
import { startOpenSearch } from '../../../tools/local/openSearch/start.ts';
import { AT_ONCE } from '../../support/fake/steps.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { askAll, askNames } from '../../support/questions.ts';
import { SEARCH_ENDPOINT, searchedParts } from '../../support/searched.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

const log = logOfEachTest();

/** How many users the table has. */
const users = async (service: TestService): Promise<number> => (await createRepair(service).scan()).total;

const BY_NAME = [{ property: 'name', direction: 'asc' }] as const;

/** A list and its tag: an answer of 503 is none. */
const stateOf = (listing: UserListing) => askAll(listing, [...BY_NAME]).catch(({ status }) => status as number);

/** Writes until it is told to end, a user after another. */
function startWriter({ users }: TestService) {
  let isBusy = true;
  let written = 0;
  const ended = (async () => {
    for (; isBusy; written++) {
      const { id } = await users.create({ name: `w${written}`, lastName: 'Writer' });
      if (written % 3 === 0) await users.delete(id);
      if (written % 3 === 1) await users.update(id, (user) => ({ ...user, lastName: 'Changed' }));
    }
  })();
  return {
    end: async (): Promise<number> => {
      isBusy = false;
      await ended;
      return written;
    },
  };
}

describe.skipIf(SEARCH_ENDPOINT === undefined)('a stage', () => {
  test('goes from the replica to an index and back beside a writer, with a cut in the middle of the copy, and no list is wrong', async () => {
    const service = await serviceOn.embedded();
    await createRepair(service).ensureBase();
    await service.users.createMany(
      Array.from({ length: 3_000 }, (_, n) => ({ name: `n${n}`, lastName: `L${n % 40}` })),
    );
    const replica = createUserListing(service);
    const fold = createFold(service, AT_ONCE);
    const { follower, indexer, searched } = searchedParts(service, service.stage);
    const writer = startWriter(service);
    // The first process copies a part, and ends.
    await indexer(false).run(1);
    expect((await readHead(service))?.copy).toMatchObject({ users: expect.any(Number) });
    expect((await readHead(service))?.copy?.indexed).toBeUndefined();
    const later = indexer(false);
    while (!(await readHead(service))?.copy?.indexed) {
      await later.run(1_000);
      await fold.run(1_000);
      expect((await askNames(replica)).total).toBeGreaterThan(2_500);
    }
    // Then the stage is deployed with the other setting.
    while (!(await readHead(service))?.base?.indexed) await follower.run(1_000);
    for (let i = 0; i < 2; i++) {
      await service.fold(2_000);
      const [before, shown, after] = [await users(service), await stateOf(searched), await users(service)];
      expect([typeof shown, shown]).toEqual(['object', expect.anything()]);
      expect((shown as { total: number }).total).toBeGreaterThanOrEqual(Math.min(before, after) - 1);
    }
    const written = await writer.end();
    expect(written).toBeGreaterThan(10);
    const fromIndex = await askAll(searched, [...BY_NAME]);
    await createRepair(service).ensureBase();
    const fromReplica = await askAll(createUserListing(service), [...BY_NAME]);
    expect(fromIndex.users).toEqual(fromReplica.users);
    expect(fromIndex.total).toBe(await users(service));
    await expect(searched.page({ filters: {}, order: totalOrder([]), number: 0, size: 1 })).rejects.toMatchObject({
      status: 503,
    });
  });

  test('makes a lost index anew, and its lists are 503 meanwhile, while writes go on', async () => {
    const service = await serviceOn.embedded();
    const { engine, follower, ready, searched } = searchedParts(service, service.stage);
    await service.users.createMany([{ name: 'a' }, { name: 'b' }]);
    await ready();
    expect(await askNames(searched)).toEqual({ names: ['a', 'b'], total: 2 });
    await engine({ method: 'DELETE', path: `/${service.stage}-*` });
    expect(await stateOf(searched)).toBe(503);
    await service.users.create({ name: 'c' });
    for (let i = 0; i < 10 && (await stateOf(searched)) === 503; i++) await follower.run(5_000);
    expect(await askNames(searched)).toEqual({ names: ['a', 'b', 'c'], total: 3 });
  });

  test('is 503 while its index is away, goes on with the writes, and has them when a node has started again', async () => {
    const home = mkdtempSync(join(tmpdir(), 'opensearch-'));
    const service = await serviceOn.embedded();
    const first = await startOpenSearch(home);
    const own = searchedParts(service, service.stage, first.endpoint);
    await service.users.create({ name: 'a' });
    await own.ready();
    await first.stop();
    expect(await stateOf(own.searched)).toBe(503);
    await service.users.create({ name: 'b' });
    await own.run(1_000);
    expect(log.faults.length).toBeGreaterThan(0);
    const second = await startOpenSearch(home);
    const again = searchedParts(service, service.stage, second.endpoint);
    await again.run(1_000);
    expect(await askNames(again.searched)).toEqual({ names: ['a', 'b'], total: 2 });
    await second.stop();
    rmSync(home, { recursive: true, force: true });
  });

  test('takes no document of a copy that has ended, and those of batches as before', async () => {
    const engine = createEngine({ endpoint: String(SEARCH_ENDPOINT), runtime: (await serviceOn.memory()).runtime });
    const { create, endCopy, exists, put, show } = createIndexing(engine, USER_SHAPE, () => {});
    const index = `copied-${process.pid}`;
    await create(index);
    const row = (id: number) => [{ id, version: 1, row: { id, name: `n${id}` } }];
    expect(await put(index, row(1), true)).toBe(true);
    await endCopy(index);
    // Another process may end it, too.
    await endCopy(index);
    expect([await put(index, row(2), true), await put(index, row(3)), await show(index)]).toEqual([false, true, true]);
    const { count } = await engine({ method: 'GET', path: `/${index}/_count` });
    expect([count, await exists(index)]).toEqual([2, true]);
  });

  test('sets a document aside that the engine refuses, tells of it, and takes the others', async () => {
    const engine = createEngine({ endpoint: String(SEARCH_ENDPOINT), runtime: (await serviceOn.memory()).runtime });
    const refused: string[] = [];
    const { create, put, show } = createIndexing(engine, USER_SHAPE, (document) => refused.push(document));
    const index = `poisoned-${process.pid}`;
    await create(index);
    const rows = ['x'.repeat(40_000), 'b'].map((name, i) => ({ id: i + 1, version: 1, row: { id: i + 1, name } }));
    expect([await put(index, rows), await show(index)]).toEqual([true, true]);
    const { count } = await engine({ method: 'GET', path: `/${index}/_count` });
    expect([count, refused]).toEqual([1, ['The document of 1']]);
  });
});

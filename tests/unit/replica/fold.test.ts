import { describe, expect, test } from 'vitest';
import { entryKey } from '../../../lib/replica/entry.ts';
import { createFold } from '../../../lib/replica/fold.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { freezeFold, named } from '../../support/fake/steps.ts';
import { askNames } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

const entriesOf = ({ store }: MemoryService) =>
  store.itemsOf('directory').flatMap(({ pk, sk }) => (pk === 'journal' && sk !== '#head' ? [String(sk)] : []));

const deltasOf = ({ store }: MemoryService) => store.itemsOf('directory').filter(({ pk }) => pk === 'deltas');

/** A stage whose head and base are made, with these users in the journal. */
async function stage(...lastNames: string[]) {
  const service = serviceOn.memory();
  await service.fold();
  const created = await service.users.createMany(named(...lastNames));
  return { ...service, ids: created.map(({ id }) => id) };
}

describe('a batch', () => {
  test('has at most `batchEntries` entries, the oldest first: not the newest of a user, which comes first in the journal', async () => {
    const service = serviceOn.memory({ limits: { batchEntries: 1 } });
    await service.fold();
    const { id } = await service.users.create({ name: 'old' });
    await service.users.update(id, () => ({ name: 'new' }));
    await freezeFold(service);
    expect((await readHead(service.database))?.batch).toEqual([entryKey({ id, version: 1 })]);
  });

  test('loses the older entries of a user before her newest one', async () => {
    const service = await stage();
    const { id } = await service.users.create({ name: 'Ann' });
    for (const age of [1, 2]) await service.users.update(id, () => ({ name: 'Ann', age }));
    const left: string[][] = [];
    const fold = service.processOf(async ({ command }, execute) => {
      const result = await execute();
      if (command === 'BatchWriteCommand') left.push(entriesOf(service));
      return result;
    });
    await fold.fold();
    expect(left).toEqual([[3, 2, 1].map((version) => entryKey({ id, version })), [entryKey({ id, version: 3 })], []]);
  });

  test('of another fold is left to it for twenty seconds, and finished then', async () => {
    const service = await stage('a', 'b');
    await freezeFold(service);
    service.pass(19_999);
    expect(await service.fold()).toMatchObject({ folded: 0, left: 2 });
    service.pass(1);
    expect(await service.fold()).toMatchObject({ folded: 2, left: 0 });
    expect(deltasOf(service)).toHaveLength(1);
    expect(await askNames(service.listing)).toMatchObject({ total: 2 });
  });

  test('of which an entry has left has its delta already: what is left is deleted, and nothing is written again', async () => {
    const service = await stage('a', 'b');
    await freezeFold(service, 1);
    const [first] = entriesOf(service);
    service.store.tables.directory?.delete({ pk: 'journal', sk: first });
    service.pass(20_000);
    const commands: string[] = [];
    const noting = service.processOf(({ command }, execute) => {
      commands.push(command);
      return execute();
    });
    await noting.fold();
    expect(commands.slice(0, 3)).toEqual(['QueryCommand', 'BatchWriteCommand', 'UpdateCommand']);
    expect(await askNames(service.listing)).toMatchObject({ total: 2 });
  });

  /** A fold whose clock passes while it sleeps, and while it claims. */
  async function timed(names: string[], claimMs: number) {
    const service = serviceOn.memory({ clock: { sleep: async (milliseconds) => service.pass(milliseconds) } });
    await service.fold();
    await service.users.createMany(named(...names));
    const deletedAt: number[] = [];
    const database = service.databaseOf(async ({ command, input }, execute) => {
      if (command === 'BatchWriteCommand' && JSON.stringify(input).includes('DeleteRequest'))
        deletedAt.push(service.runtime.now());
      else if (command === 'UpdateCommand') service.pass(claimMs);
      return execute();
    });
    return { ...service, deletedAt, run: () => createFold(database).run(60_000) };
  }

  test.each([
    ['two seconds and one more after a fold has seen it: then indexes have it, and readers know the delta', 10, 3_000],
    ['a second after it was claimed', 2_500, 3_500],
  ])('stays for %s', async (_, claimMs, stays) => {
    const { pass, runtime, run, deletedAt } = await timed(['a'], claimMs);
    pass(10_000);
    const seen = runtime.now();
    await run();
    expect(deletedAt).toEqual([seen + stays]);
  });

  test('does not begin while the journal is one read unit and its oldest entry is younger than ten seconds', async () => {
    const { pass, run } = await timed(['a', 'b'], 10);
    pass(9_000);
    expect(await run()).toMatchObject({ folded: 0, left: 2, oldestMs: 9_000 });
    pass(1_000);
    expect(await run()).toMatchObject({ folded: 2, left: 0, oldestMs: 0 });
  });

  test('begins at once when the journal is more than one read unit', async () => {
    const { run } = await timed(
      Array.from({ length: 90 }, (_, n) => `name ${n}`),
      10,
    );
    expect(await run()).toMatchObject({ folded: 90, left: 0 });
  });
});

import { describe, expect, test } from 'vitest';
import { createFold } from '../../../lib/replica/fold.ts';
import { readHead, readJournal } from '../../../lib/replica/journal.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import { freezeFold } from '../../support/fake/steps.ts';
import { askNames } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

/** A container of a deployment whose journal has `journalParts` parts. */
const writer = ({ database }: MemoryService, journalParts: number) =>
  createUserStore({ ...database, limits: { ...database.limits, journalParts } });

/** A stage whose journal lies in two parts. Its ids are odd, so users belong into the second one. */
async function stage() {
  const service = serviceOn.memory({ limits: { journalParts: 2 }, clock: { random: () => 1 / 4_096 } });
  await service.fold();
  return service;
}

/** Another container, before one of whose looks into the second part something happens. */
function interrupted(service: MemoryService, look: number, happen: () => Promise<unknown>) {
  let looks = 0;
  return service.processOf(async ({ input }, execute) => {
    const { ExpressionAttributeValues: values } = input as { ExpressionAttributeValues?: Record<string, unknown> };
    if (values?.[':partition'] === 'journal:1' && ++looks === look) await happen();
    return execute();
  });
}

describe('a journal of several parts', () => {
  test('keeps the parts in which something was written when its head is made anew by one who knows of none', async () => {
    const service = await stage();
    await writer(service, 2).create({ name: 'a' });
    service.store.tables.directory?.delete({ pk: 'journal', sk: '#head' });
    const { database } = service;
    await createFold({ ...database, limits: { ...database.limits, journalParts: 1 } }).run(1_000);
    expect([(await readHead(database))?.parts, (await askNames(service.listing)).total]).toEqual([2, 1]);
  });

  test('begins a quarter of an hour after the stage was deployed with it: by then every function looks into all', async () => {
    const service = serviceOn.memory();
    await service.fold();
    const limits = { ...service.database.limits, journalParts: 4 };
    const { run } = createFold({ ...service.database, limits });
    const parts = async () => {
      await run(1_000);
      return (await readHead(service.database))?.parts;
    };
    expect(await parts()).toBe(1);
    service.pass(900_000);
    expect(await parts()).toBe(1);
    service.pass(1);
    expect([await parts(), await parts()]).toEqual([4, 4]);
    expect(service.store.itemsOf('directory')).toContainEqual(expect.objectContaining({ sk: '#head', format: 10 }));
    // An earlier setting comes too late.
    await service.fold();
    expect((await readHead(service.database))?.parts).toBe(4);
  });

  test('of which a fold has read a later entry alone gives it no entry before it has the earlier one', async () => {
    const service = await stage();
    const fold = interrupted(service, 2, async () => {
      const { id } = await writer(service, 1).create({ name: 'old' });
      await writer(service, 2).update(id, () => ({ name: 'new' }));
    });
    await fold.fold();
    await service.fold();
    expect(await askNames(service.listing)).toEqual({ names: ['new'], total: 1 });
  });

  test('of which a list has read an earlier entry alone shows what the delta of both has', async () => {
    const service = await stage();
    const { id } = await writer(service, 1).create({ name: 'old' });
    await writer(service, 2).update(id, () => ({ name: 'new' }));
    const { entries } = await readJournal(service.database);
    expect(entries.map(({ pk, version }) => [pk, version])).toEqual([
      ['journal:1', 2],
      ['journal', 1],
    ]);
    // It has written its delta.
    await freezeFold(service, 1);
    const { listing } = interrupted(service, 1, async () => {
      service.pass(20_000);
      expect(await service.fold()).toMatchObject({ folded: 2, left: 0 });
    });
    expect(await askNames(listing)).toEqual({ names: ['new'], total: 1 });
  });
});

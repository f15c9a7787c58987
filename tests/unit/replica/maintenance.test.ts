import { expect, test } from 'vitest';
import { createFold } from '../../../lib/replica/fold.ts';
import { askForRepair, changeHead } from '../../../lib/replica/headChanges.ts';
import { readHead } from '../../../lib/replica/journal.ts';
import { sizeOf } from '../../../lib/replica/limits.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { AT_ONCE, named } from '../../support/fake/steps.ts';
import { logOfEachTest } from '../../support/logs.ts';
import { askNames } from '../../support/questions.ts';
import { type MemoryService, serviceOn } from '../../support/service.ts';

const log = logOfEachTest();

const generationOf = async ({ database }: MemoryService) => (await readHead(database))?.generation;

test('a fold notes why writes should be fewer, and when they need not be any more', async () => {
  const service = serviceOn.memory({ limits: { journalEntries: 2 } });
  const { users, fold, database } = service;
  await fold();
  await users.createMany(named('a', 'b', 'c'));
  const pressure = async () => (await readHead(database))?.pressure;
  expect(await createFold(database, { restMs: 60_000 }).run(1_000)).toMatchObject({ left: 3 });
  expect(await pressure()).toBe('long');
  await fold();
  expect(await pressure()).toBeUndefined();
  await verify(database, { always: true });
  const baseBytes = sizeOf((await readHead(database))?.base ?? { unpacked: 0, users: 0 });
  const small = { ...database, limits: { ...database.limits, baseBytes } };
  expect(await createFold(small, AT_ONCE).run(1_000)).toMatchObject({ sizePercent: 100 });
  expect(await pressure()).toBe('full');
});

test('a write of several kilobytes counts as several when writes are slowed', async () => {
  const { users, fold, database } = serviceOn.memory({ limits: { journalEntries: 2 } });
  await fold();
  const text = 'x'.repeat(500);
  await users.create({ name: 'Ann', attributes: { a: text, b: text, c: text, d: text } });
  await createFold(database, { restMs: 60_000 }).run(1_000);
  expect(await readHead(database)).toMatchObject({ pressure: 'long' });
});

test('one fold in six minutes reads all users anew when somebody has asked for it', async () => {
  const service = serviceOn.memory();
  const { fold, pass, database, listing } = service;
  await service.users.createMany(named('a'));
  await fold();
  pass(1);
  await askForRepair(database);
  const dying = service.processOf(async ({ command }, execute) => {
    if (command === 'ScanCommand') throw new Error('killed');
    return execute();
  });
  const before = await generationOf(service);
  await expect(dying.fold()).rejects.toThrow('killed');
  for (const [minutes, isRead] of [
    [6, false],
    [0.1, true],
  ] as const) {
    pass(minutes * 60_000);
    await fold();
    expect((await generationOf(service)) !== before).toBe(isRead);
  }
  expect(await askNames(listing)).toMatchObject({ total: 1 });
});

test('a base of a version that did not know a field is read anew', async () => {
  const service = serviceOn.memory();
  const { fold, database, users } = service;
  await users.create({ name: 'Ann', country: 'DE' });
  await fold();
  const { base } = (await readHead(database)) ?? {};
  const before = await generationOf(service);
  await changeHead(database, { set: { base: { ...base, kinds: '{"name":"text"}' } } });
  await fold();
  expect(await generationOf(service)).not.toBe(before);
  expect((await readHead(database))?.base).toMatchObject({ kinds: base?.kinds, users: 1 });
});

test('a base that cannot be made is told, and stops no entries', async () => {
  const service = serviceOn.memory({ limits: { mergeLeast: 1, baseBytes: -1 } });
  const { users, fold } = service;
  await fold();
  await users.createMany(named('a', 'b'));
  expect(await fold()).toMatchObject({ folded: 2, left: 0 });
  expect(log.faults[0]?.message).toContain('do not fit into the memory');
});

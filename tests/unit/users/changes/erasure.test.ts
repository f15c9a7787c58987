import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rowsOf } from '../../../../lib/replica/replica.ts';
import { readHead } from '../../../../lib/users/journal/items.ts';
import { createCurrent } from '../../../../lib/users/listing/current.ts';
import type { FakeStore } from '../../../support/fake/store.ts';
import { HISTORY_DAYS, type MemoryService, serviceOn } from '../../../support/service.ts';

/** Texts that occur nowhere else. */
const CREATED = {
  ...{ name: 'ᚠᚢname', email: 'ᚦᚨ@mail.example', firstName: 'ᚱᚲfirst', lastName: 'ᚷᚹlast' },
  ...{ status: 'ᚺᚾstatus', country: 'ᛁᛃcountry', age: 7_654_321 },
};
const CHANGED = { ...CREATED, name: 'ᛈᛉname', lastName: 'ᛊᛏlast', status: 'ᛒᛖstatus', country: 'ᛗᛚcountry' };
const BY = 'ᛜᛞcaller';

const TRACES = [...Object.values(CREATED), ...Object.values(CHANGED), BY].map(String);

/** What zstd calls the beginning of its frames. */
const FRAME = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Numbers of a base are stored as such. */
const AGE = Buffer.alloc(8);
AGE.writeDoubleLE(CREATED.age);

/** Bytes as text, with all that is compressed in them. */
function textOf(bytes: Uint8Array): string {
  const all = Buffer.from(bytes);
  const texts = [all];
  for (let at = all.indexOf(FRAME); at >= 0; at = all.indexOf(FRAME, at + 1)) {
    const next = all.indexOf(FRAME, at + 1);
    texts.push(zstdDecompressSync(all.subarray(at, next < 0 ? undefined : next)));
  }
  return texts.map((text) => (text.includes(AGE) ? `${text} ${CREATED.age}` : text)).join('\n');
}

const textsOf = (item: Record<string, unknown>): string =>
  Object.values(item)
    .map((value) => (value instanceof Uint8Array ? textOf(value) : JSON.stringify(value)))
    .join('\n');

/** The items that contain one of the texts: their partitions without numbers. */
const traces = (store: FakeStore): string[] => [
  ...new Set(
    (['users', 'directory'] as const).flatMap((table) =>
      store
        .itemsOf(table)
        .filter((item) => TRACES.some((trace) => textsOf(item).includes(trace)))
        .map(({ pk = 'user' }) => String(pk).replace(/:\d+$/, '')),
    ),
  ),
];

/** Gives the stage a base with all users. */
async function mergeNow({ fold, pass }: MemoryService, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await fold();
    pass(11 * 60_000);
  }
}

test('a user who was deleted and whose changes were erased is in no byte of both tables twenty minutes later', async () => {
  const service = serviceOn.memory({ historyDays: HISTORY_DAYS, limits: { mergeLeast: 2 } });
  const { users, changes, store, fold, database } = service;
  await users.createMany([{ name: 'Other' }]);
  await fold();
  const { id } = await users.create(CREATED, BY);
  expect(traces(store)).toEqual(['user', 'journal']);
  await fold();
  await users.create({ name: 'Another' });
  await mergeNow(service, 2);
  expect(traces(store).toSorted()).toEqual(['base', 'history', 'user']);
  await users.update(id, () => CHANGED, BY);
  await fold();
  await users.delete(id, () => {}, BY);
  await fold();
  expect(traces(store)).toContain('deltas');
  await changes.erase(id);
  await mergeNow(service, 3);
  expect(traces(store)).toEqual([]);
  const { replica } = await createCurrent(database).now();
  expect([...rowsOf(replica, {}, [{ property: 'id', descending: false }]).rows].map(({ name }) => name)).toEqual([
    'Other',
    'Another',
  ]);
  expect((await readHead(database))?.base?.users).toBe(2);
});

import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rowsOf } from '../../../lib/columns/index.ts';
import { createReplica } from '../../../lib/replica/index.ts';
import { verify } from '../../../tools/verify/verify.ts';
import type { FakeStore } from '../../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

/** Texts that occur nowhere else. */
const CREATED = {
  ...{ name: 'ᚠᚢname', email: 'ᚦᚨ@mail.example', firstName: 'ᚱᚲfirst', lastName: 'ᚷᚹlast' },
  ...{ status: 'ᚺᚾstatus', country: 'ᛁᛃcountry', age: 7_654_321 },
};
const CHANGED = { ...CREATED, name: 'ᛈᛉname', lastName: 'ᛊᛏlast', status: 'ᛒᛖstatus', country: 'ᛗᛚcountry' };
const BY = { by: 'ᛜᛞcaller', byName: 'ᛟᚪname' };

const TRACES = [...Object.values(CREATED), ...Object.values(CHANGED), ...Object.values(BY)].map(String);

/** The magic number at the beginning of a frame of zstd. */
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

test('a user who was deleted and whose changes were erased is in no byte of both tables twenty minutes later', async () => {
  const service = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const { users, changes, store, fold, database, pass } = service;
  const foldLater = async (minutes: number) => {
    pass(minutes * 60_000);
    await fold();
  };
  await users.createMany([{ name: 'Other' }]);
  await fold();
  const { id } = await users.create(CREATED, BY);
  expect(traces(store)).toEqual(['user', 'journal']);
  await fold();
  await verify(database, { always: true });
  await foldLater(10);
  expect(traces(store).toSorted()).toEqual(['base', 'history', 'user']);
  await users.update(id, () => CHANGED, BY);
  await fold();
  await users.delete(id, () => {}, BY);
  expect(traces(store).toSorted()).toEqual(['base', 'deltas', 'history', 'journal']);
  await changes.erase(id);
  for (const minutes of [1, 5, 10]) await foldLater(minutes);
  expect(traces(store)).toEqual([]);
  const { changes: shown } = await changes.feed({ after: undefined, size: 10 });
  expect(shown.slice(1).map(({ type, user, by, byName }) => [type, user, by, byName])).toEqual(
    ['created', 'updated', 'deleted'].map((type) => [type, undefined, undefined, undefined]),
  );
  const { replica } = await createReplica(database).now();
  const rows = rowsOf(replica, {}, [{ property: 'id', descending: false }]);
  expect([...rows.rows].map(({ name }) => name)).toEqual(['Other']);
});

import { describe, expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import type { Sizes } from '../../../../lib/users/sizes.ts';
import { unpack } from '../../../../lib/users/tree/pack.ts';
import type { UserFields } from '../../../../lib/users/user.ts';
import type { FakeStore } from '../../../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../../../support/service.ts';

/** Texts that occur nowhere else, nor do their first two characters. */
const CREATED = {
  name: 'ᚠᚢname',
  email: 'ᚦᚨ@mail.example',
  firstName: 'ᚱᚲfirst',
  lastName: 'ᚷᚹlast',
  status: 'ᚺᚾstatus',
  country: 'ᛁᛃcountry',
  age: 7_654_321,
};
const CHANGED = { ...CREATED, name: 'ᛈᛉname', lastName: 'ᛊᛏlast', status: 'ᛒᛖstatus', country: 'ᛗᛚcountry' };
const BY = 'ᛜᛞcaller';

const TRACES = [CREATED, CHANGED]
  .flatMap((fields) => Object.values(fields))
  .map((value) => (typeof value === 'number' ? String(value) : value.slice(0, 2)))
  .concat(BY);

/** The name in a key of `names`, which is a suffix of the name, NUL, and the rest of the name. */
const unrotated = (key: string): string => key.replace(/^([^\0]*)\0([^\0]*)/, '$2$1');

function textsOf({ data, ...item }: Record<string, unknown>): string[] {
  const rows = data instanceof Uint8Array ? unpack(data) : [];
  const keys = [...Object.values(item).filter((value) => typeof value === 'string'), ...rows.map(({ key }) => key)];
  return [
    JSON.stringify(item),
    ...rows.map(({ key, counts }) => JSON.stringify([key, ...counts])),
    ...keys.map(unrotated),
  ];
}

/** The partitions of the items that contain one of the texts. */
const traces = (store: FakeStore): string[] => [
  ...new Set(
    (['users', 'directory'] as const).flatMap((table) =>
      store
        .itemsOf(table)
        .filter((item) => textsOf(item).some((text) => TRACES.some((trace) => text.includes(trace))))
        .map(({ pk, id }) => String(pk ?? `user ${id}`).replace(/^g[^:]*:/, '')),
    ),
  ),
];

const other = (n: number): UserFields => ({
  name: `n${(n * 7_919) % 997}`,
  lastName: `l${(n * 7_919) % 997}`,
  email: `e${n}@x`,
  country: n % 3 === 0 ? 'DE' : 'US',
  status: 'on',
  age: n % 50,
});

const othersFrom = (n: number): UserFields[] => Array.from({ length: 15 }, (_, i) => other(n + i));

/** A user among others is created, changed, deleted and erased. Each write is folded before the next one. */
async function eraseSomebody(sizes: Partial<Sizes>) {
  const { store, database, users, changes, ...given } = serviceOn.memory({ sizes, historyDays: HISTORY_DAYS });
  const fold = async () => {
    for (let time = 0; time < 3; time++) await given.fold();
  };
  await users.createMany(othersFrom(0));
  await fold();
  const { id } = await users.create(CREATED, BY);
  const inJournal = traces(store);
  await fold();
  await users.createMany(othersFrom(100));
  await fold();
  await users.update(id, () => CHANGED, BY);
  await fold();
  await users.delete(id, () => {}, BY);
  await fold();
  const deleted = traces(store);
  await changes.erase(id);
  return { store, database, users, changes, fold, id, inJournal, deleted };
}

describe('a user who was deleted and whose changes were erased', () => {
  test('is in no item of both tables once the journal is folded', async () => {
    const { store, id, inJournal, deleted } = await eraseSomebody({});
    expect(inJournal).toEqual([`user ${id}`, 'journal']);
    expect(deleted).toEqual([`history:${id}`]);
    // Maps named after one character stay, but are empty.
    expect(traces(store).filter((pk) => !/^names:[ᚠ-ᛪ]$/.test(pk))).toEqual([]);
  });

  test('leaves bounds of nodes and segments, until all statistics are built again', async () => {
    const { store, database, users, fold } = await eraseSomebody({ nodeBytes: 60, segmentUsers: 2, sumUsers: 8 });
    expect(traces(store).some((pk) => /^(segments|sums):/.test(pk))).toBe(true);
    await users.createMany(othersFrom(1_000));
    await fold();
    await verify(database, { always: true, keepOldMs: 0 });
    expect(traces(store)).toEqual([]);
  });
});

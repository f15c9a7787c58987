import { expect, test } from 'vitest';
import { people } from '../../bench/people.ts';
import { inParallel } from '../../lib/parallel.ts';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { represent } from '../../lib/users/user.ts';
import { loadUsers } from '../../tools/local/loadUsers.ts';
import type { ModelQuery, ModelUser } from '../support/model.ts';
import { expectPage, NOTHING_WRONG } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

const FOLDED = 4_000;

/** An hour at ten writes a second. */
const WRITES = 36_000;

/** The timeout of the function. */
const MOST_MS = 15_000;

const by = (property: keyof ModelUser, direction: 'asc' | 'desc' = 'asc') => [{ property, direction }];

const QUESTIONS: Partial<ModelQuery>[] = [
  {},
  { page: 300 },
  { sort: by('name') },
  { sort: by('lastName', 'desc'), page: 150 },
  { sort: by('country') },
  { sort: by('status', 'desc'), page: 40 },
  { status: 'active' },
  { status: 'pending', sort: by('email') },
  { country: 'US', sort: by('age') },
  { country: 'DE', status: 'active', page: 3 },
  { keyword: 'a' },
  { keyword: 'ei', sort: by('lastName') },
  { keyword: 'ski', sort: by('createdAt', 'desc') },
  { keyword: 'mann', status: 'active', sort: by('name') },
  { sort: [...by('country'), ...by('age', 'desc')], page: 20 },
];

test('after an hour without a fold, lists are exact and end in time, and the fold catches up', {
  timeout: 3_600_000,
}, async () => {
  const service = await serviceOn.embedded();
  const source = people(36);
  await loadUsers(service, source, { users: FOLDED });
  const all = await service.listing.after({ filters: {}, keyword: undefined, after: 0, size: FOLDED });
  const users = new Map((all.users ?? []).map((user) => [user.id, represent(user) as ModelUser]));
  expect(users.size).toBe(FOLDED);

  // Half of the writes create users. The others change and delete new and old users.
  const ids = [...users.keys()];
  const write = async (n: number, id: number) => {
    if (n % 2 === 0) {
      const user = await service.users.create(source.next().value);
      users.set(user.id, represent(user) as ModelUser);
      ids.push(user.id);
    } else if (n % 10 === 9) {
      users.delete(id);
      await service.users.delete(id);
    } else {
      const { lastName = 'None', status = 'new' } = source.next().value;
      const changed = await service.users.update(id, (now) => ({ ...now, lastName, status }));
      users.set(id, represent(changed) as ModelUser);
    }
  };
  const busy = new Set<number>();
  await inParallel([...Array(WRITES).keys()], 8, async (n) => {
    let at = (n * 7_919) % ids.length;
    while (!users.has(ids[at] ?? 0) || busy.has(ids[at] ?? 0)) at = (at + 1) % ids.length;
    const id = ids[at] ?? 0;
    busy.add(id);
    await write(n, id);
    busy.delete(id);
  });

  const state = [...users.values()];
  for (const asked of QUESTIONS) {
    const begun = performance.now();
    const { units, plan } = await expectPage(service.listing, state, asked);
    const ms = Math.round(performance.now() - begun);
    console.log(JSON.stringify(asked), `${units} read units, ${ms} ms, ${plan}`);
    expect(ms).toBeLessThan(MOST_MS);
  }

  while ((await service.fold()).left > 0);
  expect(await verify(service)).toMatchObject({ users: users.size, ...NOTHING_WRONG });
  for (const asked of QUESTIONS) await expectPage(service.listing, state, asked);
});

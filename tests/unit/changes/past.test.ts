import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PastQuery, readUserAt } from '../../../lib/changes/history.ts';
import { isExpired } from '../../../lib/changes/items.ts';
import { createFold } from '../../../lib/replica/index.ts';
import { pickFields, type User } from '../../../lib/users/user.ts';
import { attributes } from '../../support/arbitraries.ts';
import { AT_ONCE } from '../../support/fake/steps.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const STEPS = fc.array(
  fc.record({
    does: fc.constantFrom('write', 'write', 'delete', 'fold', 'bring back'),
    hours: fc.integer({ max: 60, min: 1 }),
    days: fc.constantFrom(1, 3, HISTORY_DAYS),
    attributes: fc.option(attributes, { nil: undefined, freq: 3 }),
  }),
  { minLength: 3, maxLength: 12 },
);

const start = () => {
  const service = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const { database, runtime, store } = service;
  return {
    ...service,
    userAt: (query: PastQuery) => readUserAt(database, query),
    foldFor: (historyDays: number) => createFold(Object.assign({}, database, { historyDays }), AT_ONCE).run(HOUR_MS),
    /** As DynamoDB does within days. */
    async deleteExpired() {
      const expired = store.itemsOf('directory').filter((item) => item.ttl && isExpired(runtime.now(), item));
      const keys = expired.map(({ pk, sk }) => ({ TableName: database.tables.directory, Key: { pk, sk } }));
      for (const key of keys) await database.dynamo.send(new DeleteCommand(key));
    },
  };
};

test('a user is shown as of any moment, also when she is gone, was brought back, or has not changed since history began, for whatever days changes are kept', async () => {
  let [known, gone, absent] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const { users, userAt, runtime, pass, foldFor, deleteExpired } = start();
      const { id } = await users.create({ name: 'Ann' });
      const states: { since: number; user: User | undefined }[] = [];
      const note = (user: User | undefined) => states.push({ since: runtime.now(), user });
      note(await users.get(id));
      for (const { does, hours, days, attributes } of steps) {
        pass(hours * HOUR_MS);
        await deleteExpired();
        const current = states.at(-1)?.user;
        if (does === 'fold') await foldFor(days);
        else if (does === 'write' && current)
          note(await users.update(id, ({ age = 0, name }) => pickFields({ name, age: age + 1, attributes })));
        else if (does === 'delete' && current) note(void (await users.delete(id)));
        else if (does === 'bring back' && !current) note(await users.createWithId(id, { name: 'Bea' }));
      }
      const began = runtime.now() - Math.min(HISTORY_DAYS, ...steps.map(({ days }) => days)) * DAY_MS;
      for (const moment of states.flatMap(({ since }) => [since - 1, since, since + HOUR_MS / 2])) {
        const expected = states.findLast(({ since }) => since <= moment)?.user;
        const shown: User | number = await userAt({ id, moment }).catch(({ status }) => status);
        const isGone = shown === 410;
        if (!isGone) expect(shown).toEqual(expected ?? 404);
        else expect(moment).toBeLessThan(began);
        [known, gone, absent] = [known + Number(!!expected), gone + Number(isGone), absent + Number(shown === 404)];
      }
    }),
    { numRuns: 60 },
  );
  // Otherwise something was not asked.
  expect(Math.min(known, gone, absent)).toBeGreaterThan(0);
});

test('what was erased is not told, but what came after it is, and what has stayed since', async () => {
  const { users, changes, userAt, runtime, pass, fold } = start();
  const { id } = await users.create({ name: 'Ann' });
  const first = runtime.now();
  pass(HOUR_MS);
  await users.update(id, () => ({ name: 'Bea' }));
  const second = runtime.now();
  for (const isFolded of [false, true]) {
    if (isFolded) await fold();
    await changes.erase(id);
    expect(await userAt({ id, moment: runtime.now() })).toMatchObject({ name: 'Bea' });
  }
  pass(HOUR_MS);
  await users.update(id, () => ({ name: 'Cem' }));
  for (const isFolded of [false, true]) {
    if (isFolded) await fold();
    expect(await userAt({ id, moment: runtime.now() })).toMatchObject({ name: 'Cem' });
    expect(await userAt({ id, moment: second })).toMatchObject({ name: 'Bea' });
    await expect(userAt({ id, moment: first })).rejects.toMatchObject({ code: 'past-gone' });
  }
});

test.each([false, true])(
  'a write beside the question does not change the past; it is folded at once: %s',
  async (isFolded) => {
    const { users, runtime, pass, fold, databaseOf } = start();
    const { id } = await users.create({ name: 'Ann' });
    await fold();
    pass((HISTORY_DAYS + 1) * DAY_MS);
    const moment = runtime.now();
    pass(HOUR_MS);
    const beside = databaseOf(async ({ command }, execute) => {
      if (command === 'GetCommand') await users.update(id, () => ({ name: 'Bea' }));
      if (command === 'GetCommand' && isFolded) await fold();
      return execute();
    });
    expect(await readUserAt(beside, { id, moment })).toMatchObject({ name: 'Ann' });
  },
);

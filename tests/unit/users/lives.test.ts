import { describe, expect, test } from 'vitest';
import { isUser } from '../../../lib/users/database.ts';
import { millisecondsOf } from '../../../lib/users/ids.ts';
import { verify } from '../../../tools/verify/verify.ts';
import { settled } from '../../support/fake/steps.ts';
import type { Call } from '../../support/fake/store.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

const ID = 600_000_000_000_000;

const isCreation = ({ command, input }: Call) =>
  command === 'TransactWriteCommand' && JSON.stringify(input).includes('attribute_not_exists(id)');

function start() {
  const given = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const present = () =>
    given.store
      .itemsOf('users')
      .filter(isUser)
      .map(({ version }) => version);
  /** A process whose attempts to create get no answer, and arrive only when `land` is called. */
  const held = () => {
    const attempts: (() => Promise<unknown>)[] = [];
    const { users } = given.processOf((call, execute) => {
      if (!isCreation(call)) return execute();
      attempts.push(execute);
      return new Promise(() => {});
    });
    const land = async () => {
      for (const attempt of attempts) await attempt().catch(() => {});
    };
    return { users, land };
  };
  /** The versions of all lives of the id so far. */
  const versions: number[] = [];
  const live = async () => {
    const { version } = await given.users.createWithId(ID, { name: 'Ann' });
    await given.users.update(ID, () => ({ name: 'Bea' }));
    await given.users.delete(ID);
    versions.push(version, version + 1, version + 2);
  };
  return { ...given, ...given.changes, present, held, versions, live };
}

describe('a user who is created with an id', () => {
  test.each([0, 1, 2])('is not brought back by a late attempt, after %i earlier lives', async (lives) => {
    const { users, fold, present, held, database, pass } = start();
    for (let life = 0; life < lives; life++) {
      await users.createWithId(ID, { name: `Life ${life}` });
      await users.delete(ID);
      await fold();
      pass(1_000);
    }
    const late = held();
    void late.users.createWithId(ID, { name: 'Late' });
    await settled();
    pass(5_000);
    await users.createWithId(ID, { name: 'Later' });
    await users.update(ID, () => ({ name: 'Changed' }));
    await users.delete(ID);
    await fold();
    await late.land();
    await fold();
    expect(present()).toEqual([]);
    expect((await verify(database)).differences).toEqual([]);
  });

  test('has a version above every earlier version of the id, even if the clock is behind', async () => {
    const { history, fold, pass, present, versions, live } = start();
    for (let life = 0; life < 6; life++) {
      await live();
      if (life % 2) await fold();
      pass(life % 3 === 0 ? 0 : -500);
    }
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    await fold();
    const { changes } = await history({ id: ID, before: undefined, size: 500 });
    expect(changes.map(({ version }) => version)).toEqual(versions.toReversed());
    expect(present()).toEqual([]);
  });
});

test('no version of an id is given twice, even if it is given again when the clock has come to a version of its last life', async () => {
  const { fold, pass, runtime, versions, live } = start();
  await live();
  // In the same millisecond, so its versions are a leap ahead of the clock.
  await live();
  await fold();
  pass((versions[4] ?? 0) - millisecondsOf(runtime.now()));
  await live();
  expect(new Set(versions).size).toBe(versions.length);
});

import { describe, expect, test } from 'vitest';
import { createReplica } from '../../../lib/replica/index.ts';
import { merge } from '../../../lib/replica/internals.ts';
import { createUserStore } from '../../../lib/users/store.ts';
import type { Attributes } from '../../../lib/users/user.ts';
import { serviceOn } from '../../support/service.ts';

/** A stage that has at most four names, and what is written of them. */
function start() {
  const service = serviceOn.memory({ limits: { attributeNames: 4 } });
  const person = (attributes: Attributes) => ({ name: 'Ann', attributes });
  const names = () =>
    service.store.itemsOf('directory').find(({ pk }) => pk === 'names')?.names as string[] | undefined;
  const container = () => service.processOf((_, execute) => execute());
  return { ...service, person, names, container };
}

const FOUR: Attributes = { constructor: 1, length: 2, team: 3, then_: 4 };

const refused = (name: string) => ({
  code: 'validation',
  message: `attributes.${name} is a new name, and a stage has at most 4 names`,
});

describe('names of attributes', () => {
  test('beyond the most are refused, nothing is written, and those that are there are given to others', async () => {
    const { users, person, names, container, store } = start();
    const { id } = await users.create(person(FOUR));
    await users.create(person({ team: 5 }));
    await expect(users.create(person({ team: 6, toString: 1 }))).rejects.toMatchObject(refused('toString'));
    await expect(users.update(id, () => person({ ...FOUR, valueOf: 1 }))).rejects.toMatchObject(refused('valueOf'));
    await expect(container().users.create(person({ other: 1 }))).rejects.toMatchObject(refused('other'));
    await container().users.create(person({ constructor: 7 }));
    expect(names()).toEqual(Object.keys(FOUR));
    expect(store.itemsOf('users').length).toBe(3);
  });

  test('have no reads and writes in a container that knows them', async () => {
    const { users, person, databaseOf } = start();
    await users.create(person(FOUR));
    let calls: string[] = [];
    const { create } = createUserStore(
      databaseOf(({ command }, execute) => {
        calls.push(command);
        return execute();
      }),
    );
    await create(person({ team: 1 }));
    // The first one reads the head, too.
    expect(calls).toEqual(['GetCommand', 'GetCommand', 'TransactWriteCommand']);
    calls = [];
    await create(person({ team: 2, length: 1 }));
    expect(calls).toEqual(['TransactWriteCommand']);
  });

  test('that two add at once are added by both, or by one if only one fits', async () => {
    const { person, names, container } = start();
    const both = [{ one: 1 }, { two: 1 }].map((attributes) => container().users.create(person(attributes)));
    await Promise.all(both);
    expect(names()?.toSorted()).toEqual(['one', 'two']);
    const three = ['a', 'b', 'c'].map((name) => container().users.create(person({ [name]: 1 })));
    const done = await Promise.allSettled(three);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(names()?.length).toBe(4);
  });

  test('that nobody has any more leave with a merge, and others may come', async () => {
    const { users, person, names, database, fold } = start();
    const { id } = await users.create(person(FOUR));
    await users.create(person({ team: 1 }));
    await fold();
    await users.delete(id);
    await merge(database, createReplica(database));
    expect(names()).toEqual(['team']);
    await users.create(person({ other: 1 }));
    expect(names()).toEqual(['team', 'other']);
  });
});

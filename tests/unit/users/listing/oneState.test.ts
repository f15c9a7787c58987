import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Database } from '../../../../lib/users/database.ts';
import { withJournal } from '../../../../lib/users/journal/journal.ts';
import { beginStage } from '../../../../lib/users/journal/newStage.ts';
import { createUserListing, type UserPage } from '../../../../lib/users/listing/listing.ts';
import { inOneState } from '../../../../lib/users/listing/oneState.ts';
import { totalOrder } from '../../../../lib/users/listing/order.ts';
import type { Call } from '../../../support/fake/store.ts';
import { serviceOn } from '../../../support/service.ts';

type Asked = { name: string; index: boolean };

const calledOf = ({ command, input }: Call): Asked => ({
  name: command,
  index: (input as { IndexName?: string }).IndexName !== undefined,
});

/** A listing in a container that has read the journal before. A test can do something after its next read. */
async function listed(...names: string[]) {
  const given = serviceOn.memory();
  await given.users.createMany(names.map((name) => ({ name })));
  await given.fold();
  let after: ((call: Asked) => Promise<unknown>) | undefined;
  const calls: Asked[] = [];
  const listing = createUserListing(
    given.databaseOf(async (call, execute) => {
      const response = await execute();
      const called = calledOf(call);
      calls.push(called);
      await after?.(called);
      return response;
    }),
  );
  const page = async () => {
    const order = totalOrder([{ property: 'name', direction: 'asc' }]);
    const found = (await listing.page({ filters: {}, keyword: undefined, order, number: 0, size: 20 })) as UserPage;
    return { names: found.users.map(({ name }) => name), total: found.total };
  };
  await page();
  calls.length = 0;
  return {
    ...given,
    calls,
    page,
    /** Does something once, after a read. */
    onceAfter(isRead: (called: Asked) => boolean, act: () => Promise<unknown>) {
      after = async (called) => {
        if (!isRead(called)) return;
        after = undefined;
        await act();
      };
    },
  };
}

const OF_INDEX = ({ index }: Asked) => index;

describe('a page while others write', () => {
  test('reads a list and the journal once while nobody writes', async () => {
    const { calls, page } = await listed('a', 'z');
    await page();
    expect(calls.map(({ index }) => (index ? 'list' : 'journal'))).toEqual(['list', 'journal']);
  });

  test('is read again if its journal was read more than a second later', async () => {
    const { calls, onceAfter, page, pass, users } = await listed('a', 'z');
    onceAfter(OF_INDEX, async () => {
      await users.create({ name: 'm' });
      pass(1_001);
    });
    expect(await page()).toMatchObject({ names: ['a', 'm', 'z'], total: 3 });
    expect(calls.map(({ index }) => (index ? 'list' : 'journal'))).toEqual(['list', 'journal', 'list']);
  });
});

/** A journal from before the last write. */
const oldJournal = (database: Database) => withJournal(database, async (journal) => ({ ...journal, tag: 'old' }));

describe('an answer', () => {
  /** Makes an answer that costs so many units. `steps` are what happens, in order. */
  async function made(units: number, budgetUnits: number) {
    const { database, databaseOf, users } = serviceOn.memory({ sizes: { budgetUnits } });
    await users.createMany([{ name: 'a' }, { name: 'z' }]);
    await beginStage(database);
    const steps: string[] = [];
    const asked = databaseOf((call, execute) => {
      steps.push(OF_INDEX(calledOf(call)) ? 'list' : 'journal');
      return execute();
    });
    const answer = inOneState(
      asked,
      await oldJournal(database),
      async ({ database: { dynamo, sizes, tables }, journal: { total } }) => {
        steps.push(`a budget of ${sizes.budgetUnits}`);
        if (units > sizes.budgetUnits) throw new ServiceError('budget', 'It costs too much');
        const list = { TableName: tables.users, IndexName: 'byId', ExpressionAttributeValues: { ':k': 'user' } };
        await dynamo.send(new QueryCommand({ ...list, KeyConditionExpression: 'k = :k' }));
        return total;
      },
    );
    return { outcome: await answer.catch(({ message }: Error) => message), steps };
  }

  test('that had to read more after its journal gets another journal, which is the last that it reads', async () => {
    const { database, databaseOf } = serviceOn.memory();
    await beginStage(database);
    const steps: string[] = [];
    const asked = databaseOf((call, execute) => {
      steps.push(OF_INDEX(calledOf(call)) ? 'list' : 'journal');
      return execute();
    });
    await inOneState(asked, await oldJournal(database), async ({ database: { dynamo, tables }, journal: { tag } }) => {
      const list = { TableName: tables.users, IndexName: 'byId', KeyConditionExpression: 'k = :k' };
      // Another list than the guess has read.
      await dynamo.send(new QueryCommand({ ...list, ExpressionAttributeValues: { ':k': `user ${tag}` } }));
      return tag;
    });
    expect(steps).toEqual(['list', 'journal', 'list', 'journal']);
  });

  test('that costs little is read before its journal, and computed again without DynamoDB', async () => {
    const { outcome, steps } = await made(10, 3_000);
    expect(outcome).toMatchObject({ result: 2 });
    expect(steps).toEqual(['a budget of 200', 'list', 'journal', 'a budget of 3000']);
  });

  test('that costs much is read once, after its journal', async () => {
    const { outcome, steps } = await made(1_000, 3_000);
    expect(outcome).toMatchObject({ result: 2 });
    expect(steps).toEqual(['a budget of 200', 'journal', 'a budget of 3000', 'list']);
  });

  test('that turns out to cost much is charged once for what it had read before its journal', async () => {
    const { database } = serviceOn.memory();
    await beginStage(database);
    const charged: number[] = [];
    await inOneState(database, await oldJournal(database), async ({ database: { dynamo, sizes, tables }, units }) => {
      charged.push(units);
      const list = { TableName: tables.users, IndexName: 'byId', ExpressionAttributeValues: { ':k': 'user' } };
      await dynamo.send(new QueryCommand({ ...list, KeyConditionExpression: 'k = :k' }));
      if (sizes.budgetUnits < 3_000) throw new ServiceError('budget', 'It costs too much');
    });
    expect(charged).toEqual([0, 0]);
  });
});

import { describe, expect, test } from 'vitest';
import { verify } from '../../../../lib/users/rebuild/verify.ts';
import { NOTHING_WRONG } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

describe('statistics that are built for some users', () => {
  test('are not overwritten by an attempt that arrives after a fold has added to them', async () => {
    const given = serviceOn.memory();
    await given.users.createMany(['Lee', 'Li'].map((lastName) => ({ name: 'Ann', lastName })));
    await given.fold();
    const late: (() => Promise<unknown>)[] = [];
    const slow = given.databaseOf((call, execute) => {
      if (call.command === 'BatchExecuteStatementCommand' || call.command === 'BatchWriteCommand') late.push(execute);
      return execute();
    });
    await verify(slow, { always: true, keepOldMs: 1_000 });
    await given.users.createMany([{ name: 'Ann', lastName: 'Lo', status: 'new' }]);
    await given.fold();
    expect(late.length).toBeGreaterThan(0);
    for (const again of late) await again().catch(() => {});
    expect(await verify(given.database)).toMatchObject({ users: 3, ...NOTHING_WRONG });
  });
});

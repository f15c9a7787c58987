import { describe, expect, test } from 'vitest';
import { findLastNames } from '../../lib/users/statistics/lastNames.ts';
import { transactionOf } from '../../lib/users/write.ts';
import { everything } from '../support/recount.ts';
import { createTestService, type TestService } from '../support/store.ts';

const find = async ({ dynamo, tables }: TestService, keyword: string) =>
  (await findLastNames(dynamo, tables, keyword))
    .map(({ name, cells }) => `${name} ${cells.reduce((sum, { users }) => sum + users, 0)}`)
    .sort();

const suffixRows = async (service: TestService) =>
  (await everything(service)).directory
    .filter(({ pk }) => pk !== 'count')
    .map(({ sk, n }) => `${String(sk).split('\0')[0]} ${n}`)
    .sort();

describe('last names', () => {
  test('are found by any piece of them, in any case, each once', async () => {
    const service = await createTestService();
    for (const lastName of ['Anna', 'anna', 'Hannan', 'Lee', 'Łukasz', '李李'])
      await service.users.create({ name: 'x', lastName });
    expect(await find(service, 'AN')).toEqual(['anna 2', 'hannan 1']);
    expect(await find(service, 'n')).toEqual(['anna 2', 'hannan 1']);
    expect(await find(service, 'ł')).toEqual(['łukasz 1']);
    expect(await find(service, '李')).toEqual(['李李 1']);
    expect(await find(service, '李李')).toEqual(['李李 1']);
    expect(await find(service, 'annab')).toEqual([]);
    expect(await find(service, '%')).toEqual([]);
  });

  test('of up to 200 characters are found, and fit into one transaction with the name that they replace', async () => {
    const service = await createTestService();
    const names = ['a'.repeat(45), 'b'.repeat(45), 'c'.repeat(46), '😀'.repeat(200)] as const;
    const { id } = await service.users.create({ name: 'x', lastName: names[0], status: 'one' });
    for (const lastName of names.slice(1)) {
      await service.users.update(id, () => ({ name: 'x', lastName, status: lastName.slice(0, 2) }));
      expect(await find(service, lastName.slice(0, 20))).toEqual([`${lastName} 1`]);
    }
    expect(await find(service, 'a')).toEqual([]);
    const [before, after] = names.map((lastName, i) => ({
      id,
      version: 1,
      name: 'x',
      lastName,
      status: String(i),
      shard: 0,
    }));
    expect(transactionOf(service.tables, [{ before, after }], 0).length).toBeLessThanOrEqual(100);
  });

  test('leave no row behind with their last user', async () => {
    const service = await createTestService();
    const { id: first } = await service.users.create({ name: 'x', lastName: 'Lee' });
    const { id: second } = await service.users.create({ name: 'x', lastName: 'LEE' });
    expect(await suffixRows(service)).toEqual(['e 2', 'ee 2', 'lee 2']);
    await service.users.update(first, () => ({ name: 'x', lastName: 'Ng' }));
    expect(await suffixRows(service)).toEqual(['e 1', 'ee 1', 'g 1', 'lee 1', 'ng 1']);
    await service.users.delete(second);
    expect(await suffixRows(service)).toEqual(['g 1', 'ng 1']);
    await service.users.update(first, () => ({ name: 'x' }));
    expect(await suffixRows(service)).toEqual([]);
  });

  test('leave no row behind either when their last users go at the same moment', async () => {
    const service = await createTestService();
    const users = await service.users.createMany(
      Array.from({ length: 12 }, () => ({ name: 'x', lastName: 'Lee', status: 'gone' })),
    );
    await Promise.all(users.map(({ id }) => service.users.delete(id)));
    expect(await suffixRows(service)).toEqual([]);
    expect((await everything(service)).users).toEqual([]);
  });
});

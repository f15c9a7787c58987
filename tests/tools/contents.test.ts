import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { verify } from '../../lib/users/rebuild/verify.ts';
import { contentsRefusalOf } from '../../tools/deploy/contents.ts';
import { makeFormat6 } from '../support/earlierFormat.ts';
import { serviceOn, type TestService } from '../support/service.ts';

/** Tables with two users in the statistics, and one in the journal. */
async function filled(): Promise<TestService> {
  const service = await serviceOn.embedded();
  await service.users.createMany([{ name: 'Ann' }, { name: 'Bob' }]);
  await service.fold();
  await service.users.create({ name: 'Cem' });
  return service;
}

describe('tables that a stage would adopt', () => {
  test('are adopted when their statistics and their journal count the users, or when they are empty', async () => {
    expect(await contentsRefusalOf(await filled())).toBeUndefined();
    expect(await contentsRefusalOf(await serviceOn.embedded())).toBeUndefined();
  });

  test('are refused when the Directory table is empty and there are users', async () => {
    const [{ tables }, empty] = await Promise.all([filled(), serviceOn.embedded()]);
    const { users } = tables;
    const { directory } = empty.tables;
    await empty.dynamo.send(new DeleteCommand({ TableName: directory, Key: { pk: 'journal', sk: '#head' } }));
    expect(await contentsRefusalOf({ ...empty, tables: { users, directory } })).toBe(
      `Table ${directory} has no statistics of the users in ${users}: "npm run verify -- --restored" computes them.`,
    );
  });

  test('are refused when their statistics have an older format, until they are repaired', async () => {
    const service = await filled();
    await makeFormat6(service, 1);
    expect(await contentsRefusalOf(service)).toBe(
      `Table ${service.tables.directory} has statistics of format 6: "npm run verify -- --repair" brings them to format 7.`,
    );
    await verify(service, { repair: true, keepOldMs: 0 });
    expect(await contentsRefusalOf(service)).toBeUndefined();
  });

  test('are refused when they count other users, until they are verified as restored', async () => {
    const service = await filled();
    const other = await serviceOn.embedded();
    await other.users.createMany([{ name: 'Ann' }, { name: 'Bob' }, { name: 'Cem' }, { name: 'Dan' }]);
    await other.fold();
    const mixed = { ...service, tables: { users: other.tables.users, directory: service.tables.directory } };
    expect(await contentsRefusalOf(mixed)).toBe(
      `Table ${mixed.tables.directory} has the statistics of 3 users, and ${mixed.tables.users} has 4 users: ` +
        'compute them with "npm run verify -- --restored" for this stage, then deploy again.',
    );
    await verify(mixed, { restored: true, keepOldMs: 0 });
    expect(await contentsRefusalOf(mixed)).toBeUndefined();
  });
});

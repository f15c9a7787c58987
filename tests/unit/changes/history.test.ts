import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { eraseHistory } from '../../../lib/changes/history.ts';
import { okHistory } from '../../../lib/http/response/changes.ts';
import { largestFields } from '../../support/arbitraries.ts';
import { HISTORY_DAYS, serviceOn } from '../../support/service.ts';

function start() {
  const given = serviceOn.memory({ historyDays: HISTORY_DAYS });
  const { history } = given.changes;
  const versions = async (id: number) =>
    (await history({ id, before: undefined, size: 500 })).changes.map(({ version }) => version);
  return { ...given, ...given.changes, versions };
}

describe('the history of a user', () => {
  test('of the largest user comes in responses that Lambda can send', async () => {
    const { users, history } = start();
    const { id } = await users.create(largestFields('😀'));
    for (let n = 0; n < 400; n++) await users.update(id, () => largestFields(n % 2 === 0 ? '"' : '😀'));
    let [before, seen]: [number | undefined, number] = [undefined, 0];
    do {
      const page = await history({ id, before, size: 500 });
      seen += page.changes.length;
      const { body } = okHistory({ requestContext: { path: '' } } as APIGatewayProxyEvent, page);
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6_000_000);
      before = page.next;
    } while (before !== undefined);
    expect(seen).toBe(401);
  });

  test('is current and whole at each call of a fold, however late weak reads are', async () => {
    const { processOf, users, versions, setLag } = start();
    setLag(60_000);
    const { id } = await users.create({ name: 'Ann' });
    await users.update(id, () => ({ name: 'Bob' }));
    let looks = 0;
    const watched = processOf(async (_, execute) => {
      expect(await versions(id)).toEqual([2, 1]);
      looks++;
      return execute();
    });
    await watched.fold();
    expect(looks).toBeGreaterThan(5);
    expect(await versions(id)).toEqual([2, 1]);
  });

  test('of a user who was changed many times in one batch comes in pages, none of them empty', async () => {
    const { users, fold, history } = start();
    const { id } = await users.create({ name: 'Ann' });
    for (let age = 0; age < 97; age++) await users.update(id, () => ({ name: 'Ann', age }));
    for (const isFolded of [false, true]) {
      if (isFolded) await fold();
      const all: number[] = [];
      let before: number | undefined;
      do {
        const page = await history({ id, before, size: 7 });
        expect(page.changes).toHaveLength(7);
        all.push(...page.changes.map(({ version }) => version));
        before = page.next;
      } while (before !== undefined);
      expect(all).toEqual(Array.from({ length: 98 }, (_, i) => 98 - i));
    }
  });
});

test('erasing a history removes what was kept before, where changes are no longer kept', async () => {
  const { database, users, fold, versions } = start();
  const { id } = await users.create({ name: 'Ann' });
  await fold();
  await eraseHistory({ ...database, historyDays: 0 }, id);
  expect(await versions(id)).toEqual([]);
});

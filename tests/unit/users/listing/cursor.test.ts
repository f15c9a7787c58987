import { describe, expect, test } from 'vitest';
import type { ModelQuery } from '../../../support/model.ts';
import { askAfter } from '../../../support/questions.ts';
import { serviceOn } from '../../../support/service.ts';

/** Six users whose names are letters, every other one with the status `on`, all folded. */
async function stage() {
  const service = serviceOn.memory();
  const letters = ['a', 'b', 'c', 'd', 'e', 'f'];
  const users = await service.users.createMany(
    letters.map((name, i) => ({ name, ...(i % 2 === 0 && { status: 'on' }) })),
  );
  await service.fold();
  const behind = async (asked: Partial<ModelQuery>, id = 0, size = 3) =>
    (await askAfter(service.listing, asked, id, size)).users.map(({ name }) => name).join('');
  return { ...service, ids: users.map(({ id }) => id), behind };
}

describe('the users after a cursor', () => {
  test('are as the journal has them, where the index is late: changed, moved, gone and new ones', async () => {
    const { behind, ids, users, setLag } = await stage();
    setLag(60_000);
    const [a = 0, b = 0, c = 0, d = 0] = ids;
    await users.update(a, () => ({ name: 'A', status: 'on' }));
    await users.update(b, () => ({ name: 'B', status: 'on' }));
    await users.update(c, () => ({ name: 'C' }));
    await users.delete(d);
    await users.create({ name: 'g', status: 'on' });
    expect(await behind({}, 0, 10)).toBe('ABCefg');
    expect(await behind({ status: 'on' }, 0, 10)).toBe('ABeg');
    expect(await behind({}, a, 2)).toBe('BC');
  });

  test('are refilled in one more read where a stretch is gone, before those behind it whom only the journal has', async () => {
    const { behind, ids, users, setLag } = await stage();
    setLag(60_000);
    await users.create({ name: 'g' });
    for (const id of ids.slice(0, 5)) await users.delete(id);
    expect(await behind({}, 0, 1)).toBe('f');
  });

  test('are read again if the index and the journal took more than a second', async () => {
    const service = await stage();
    let slow = 1;
    const reads: (string | undefined)[] = [];
    const { listing } = service.processOf(({ input }, execute) => {
      reads.push((input as { IndexName?: string }).IndexName);
      if (slow-- > 0) service.pass(1_001);
      return execute();
    });
    expect((await askAfter(listing, {}, 0, 20)).users).toHaveLength(6);
    expect(reads).toEqual(['byId', undefined, 'byId', undefined]);
    slow = Number.POSITIVE_INFINITY;
    await expect(askAfter(listing, {}, 0, 20)).rejects.toMatchObject({ status: 503 });
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksumOf } from '../../../../lib/tooling/moving/checksum.ts';
import { lastOfEach } from '../../../../lib/tooling/moving/copyChanges.ts';
import { type CopyState, readState, stateFile } from '../../../../lib/tooling/moving/copyState.ts';
import { pairUp, usersById } from '../../../../lib/tooling/moving/usersById.ts';
import { folderForTest } from '../../../support/moving.ts';

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const ANN = { id: 1, name: 'Ann', age: 30 };
const BOB = { id: 2, name: 'Bob' };

describe('a checksum', () => {
  test('is the sum of the first 64 bits of the SHA-256 hashes of the users', async () => {
    expect(await checksumOf(each([]))).toEqual({ users: 0, sum: '0000000000000000' });
    // printf '[["id",2],["name","Bob"]]' | sha256sum
    expect(await checksumOf(each([BOB]))).toEqual({ users: 1, sum: 'cb4d4311447fb18e' });
  });

  test('is the same for the same users in any order, and differs if one is missing, different, or there several times', async () => {
    const { id, name, age } = ANN;
    const same = [
      [ANN, BOB],
      [BOB, { age, name, id }],
    ];
    const others = [[ANN], [], [ANN, BOB, BOB, BOB], [{ ...ANN, age: 31 }, BOB], [{ id, name }, BOB]];
    const sums = await Promise.all([...same, ...others].map((all) => checksumOf(each(all))));
    expect(sums[1]).toEqual(sums[0]);
    expect(new Set(sums.map(({ sum }) => sum)).size).toBe(1 + others.length);
  });
});

describe('users by id', () => {
  const person = (id: number, name = `N${id}`) => ({ id, name, createdAt: '2026-01-01T00:00:00.000Z' });
  const idsOf = fc
    .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
    .map((ids) => ids.sort((a, b) => a - b));

  test('are all users with a higher id, whatever the size of a batch', async () => {
    await fc.assert(
      fc.asyncProperty(idsOf, fc.nat(60), fc.integer({ min: 1, max: 7 }), async (ids, after, size) => {
        const read = async (cursor: number) =>
          ids
            .filter((id) => id > cursor)
            .slice(0, size)
            .map((id) => person(id));
        const found: number[] = [];
        for await (const { id } of usersById(read, after)) found.push(id);
        expect(found).toEqual(ids.filter((id) => id > after));
      }),
    );
  });

  test('fail when a batch cannot be read', async () => {
    const users = usersById(async (cursor) => {
      if (cursor === 2) throw new Error('gone');
      return [person(1), person(2)];
    }, 0);
    expect([(await users.next()).value?.id, (await users.next()).value?.id]).toEqual([1, 2]);
    await expect(users.next()).rejects.toThrow('gone');
  });

  test('of two services are paired', async () => {
    await fc.assert(
      fc.asyncProperty(idsOf, idsOf, async (left, right) => {
        const users = (ids: readonly number[], name: string) => each(ids.map((id) => person(id, name)));
        const pairs = [];
        for await (const { id, source, target } of pairUp(users(left, 's'), users(right, 't')))
          pairs.push([id, source?.name, target?.name]);
        const all = [...new Set([...left, ...right])].sort((a, b) => a - b);
        const nameIn = (ids: readonly number[], id: number, name: string) => (ids.includes(id) ? name : undefined);
        expect(pairs).toEqual(all.map((id) => [id, nameIn(left, id, 's'), nameIn(right, id, 't')]));
      }),
    );
  });
});

test('of several changes of a user only the last one counts', () => {
  const change = (id: number, version: number) => ({
    id,
    version,
    type: 'updated' as const,
    at: '2026-01-01T00:00:00Z',
  });
  const last = lastOfEach([change(1, 1), change(2, 5), change(1, 2), change(1, 3)]);
  expect(last).toEqual([change(1, 3), change(2, 5)]);
});

describe('the state of a copy', () => {
  const urls = { from: 'http://a', to: 'http://b' };
  const state: CopyState = { ...urls, after: 'x-1-0-1', phase: 'users', reached: 7, users: 3 };

  test('is read as it was last written, even after a run that was killed while it wrote', async () => {
    const path = join(folderForTest(), 'copy.json');
    expect(await readState(path, urls)).toBe(undefined);
    const save = stateFile(path);
    await Promise.all([1, 2, 3].map((users) => save({ ...state, users })));
    expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(state, undefined, 2)}\n`);
    writeFileSync(`${path}.next`, '{"from"');
    expect(await readState(path, urls)).toEqual(state);
    await stateFile(path)({ ...state, users: 4 });
    expect(await readState(path, urls)).toEqual({ ...state, users: 4 });
  });

  test('is refused when the file has no state, or the state of a copy between other services', async () => {
    const path = join(folderForTest(), 'copy.json');
    for (const text of ['', '{}', 'null', '{"from":1}']) {
      writeFileSync(path, text);
      await expect(readState(path, urls)).rejects.toThrow(`${path} is not the state of a copy`);
    }
    await stateFile(path)(state);
    await expect(readState(path, { ...urls, to: 'http://c' })).rejects.toThrow('a copy from http://a to http://b');
  });

  test('ends the run when it cannot be written', async () => {
    const path = join(folderForTest(), 'copy.json');
    mkdirSync(path);
    await expect(stateFile(path)(state)).rejects.toThrow(`Cannot write ${path}`);
    await expect(readState(path, urls)).rejects.toThrow(`Cannot read ${path}`);
  });
});

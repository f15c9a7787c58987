import { describe, expect, test } from 'vitest';
import { unavailable } from '../../../lib/ground/index.ts';
import { makeHead, notePressure } from '../../../lib/replica/internals.ts';
import { createHeadCheck } from '../../../lib/users/pressure.ts';
import type { User } from '../../../lib/users/user.ts';
import { serviceOn } from '../../support/service.ts';

const ANN = { id: 1, version: 1, name: 'Ann', age: 30, attributes: { team: 'red' } };
const CREATE = { before: undefined, after: ANN };
const UPDATE = { before: ANN, after: { ...ANN, name: 'Anna', attributes: { team: 'it' } } };

/** A container that writes, what it has read, and for how long it has slept. */
async function start() {
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => slept.push(milliseconds);
  const { database, databaseOf } = serviceOn.memory({ clock: { random: () => 0.5, sleep } });
  await makeHead(database, 1, []);
  let [reads, isThrottled] = [0, false];
  const check = createHeadCheck(
    databaseOf((_, execute) => {
      reads++;
      if (isThrottled) throw unavailable('The store throttles');
      return execute();
    }),
  );
  const write = async (times: number, change: Parameters<typeof check>[0] = UPDATE) => {
    for (let time = 0; time < times; time++) await check(change);
  };
  const throttle = () => {
    isThrottled = true;
  };
  return { database, write, slept, throttle, reads: () => reads };
}

describe('pressure', () => {
  test('is looked at with the first write of a container, and then once in fifty', async () => {
    const { write, reads, slept } = await start();
    await write(50, CREATE);
    expect(reads()).toBe(1);
    await write(1);
    expect([reads(), slept]).toEqual([2, []]);
  });

  test('of a long journal slows all writes by half a second, and is looked at in every fifth of them until it has gone', async () => {
    const { database, write, reads, slept } = await start();
    await notePressure(database, 'long');
    await write(1);
    await write(4, CREATE);
    expect([reads(), slept]).toEqual([1, Array(5).fill(500)]);
    await notePressure(database, undefined);
    await write(5);
    expect([reads(), slept.length]).toEqual([2, 5]);
  });

  test('that cannot be read is what it was, and no write waits for it', async () => {
    const { database, write, reads, slept, throttle } = await start();
    await notePressure(database, 'long');
    await write(1);
    throttle();
    await write(10);
    expect([reads(), slept]).toEqual([3, Array(11).fill(500)]);
  });

  const FULL = {
    status: 503,
    message: 'The users no longer fit into the memory for lists: raise listMemory (docs/runbook.md#size)',
  };

  test.each<[what: string, fields: Partial<User>]>([
    ['a name', { name: 'Anna' }],
    ['a name of as many characters, and more bytes', { name: 'Änn' }],
    ['a status', { status: 'x' }],
    ['an external id', { externalId: 'x' }],
    ['an e-mail', { email: 'a@b.de' }],
    ['a number', { age: 300 }],
    ['an attribute', { attributes: { team: 'red', on: true } }],
    ['the name of an attribute', { attributes: { teams: 'red' } }],
    ['one field by more than another one loses', { name: 'A', status: 'active' }],
    ['another name, as long', { name: 'Bea' }],
    ['another name, which is shorter by less than it has', { name: 'Al' }],
    ['another number', { age: 31 }],
    ['the name of an attribute, as long', { attributes: { meat: 'red' } }],
    ['another value of an attribute', { attributes: { team: 'ice' } }],
    ['a number of a text', { attributes: { team: 123 } }],
    ['a flag of a text', { attributes: { team: true } }],
    ['a list of its text', { attributes: { team: ['red'] } }],
    ['a value that another field loses', { name: 'red', attributes: { team: 'Ann' } }],
  ])('of a base that is full refuses a user who gets %s', async (_, fields) => {
    const { database, write } = await start();
    await notePressure(database, 'full');
    await expect(write(1, { before: ANN, after: { ...ANN, ...fields } })).rejects.toMatchObject(FULL);
  });

  test('of a base that is full refuses creates, and takes what becomes shorter by as much as it brings, until there is room', async () => {
    const { database, write } = await start();
    await notePressure(database, 'full');
    await expect(write(1, CREATE)).rejects.toMatchObject(FULL);
    await write(1, { before: ANN, after: undefined });
    for (const fields of [
      {},
      { name: 'A' },
      { name: 'Bea', attributes: {} },
      { attributes: { team: 'x' } },
      { attributes: {} },
    ])
      await write(1, { before: ANN, after: { ...ANN, ...fields } });
    await notePressure(database, undefined);
    await write(5, { before: ANN, after: undefined });
    await write(1, CREATE);
    await write(1, { before: ANN, after: { ...ANN, name: 'Anna' } });
  });

  test('of a base that is full takes a list as one value, which another order makes another one', async () => {
    const { database, write } = await start();
    await notePressure(database, 'full');
    const tags = ['red', 'blue', 'green'];
    const before = { ...ANN, attributes: { tags, note: 'x'.repeat(40) } };
    const tagged = (...tags: string[]) => ({
      before,
      after: { ...before, attributes: { ...before.attributes, tags } },
    });
    await expect(write(1, tagged('green', 'blue', 'red'))).rejects.toMatchObject(FULL);
    await expect(write(1, tagged('red', 'blue'))).rejects.toMatchObject(FULL);
    await write(1, tagged('red'));
    await write(1, { before, after: { ...before, attributes: { tags: ['blue', 'red', 'green'] } } });
  });
});

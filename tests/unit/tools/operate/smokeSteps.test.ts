import { describe, expect, test } from 'vitest';
import { type SmokeRun, STEPS } from '../../../../tools/operate/smokeSteps.ts';

/** Runs the step that reads the user, of a service that has this one. */
async function read(user: Record<string, unknown>, received: object): Promise<void> {
  const statuses = [200, 304];
  const send = async () => ({ status: statuses.shift() ?? 500, headers: new Headers(), body: received });
  const run: SmokeRun = { send, lastName: 'Smoke1', user, etag: '"1"' };
  await STEPS['returns the user, or 304 to a client that has it']?.(run);
  expect(statuses).toEqual([]);
}

describe('a comparison of the smoke test', () => {
  test.each([
    ['a member without a value', { id: 1, age: undefined }, { id: 1 }],
    ['another order of members', { id: 1, age: 3 }, { age: 3, id: 1 }],
  ])('takes %s for the same, as JSON does', async (_, user, received) => {
    await expect(read(user, received)).resolves.toBe(undefined);
  });

  test.each([
    [{ id: 1, age: null }, { id: 1 }, '{"id":1} instead of {"id":1,"age":null}'],
    [{ id: 1, age: undefined }, { id: 1, age: 3 }, '{"id":1,"age":3} instead of {"id":1}'],
    [{ id: 1, age: 3 }, { id: 1, age: '3' }, '{"id":1,"age":"3"} instead of {"id":1,"age":3}'],
  ])('of %j with %j shows how they differ', async (user, received, end) => {
    await expect(read(user, received)).rejects.toThrow(`the user is ${end}`);
  });
});

import { describe, expect, test } from 'vitest';
import { pickFields } from '../../../../lib/users/user.ts';
import type { Batches, Operation, Result } from '../../../../tools/import/batches.ts';
import { createSync } from '../../../../tools/import/sync.ts';

const ANN = { id: 7, name: 'Ann', externalId: 'a', status: 'active', attributes: { team: 'red', valueOf: 1 } };

interface Meanwhile {
  /** The results of the service, one operation after another. */
  results?: Result[];
  /** The user who has the external id by then. */
  found?: object;
  /** The user who had it when the import began. */
  known?: object;
  replaces?: boolean;
  ids?: number[];
}

/** Sends a line. */
async function send(given: Record<string, unknown>, { results = [], found, known, ids, ...options }: Meanwhile = {}) {
  const sent: Operation[] = [];
  const batches = {
    run: async (operation: Operation) => {
      sent.push(operation);
      return results.shift() ?? { status: operation.op === 'create' ? 201 : 200 };
    },
    findBy: async () => found,
  };
  const before = new Map(known ? [['a', JSON.stringify(known)]] : []);
  const settings = { replaces: false, isDryRun: false, ...options };
  const sync = createSync(batches as unknown as Batches, before, settings);
  const user = { name: 'Ann', externalId: 'a', ...given };
  return { outcome: await sync({ fields: pickFields(user), given: user, ids }), sent };
}

describe('a line of a sync', () => {
  test('changes the fields and attributes that it names, and takes away those that it says are none', async () => {
    const given = { status: undefined, email: 'a@a.example', attributes: { valueOf: null, toString: ['x'] } };
    expect(await send(given, { known: ANN })).toEqual({
      outcome: { is: 'updated', updated: ['status', 'email', 'attributes.valueOf', 'attributes.toString'] },
      sent: [{ op: 'patch', id: 7, patch: { name: 'Ann', externalId: 'a', ...given, status: null } }],
    });
  });

  test.each([
    [{}],
    [{ country: undefined, age: null }],
    [{ attributes: {} }],
    [{ attributes: { team: 'red', level: null } }],
  ])('writes nothing when it says nothing else: %j', async (given) => {
    expect(await send(given, { known: ANN })).toEqual({ outcome: { is: 'there' }, sent: [] });
  });

  test('with --replace takes away what it does not name', async () => {
    const { outcome, sent } = await send({ attributes: { team: 'red' } }, { known: ANN, replaces: true });
    expect(outcome).toEqual({ is: 'updated', updated: ['status', 'attributes.valueOf'] });
    const user = { name: 'Ann', externalId: 'a', attributes: { team: 'red' } };
    expect(sent).toEqual([{ op: 'replace', id: 7, user }]);
    const same = { status: 'active', attributes: { valueOf: 1, team: 'red' } };
    expect((await send(same, { known: ANN, replaces: true })).outcome).toEqual({ is: 'there' });
  });

  const TAKEN = { status: 409, code: 'external-id-taken', message: 'There is a user with this externalId' };
  const [GONE, HERE] = [{ status: 404 }, { status: 412 }];

  test.each<[string, Meanwhile, string, string[]]>([
    ['created by somebody else, with more fields', { results: [TAKEN], found: ANN }, 'there', ['create']],
    [
      'created by somebody else, otherwise',
      { results: [TAKEN], found: { ...ANN, name: 'A' } },
      'updated',
      ['create', 'patch'],
    ],
    ['deleted', { results: [GONE], known: { ...ANN, name: 'A' } }, 'created', ['patch', 'create']],
    ['given another external id', { results: [HERE], known: { ...ANN, name: 'A' } }, 'created', ['patch', 'create']],
    ['in the way of an id, of two', { results: [HERE], ids: [1, 2] }, 'created', ['create', 'create']],
    ['in the way of the only id', { results: [HERE], ids: [1] }, 'refused', ['create']],
    ['owner of the address', { results: [{ status: 409, code: 'email-taken' }] }, 'refused', ['create']],
    [
      'written all the time',
      { results: Array(9).fill(TAKEN), found: { ...ANN, name: 'A' } },
      'refused',
      ['create', ...Array(4).fill('patch')],
    ],
  ])('finds who is %s meanwhile', async (_, meanwhile, is, ops) => {
    const { outcome, sent } = await send({}, meanwhile);
    expect([outcome.is, sent.map(({ op }) => op)]).toEqual([is, ops]);
  });
});

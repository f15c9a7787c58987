import { describe, expect, test } from 'vitest';
import { type DrillActions, drilled } from '../../../../tools/operate/restoration.ts';

const TABLES = ['own-users', 'own-directory'] as const;
const [EARLIER, LATER] = [new Date('2026-11-28T02:00:00Z'), new Date('2026-11-28T02:01:00Z')];

interface Fate extends Partial<DrillActions> {
  /** Tables of a drill that was interrupted. */
  left?: string[];
  /** The exit codes of the two verifications. */
  codes?: (number | null)[];
  minutes?: number;
}

/** A drill with this fate: how it ends, what was done in which order, and which of its tables are left. */
async function drill({ left = [], codes = [0, 0], minutes = 20, ...own }: Fate = {}) {
  const done: string[] = [];
  let time = 0;
  const madeAt = new Map(left.map((table) => [table, Number.NEGATIVE_INFINITY]));
  const actions: DrillActions = {
    latest: async (table) => (table === 'own-users' ? LATER : EARLIER),
    async restore(table, moment) {
      done.push(`restore ${table} to ${moment.toISOString()}`);
      madeAt.set(`${table}-drill`, time + minutes * 60_000);
    },
    async statusOf(table) {
      const at = madeAt.get(table);
      return at === undefined ? undefined : at > time ? 'CREATING' : 'ACTIVE';
    },
    async remove(table) {
      done.push(`delete ${table}`);
      madeAt.delete(table);
    },
    verify(tables, options) {
      done.push(`verify ${tables.join()} ${options.join(' ')}`);
      return codes.shift() ?? null;
    },
    ...own,
  };
  const sleep = async (milliseconds: number) => {
    time += milliseconds;
  };
  const ending = await drilled('prod', TABLES, actions, { monotonic: () => time, sleep }).catch(
    ({ message }) => message,
  );
  return { ending, done, left: [...madeAt.keys()] };
}

const RESTORED = ['restore own-users to 2026-11-28T02:00:00.000Z', 'restore own-directory to 2026-11-28T02:00:00.000Z'];
const FIRST = 'verify own-users,own-directory --stage drill --restored';
const SECOND = 'verify own-users,own-directory --stage drill';
const DELETED = ['delete own-users-drill', 'delete own-directory-drill'];

describe('a drill', () => {
  test('restores both tables to the latest moment that both have, verifies them twice, and deletes them', async () => {
    expect(await drill()).toEqual({
      ending: [0, 'The tables were restored to 2026-11-28T02:00:00.000Z and are whole.'],
      done: [...RESTORED, FIRST, SECOND, ...DELETED],
      left: [],
    });
  });

  test.each<[string, (number | null)[], number, string, string[]]>([
    ['are not whole', [0, 1], 1, 'are not whole: see above, before somebody needs them.', [FIRST, SECOND]],
    ['could not be verified', [2], 2, 'could not be verified.', [FIRST]],
    ['could not be verified to the end', [null], 2, 'could not be verified.', [FIRST]],
  ])('says that the users %s, and deletes the tables', async (_, codes, code, said, verified) => {
    expect(await drill({ codes })).toEqual({
      ending: [code, `The users restored to 2026-11-28T02:00:00.000Z ${said}`],
      done: [...RESTORED, ...verified, ...DELETED],
      left: [],
    });
  });

  test('deletes first what an interrupted one has left', async () => {
    const { done, left } = await drill({ left: ['own-directory-drill'] });
    expect([done[0], left]).toEqual(['delete own-directory-drill', []]);
  });

  test('gives up after five hours, and deletes the tables when they are there', async () => {
    const { ending, left } = await drill({ minutes: 400 });
    expect([ending, left]).toEqual([[2, 'The tables were not restored within 5 hours.'], []]);
  });

  test('deletes what it has made when it fails', async () => {
    const verify = () => {
      throw new Error('No process');
    };
    expect(await drill({ verify })).toMatchObject({ ending: 'No process', left: [] });
  });

  test('does nothing at a stage without point-in-time recovery', async () => {
    expect(await drill({ latest: async () => undefined })).toEqual({
      ending: [2, 'Stage prod has no point-in-time recovery: nothing can be restored.'],
      done: [],
      left: [],
    });
  });
});

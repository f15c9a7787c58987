import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expiryOf, isExpired } from '../../lib/changes/items.ts';
import { createFold } from '../../lib/replica/index.ts';
import { verify } from '../../tools/verify/verify.ts';
import { AT_ONCE, named } from '../support/fake/steps.ts';
import { serviceOn } from '../support/service.ts';

const TIMES = Number(process.env.TIMES ?? 1);
const HOUR_MS = 3_600_000;

const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), size: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('set' as const), days: fc.constantFrom(0, 1, 2, 5, 10) }),
  fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 60 }) }),
);

/** A batch as the model knows it. */
interface Batch {
  ids: number[];
  ttl: number;
}

function start() {
  const { users, changes, database, runtime, pass } = serviceOn.memory({ historyDays: 10 });
  const batches: Batch[] = [];
  let days = 10;

  /** In pages, to the end. Undefined if a request is 410. @param direction the parameter that has the token */
  async function follow(direction: 'after' | 'before', token: string | undefined): Promise<number[] | undefined> {
    const ids: number[] = [];
    try {
      for (let next = token; ; ) {
        const page = await changes.feed({ [direction]: next, size: 2 });
        ids.push(...page.changes.map(({ id }) => id));
        next = page.next;
        if (page.changes.length === 0 || next === undefined) return ids;
      }
    } catch (error) {
      expect(error).toMatchObject({ status: 410 });
      return undefined;
    }
  }

  return {
    database,
    follow,
    pass,
    set: (to: number) => {
      days = to;
    },
    async write(size: number) {
      const created = await users.createMany(named(...'abc'.slice(0, size)));
      await createFold(Object.assign({}, database, { historyDays: days }), AT_ONCE).run(600_000);
      batches.push({ ids: created.map(({ id }) => id), ttl: expiryOf(runtime.now(), days) });
    },
    tokenOfNow: async () => (await changes.feed({ after: 'now', size: 1 })).next ?? '',
    /** The batches after the last one that has expired. */
    kept: () => batches.slice(batches.findLastIndex((batch) => isExpired(runtime.now(), batch)) + 1),
    count: () => batches.length,
  };
}

test('whatever number of days changes are kept for, and however often it changes, the feed has those that no gap is after, forth and back, 410 tells of all others, and none counts as lost', async () => {
  let [gaps, gone] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { database, follow, pass, set, write, tokenOfNow, kept, count } = start();
      const tokens: { token: string; before: number }[] = [];
      for (const each of steps) {
        if (each.kind === 'write') await write(each.size);
        else if (each.kind === 'set') set(each.days);
        else pass(each.hours * HOUR_MS);
        tokens.push({ token: await tokenOfNow(), before: count() });
        const present = kept();
        const all = present.flatMap(({ ids }) => ids);
        expect(await follow('after', undefined)).toEqual(all);
        expect(await follow('before', 'now')).toEqual(all.toReversed());
        for (const { token, before } of tokens) {
          const place = before - (count() - present.length);
          const [earlier, later] = [present.slice(0, Math.max(0, place)), present.slice(Math.max(0, place))];
          const expected = [earlier.flatMap(({ ids }) => ids).reverse(), later.flatMap(({ ids }) => ids)];
          const found = [await follow('before', token), await follow('after', token)];
          expect(found).toEqual(place < 0 ? [undefined, undefined] : expected);
          gone += Number(place < 0);
        }
        gaps += Number(present.length < count());
      }
      // A stage that nobody has written to has no head yet.
      if (count() > 0) expect((await verify(database)).wrongChanges).toBe(0);
    }),
    { numRuns: 30 * TIMES },
  );
  // Otherwise nothing has expired.
  expect(Math.min(gaps, gone)).toBeGreaterThan(0);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ensureBase } from '../../lib/replica/internals.ts';
import { pickFields } from '../../lib/users/user.ts';
import { question, userFields } from '../support/arbitraries.ts';
import { usersOf } from '../support/fake/steps.ts';
import { type ModelUser, modelFilter, modelWalk } from '../support/model.ts';
import { askWalk } from '../support/questions.ts';
import { serviceOn } from '../support/service.ts';

/** The long run takes this many times as many walks. */
const TIMES = Number(process.env.TIMES ?? 1);

/** Few users have deltas and merges. */
const LIMITS = { batchEntries: 5, deltaCharacters: 80, partBytes: 300, mergeLeast: 6, mergeShare: 0.1 };

/** A write between two steps of a walk. */
const write = fc.record({
  on: fc.nat(),
  becomes: fc.option(userFields, { nil: undefined, freq: 2 }),
  isNew: fc.boolean(),
  folds: fc.boolean(),
});

const textOf = (user: ModelUser): string => JSON.stringify(user);

test('a walk in any order, with any filters, has each user who does not change meanwhile once, and ends', async () => {
  const property = fc.asyncProperty(
    fc.array(userFields, { minLength: 5, maxLength: 40, size: 'max' }),
    question,
    fc.array(write, { minLength: 1, maxLength: 12 }),
    async (people, makeQuestion, writes) => {
      const { users, fold, pass, store, database, listing } = serviceOn.memory({ limits: LIMITS });
      await users.createMany(people);
      await ensureBase(database);
      const asked = { ...makeQuestion(usersOf(store)), size: 3 };
      const lasting = new Set(usersOf(store).map(textOf));
      const seen: ModelUser[] = [];
      for (let place: ModelUser | undefined, i = 0; ; i++) {
        const all = usersOf(store);
        const { found } = await askWalk(listing, asked, place);
        expect(found).toEqual(modelWalk(all, asked, place));
        seen.push(...found.users);
        place = found.users.at(-1);
        if (!found.hasMore) break;
        const { on, becomes: fields, isNew, folds } = writes[i % writes.length] ?? { on: 0 };
        // A write that comes again would take what only one user may have.
        const becomes = fields && (i < writes.length ? fields : pickFields({ ...fields, externalId: undefined }));
        const id = all[on % all.length]?.id ?? 0;
        // The walk ends: only twenty are new.
        if (becomes && isNew && i < 20) await users.create(becomes);
        else if (becomes) await users.update(id, () => becomes);
        else if (all.length > 1) await users.delete(id);
        if (folds) await fold();
        pass(folds ? 700_000 : 1);
        const now = new Set(usersOf(store).map(textOf));
        for (const text of lasting) if (!now.has(text)) lasting.delete(text);
      }
      const matching = modelFilter(usersOf(store), asked).map(textOf);
      const expected = matching.filter((text) => lasting.has(text));
      expect(
        seen
          .map(textOf)
          .filter((text) => lasting.has(text))
          .sort(),
      ).toEqual(expected.sort());
    },
  );
  await fc.assert(property, { numRuns: 60 * TIMES, endOnFailure: true });
});

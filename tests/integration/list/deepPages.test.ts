import type { QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { loadUsers } from '../../../lib/users/rebuild/load.ts';
import type { ModelQuery } from '../../support/model.ts';
import { askNames } from '../../support/questions.ts';
import { serviceOn, type TestService } from '../../support/service.ts';

const USERS = 1_400;

/** More users than DynamoDB reads at once. A page of a client has at most a hundred, but a plan may read more for it. */
const SIZE = 700;

/** Users of 2 KB, so that DynamoDB cuts a read after some 400 of them. */
const long = '𝒳'.repeat(190);
const group = '𝒳'.repeat(64);

/** Counts the reads that DynamoDB cut: they gave fewer items than asked for, and there are more. */
function countCuts({ dynamo }: TestService): () => number {
  let cuts = 0;
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { Limit = Number.POSITIVE_INFINITY } = args.input as { Limit?: number };
      const { Count = 0, LastEvaluatedKey } = result.output as QueryCommandOutput;
      if (LastEvaluatedKey !== undefined && Count < Limit) cuts++;
      return result;
    },
    { step: 'initialize', name: 'countCuts' },
  );
  return () => cuts;
}

test('every page of a status in the order of names is right, although DynamoDB cuts its reads at 1 MB', async () => {
  const service = await serviceOn.embedded();
  const names = Array.from({ length: USERS }, (_, n) => `${long}${n}`);
  const people = names.map((name) => ({ name, firstName: long, status: group, country: group }));
  await loadUsers(service, people.values(), { users: USERS });
  const cuts = countCuts(service);
  const found: string[] = [];
  for (let page = 0; page < USERS / SIZE; page++) {
    const asked: ModelQuery = { status: group, sort: [{ property: 'name', direction: 'asc' }], page, size: SIZE };
    const { names: some, total } = await askNames(service.listing, asked);
    expect(total).toBe(USERS);
    found.push(...some);
  }
  expect(found).toEqual(names.toSorted());
  expect(cuts()).toBeGreaterThan(0);
});

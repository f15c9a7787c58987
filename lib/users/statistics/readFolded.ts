import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from '../database.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { contains, keyIn, type List, sortKeyIn } from '../lists.ts';
import { compareCodePoints } from '../text.ts';
import { toUser } from '../userItem.ts';
import { byKey, type Member } from './boundaries.ts';
import { FIRST_BOUND } from './pages.ts';

/** L3. The members of a stretch of a list without what the journal says: as the folds have left them. `to` is not included. */
export async function readFolded(
  { dynamo, tables }: Database,
  entries: readonly JournalEntry[],
  list: List,
  from: string,
  to: string | undefined,
): Promise<Member[]> {
  const { index, partition } = list;
  const isWithin = (key: string) =>
    compareCodePoints(key, from) >= 0 && (to === undefined || compareCodePoints(key, to) < 0);
  const oldest = new Map(entries.map((entry) => [entry.id, entry]));
  const members = [...oldest.values()].flatMap(({ before }) =>
    before && contains(list, before) ? [{ key: keyIn(list, before), user: before }] : [],
  );
  const bounded =
    from === FIRST_BOUND
      ? to === undefined
        ? ''
        : ' AND #sort <= :to'
      : to === undefined
        ? ' AND #sort >= :from'
        : ' AND #sort BETWEEN :from AND :to';
  let next: Record<string, unknown> | undefined;
  do {
    const response = await dynamo.send(
      new QueryCommand({
        TableName: tables.users,
        IndexName: index.name,
        KeyConditionExpression: `#partition = :partition${bounded}`,
        ExpressionAttributeNames: { '#partition': index.partitionKey, ...(bounded && { '#sort': index.sortKey }) },
        ExpressionAttributeValues: {
          ':partition': partition,
          ...(from !== FIRST_BOUND && { ':from': sortKeyIn(list, from) }),
          ...(to !== undefined && { ':to': sortKeyIn(list, to) }),
        },
        ExclusiveStartKey: next,
      }),
    );
    for (const item of response.Items ?? []) {
      const user = toUser(item);
      if (!oldest.has(user.id)) members.push({ key: keyIn(list, user), user });
    }
    next = response.LastEvaluatedKey;
  } while (next !== undefined);
  return members.filter(({ key }) => isWithin(key)).sort(byKey);
}

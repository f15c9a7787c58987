import { readItemsByKey } from '../../dynamodb/batches.ts';
import type { User } from '../user.ts';
import { toUser } from '../userItem.ts';
import { type Criteria, matcherOf } from './criteria.ts';
import type { View } from './view.ts';

/**
 * D23. The users with the ids of some criteria who meet the others: so few that they are counted and sorted in memory. Undefined if no ids are
 * asked for. A read unit for each who exists.
 */
export async function readChosen({ database, journal, plans }: View, criteria: Criteria): Promise<User[] | undefined> {
  const { ids } = criteria;
  if (!ids) return undefined;
  plans.push('ids');
  // All of them, so that they need not be read again together with another journal.
  const keys = ids.map((id) => ({ id }));
  const items = await readItemsByKey(database, database.tables.users, keys);
  const older = items.map(toUser).filter(({ id }) => !journal.latest.has(id));
  const written = ids.flatMap((id) => journal.latest.get(id)?.after ?? []);
  return [...older, ...written].filter(matcherOf(criteria));
}

import { ServiceError } from '../../errors.ts';
import type { Database } from '../database.ts';
import { type FeedPage, type FeedQuery, readFeed } from './feed.ts';
import { eraseHistory, type HistoryPage, type HistoryQuery, readHistory } from './history.ts';

export const NOT_KEPT = 'Changes are not kept here';

/**
 * What happened to users.
 *
 * @param historyDays for how many days the fold keeps changes. With 0 there is nothing to read (`ServiceError` 404), and what was kept before can be erased
 */
export function createChanges(database: Database, historyDays: number) {
  const requireKept = () => {
    if (historyDays === 0) throw new ServiceError('changes-not-kept', NOT_KEPT);
  };
  return {
    async feed(query: FeedQuery): Promise<FeedPage> {
      requireKept();
      return readFeed(database, historyDays, query);
    },
    async history(query: HistoryQuery): Promise<HistoryPage> {
      requireKept();
      return readHistory(database, query);
    },
    erase: (id: number): Promise<void> => eraseHistory(database, historyDays, id),
  };
}

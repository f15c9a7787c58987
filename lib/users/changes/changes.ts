import type { Database } from '../database.ts';
import { eraseHistory, type HistoryPage, type HistoryQuery, readHistory } from './history.ts';
import { requireKept } from './periods.ts';
import { type FeedPage, readFeed, type ShownQuery } from './shown.ts';

/**
 * What happened to users.
 *
 * @param historyDays for how many days the fold keeps changes. With 0 there is nothing to read (`ServiceError` 404), and what was kept before can be erased
 */
export function createChanges(database: Database, historyDays: number) {
  return {
    async feed(query: ShownQuery): Promise<FeedPage> {
      requireKept(historyDays);
      return readFeed(database, historyDays, query);
    },
    async history(query: HistoryQuery): Promise<HistoryPage> {
      requireKept(historyDays);
      return readHistory(database, query);
    },
    erase: (id: number): Promise<void> => eraseHistory(database, historyDays, id),
  };
}

import type { Database } from '../database.ts';
import { type FeedPage, type FeedQuery, readPlaces, showChanges } from './feed.ts';
import { eraseHistory, type HistoryPage, type HistoryQuery, readHistory } from './history.ts';
import { requireKept } from './periods.ts';

/**
 * What happened to users.
 *
 * @param historyDays for how many days the fold keeps changes. With 0 there is nothing to read (`ServiceError` 404), and what was kept before can be erased
 */
export function createChanges(database: Database, historyDays: number) {
  return {
    async feed(query: FeedQuery): Promise<FeedPage> {
      requireKept(historyDays);
      const { changes, next } = await readPlaces(database, historyDays, query);
      return { changes: await showChanges(database, changes), next };
    },
    async history(query: HistoryQuery): Promise<HistoryPage> {
      requireKept(historyDays);
      return readHistory(database, query);
    },
    erase: (id: number): Promise<void> => eraseHistory(database, historyDays, id),
  };
}

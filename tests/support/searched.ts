/** The parts of a service whose lists come from OpenSearch: tests run with them where `TEST_OPENSEARCH` says where one is. */
import { createFoldWith, createFollower, createIndexUpkeep, readHead } from '../../lib/replica/index.ts';
import { createEngine } from '../../lib/search/index.ts';
import type { Database } from '../../lib/users/database.ts';
import type { UserListing } from '../../lib/users/questions.ts';
import { createSearchedListing } from '../../lib/users/searched.ts';
import { createUserIndex, indexNames } from '../../lib/users/userIndex.ts';
import { AT_ONCE } from './fake/steps.ts';

export const SEARCH_ENDPOINT = process.env.TEST_OPENSEARCH;

const LONG_MS = 600_000;

/** @param stage the name of the stage, with which the names of its indexes begin */
export function searchedParts(database: Database, stage: string, endpoint = String(SEARCH_ENDPOINT)) {
  const engine = createEngine({ endpoint, runtime: database.runtime });
  const index = createUserIndex(engine, stage, 2);
  const indexer = (takesPlace: boolean) => createFollower(database, index, { changeOverMs: 0, takesPlace });
  const follower = indexer(true);
  const { run } = createFoldWith(database, createIndexUpkeep(database), AT_ONCE);
  const listing = createSearchedListing(database, { engine, nameOf: indexNames(stage) });

  /** Lists are asked when there is an index, as at a stage that has begun. */
  async function ready(): Promise<void> {
    while (!(await readHead(database))?.base?.indexed) await follower.run(LONG_MS);
  }

  const whenReady =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await ready();
      return ask(...given);
    };
  return {
    engine,
    follower,
    /** Another process that fills the index. */
    indexer,
    /** Lists without a wait for an index. */
    searched: listing,
    ready,
    listing: Object.fromEntries(
      Object.entries(listing).map(([name, ask]) => [name, whenReady(ask as () => Promise<unknown>)]),
    ) as unknown as UserListing,
    /** Folds, and lets the index follow. */
    async run(milliseconds: number) {
      const report = await run(milliseconds);
      await follower.run(LONG_MS);
      return report;
    },
  };
}

/** The parts of a stage whose lists come from OpenSearch: see replicaStage.ts. */
import { optionalVariable, requiredVariable, systemRuntime } from '../ground/index.ts';
import { createFoldWith, createFollower, createIndexUpkeep, type FoldOptions, type Storage } from '../replica/index.ts';
import { createEngine, type Engine, signerOf } from '../search/index.ts';
import type { Database } from '../users/database.ts';
import { createSearchedListing } from '../users/searched.ts';
import { createUserIndex, indexNames } from '../users/userIndex.ts';
import { numberVariable } from './database.ts';

/** An engine of this machine asks for no signatures. */
function engineOf({ dynamo }: Pick<Storage, 'dynamo'>): Engine {
  const region = optionalVariable('OPENSEARCH_REGION');
  const sign = region === undefined ? undefined : signerOf({ ...dynamo.config, region });
  return createEngine({ endpoint: requiredVariable('OPENSEARCH_URL'), runtime: systemRuntime, sign });
}

const stage = requiredVariable('STAGE');

export const createListing = (database: Database) =>
  createSearchedListing(database, { engine: engineOf(database), nameOf: indexNames(stage) });

/** How long what came before stays, in milliseconds: as long as folds of before a deployment may run. */
const CHANGE_OVER_MS = 6 * 60_000;

/** The fold, and beside it what follows it. */
export function createStageFold(storage: Storage, options: FoldOptions) {
  const fold = createFoldWith(storage, createIndexUpkeep(storage), options);
  const index = createUserIndex(engineOf(storage), stage, numberVariable('OPENSEARCH_SHARDS', 1));
  const follower = createFollower(storage, index, { changeOverMs: numberVariable('CHANGE_OVER_MS', CHANGE_OVER_MS) });
  return { run: follower.beside(fold.run) };
}

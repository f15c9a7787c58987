/** The parts of a stage whose lists come from OpenSearch: see replicaStage.ts. */
import { SignatureV4 } from '@smithy/signature-v4';
import { optionalVariable, requiredVariable, systemRuntime } from '../ground/index.ts';
import { createFoldWith, createFollower, createIndexUpkeep, type FoldOptions, type Storage } from '../replica/index.ts';
import { createEngine, type Engine, type Sign } from '../search/index.ts';
import type { Database } from '../users/database.ts';
import { createSearchedListing } from '../users/searched.ts';
import { createUserIndex, indexNames } from '../users/userIndex.ts';
import { numberVariable } from './database.ts';

/** Signs as the SDK does, with its credentials. A domain of a stage asks for it, an engine of this machine does not. */
function signed({ dynamo }: Pick<Storage, 'dynamo'>): Sign | undefined {
  const region = optionalVariable('OPENSEARCH_REGION');
  if (region === undefined) return undefined;
  const { credentials, sha256 } = dynamo.config;
  const signer = new SignatureV4({ service: 'es', region, credentials, sha256 });
  return async (url, { method, body }, headers) => {
    const { hostname, host, pathname, protocol } = url;
    const query = Object.fromEntries(url.searchParams);
    const request = { method, hostname, path: pathname, protocol, query, headers: { ...headers, host } };
    return (await signer.sign({ ...request, body })).headers;
  };
}

const engineOf = (storage: Pick<Storage, 'dynamo'>): Engine =>
  createEngine({ endpoint: requiredVariable('OPENSEARCH_URL'), runtime: systemRuntime, sign: signed(storage) });

const stage = requiredVariable('STAGE');

export const createListing = (database: Database) =>
  createSearchedListing(database, { engine: engineOf(database), nameOf: indexNames(stage) });

/** A list reads what the index is behind: it is to be little. In milliseconds. */
const PAUSE_MS = 250;

/** How long what came before stays, in milliseconds: as long as folds of before a deployment may run. */
const CHANGE_OVER_MS = 6 * 60_000;

/** The fold, and beside it what follows it. */
export function createStageFold(storage: Storage, options: FoldOptions) {
  const { runtime } = storage;
  const fold = createFoldWith(storage, createIndexUpkeep(storage), options);
  const index = createUserIndex(engineOf(storage), stage, numberVariable('OPENSEARCH_SHARDS', 1));
  const follower = createFollower(storage, index, { changeOverMs: numberVariable('CHANGE_OVER_MS', CHANGE_OVER_MS) });
  return {
    async run(milliseconds: number) {
      const end = runtime.monotonic() + milliseconds;
      let isFolding = true;
      const folded = fold.run(milliseconds).finally(() => {
        isFolding = false;
      });
      while (isFolding) {
        await follower.run(end - runtime.monotonic());
        await Promise.race([folded, runtime.sleep(PAUSE_MS)]);
      }
      const { behind, behindMs } = await follower.run(end - runtime.monotonic());
      return { ...(await folded), behind, behindMs };
    },
  };
}

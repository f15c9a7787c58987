/** The index of a local service: from an OpenSearch of its own, or from another one. */
import { optionalVariable } from '../../../lib/ground/index.ts';
import { createFollower, createIndexUpkeep, readHead } from '../../../lib/replica/index.ts';
import { createEngine } from '../../../lib/search/index.ts';
import type { Database } from '../../../lib/users/database.ts';
import { createUserIndex } from '../../../lib/users/userIndex.ts';
import { LISTS } from '../../deploy/bundle.ts';
import { isSecure } from '../../program/secure.ts';
import { startOpenSearch } from './start.ts';

const COPY_MS = 60_000;

/** @throws {Error} where `LISTS` or `OPENSEARCH_URL` is none that the local service has */
export function requireLists(lists: string): void {
  if (!LISTS.some((each) => each === lists)) throw new Error(`LISTS is ${LISTS.join(' or ')}, not ${lists}.`);
  const url = optionalVariable('OPENSEARCH_URL');
  if (lists === 'opensearch' && url !== undefined && !isSecure(url, true))
    throw new Error(`OPENSEARCH_URL is an https address, or one such as http://localhost:9200, not ${url}.`);
}

/** The address of an OpenSearch: that of `OPENSEARCH_URL`, or of one that is started. @param onEnd called when that one has ended */
export async function findOpenSearch(onEnd: () => void): Promise<string> {
  const given = optionalVariable('OPENSEARCH_URL');
  if (given !== undefined) return given.replace(/\/$/, '');
  const { endpoint, ended } = await startOpenSearch();
  ended.then(onEnd);
  return endpoint;
}

/** Fills the index with the users of the store, as the fold of a stage does within minutes. */
export async function fillIndex(database: Database, endpoint: string, stage: string): Promise<void> {
  const index = createUserIndex(createEngine({ endpoint, runtime: database.runtime }), stage);
  await createIndexUpkeep(database).begin();
  const follower = createFollower(database, index, { changeOverMs: 0 });
  do await follower.run(COPY_MS);
  while (!(await readHead(database))?.base?.indexed);
}

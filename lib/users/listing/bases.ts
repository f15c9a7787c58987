/** The base that lists begin with: loaded once in a container, and made anew where there is none, or where it does not hold. */
import { withoutDeadline } from '../../deadline.ts';
import { unavailable } from '../../errors.ts';
import { noteReplica } from '../../metering.ts';
import type { Base } from '../../replica/base.ts';
import type { Database } from '../database.ts';
import type { Head, StoredBase } from '../journal/head.ts';
import { askForRepair } from '../journal/headChanges.ts';
import { readHead } from '../journal/items.ts';
import { beginHead, readAnew, scanFewUsers } from '../readAnew.ts';
import { loadBase } from '../storedBase.ts';

export type HeadWithBase = Head & { base: StoredBase };

const NONE = 'The users of this stage have not been read for lists yet: the fold does it within minutes';
const BROKEN = 'The stored base of all users does not hold: the fold reads them anew within minutes';
const TOO_LARGE =
  'The users do not fit into the memory of functions that list: raise listMemory (docs/runbook.md#size)';

export function createBases(database: Database) {
  const { limits, runtime } = database;
  /** The base that is being loaded, for all requests that wait for it. */
  let loading: { name: string; base: Promise<Base | undefined> } | undefined;

  /**
   * Few users are read anew at once, many by the fold.
   *
   * @throws {ServiceError} 503 where the fold must
   */
  async function replaceBroken(head: Head): Promise<void> {
    if (await readAnew(database, head, scanFewUsers)) return;
    await askForRepair(database);
    throw unavailable(BROKEN);
  }

  async function load(head: HeadWithBase): Promise<Base | undefined> {
    const base = await loadBase(database, head.base);
    if (typeof base === 'object') return base;
    const isSwept = base === 'missing' && (await readHead(database))?.base?.name !== head.base.name;
    if (!isSwept) await replaceBroken(head);
    return undefined;
  }

  return {
    replaceBroken,

    /**
     * The base of a head, for all requests that wait for it at once. It goes on when the request that began it has ended.
     *
     * @returns undefined when another base has taken its place
     * @throws {ServiceError} 503 for one that does not fit
     */
    async load(head: HeadWithBase): Promise<Base | undefined> {
      const { name, unpacked } = head.base;
      if (unpacked > limits.baseBytes) throw unavailable(TOO_LARGE);
      if (loading?.name !== name) loading = { name, base: withoutDeadline(() => load(head)) };
      const own = loading;
      const began = runtime.monotonic();
      try {
        return await own.base;
      } finally {
        noteReplica({ megabytes: unpacked / 1_000_000, milliseconds: runtime.monotonic() - began });
        if (loading === own) loading = undefined;
      }
    },

    /**
     * Gives a stage its head and its first base, if one page of a Scan has its users. A lost head is made anew in the same way.
     *
     * @throws {ServiceError} 503 where the fold must
     */
    async begin(head: Head | undefined): Promise<void> {
      const isMade = await readAnew(database, head ?? (await beginHead(database)), scanFewUsers);
      if (!isMade && !(await readHead(database))?.base) throw unavailable(NONE);
    },
  };
}

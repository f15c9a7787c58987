/** The base that lists begin with: loaded once in a container. Where it does not hold, the fold is asked for another one. */

import type { Replica } from '../columns/index.ts';
import { unavailable, withoutDeadline } from '../ground/index.ts';
import type { Head, HeadWithBase } from './head.ts';
import { askForRepair } from './headChanges.ts';
import { readHead } from './journal.ts';
import { sizeOf } from './limits.ts';
import { noteReplica } from './noteReplica.ts';
import { isTooLarge } from './room.ts';
import type { Storage } from './storage.ts';
import { loadBase } from './storedBase.ts';

const NONE = 'The users of this stage have not been read for lists yet: the fold does it within minutes';
const BROKEN = 'The stored base of all users, or a delta, does not hold: the fold reads them anew within minutes';
const TOO_LARGE =
  'The users do not fit into the memory of functions that list: raise listMemory (docs/runbook.md#size)';

/** The base that is being loaded, for all requests that wait for it. */
interface Loading {
  line: string;
  epoch: number;
  base: Promise<Replica | undefined>;
}

/** The fold, which alone makes a head and a base, looks for them whenever it runs. @throws {ServiceError} 503 at a new stage, and after a lost head */
export function requireBase(head: Head | undefined): HeadWithBase {
  if (!head?.base) throw unavailable(NONE);
  return { ...head, base: head.base };
}

export function createBases(database: Storage) {
  const { limits, runtime } = database;
  let loading: Loading | undefined;

  /** One request asks the fold for all. @throws {ServiceError} 503 */
  async function refuseBroken({ base, repairAsked }: HeadWithBase): Promise<never> {
    if (repairAsked <= base.at) await askForRepair(database);
    throw unavailable(BROKEN);
  }

  async function load(head: HeadWithBase): Promise<Replica | undefined> {
    const base = await loadBase(database, head.base);
    if (typeof base === 'object') return base;
    const isSwept = base === 'missing' && (await readHead(database))?.base?.name !== head.base.name;
    return isSwept ? undefined : refuseBroken(head);
  }

  /** One that a merge has replaced meanwhile is as good, with the deltas since. @throws {ServiceError} 503 for one that does not fit */
  function begun(head: HeadWithBase): Loading {
    const { epoch } = head.base;
    if (isTooLarge(limits, sizeOf(head.base))) throw unavailable(TOO_LARGE);
    const isOf = loading?.line === head.line && loading.epoch <= epoch;
    const own = loading && isOf ? loading : { line: head.line, epoch, base: withoutDeadline(() => load(head)) };
    loading = own;
    return own;
  }

  const end = (own: Loading): void => {
    if (loading === own) loading = undefined;
  };

  return {
    refuseBroken,

    /**
     * A base of a head, or an earlier one that is being loaded, for all requests that wait for it at once. It goes on when the request that
     * began it has ended.
     *
     * @returns undefined when another base has taken its place
     * @throws {ServiceError} 503 for one that does not fit, and for one that does not hold
     */
    load(head: HeadWithBase): Pick<Loading, 'epoch' | 'base'> {
      const began = runtime.monotonic();
      const own = begun(head);
      const base = own.base.finally(() => {
        noteReplica({ megabytes: head.base.unpacked / 1_000_000, milliseconds: runtime.monotonic() - began });
        end(own);
      });
      return { epoch: own.epoch, base };
    },
  };
}

/** The base that readers begin with: loaded once in a container. Where it does not hold, the fold is asked for another one. */

import type { Replica } from '../columns/index.ts';
import { unavailable, withoutDeadline } from '../ground/index.ts';
import { type Head, type HeadWithBase, isIndex } from './head.ts';
import { askForRepair } from './headChanges.ts';
import { readHead } from './journal.ts';
import { sizeOf } from './limits.ts';
import { noteReplica } from './noteReplica.ts';
import { isTooLarge } from './room.ts';
import type { Storage } from './storage.ts';
import { loadBase } from './storedBase.ts';

const NONE = 'The rows of this stage have not been read for lists yet: the fold does it within minutes';
const BROKEN = 'The stored base, or a delta, does not hold: the fold makes another base within minutes';
export const TOO_LARGE =
  'The rows do not fit into the memory of functions that list: raise listMemory (docs/runbook.md#size)';

/** The base that is being loaded, for all requests that wait for it. */
interface Loading {
  generation: string;
  epoch: number;
  base: Promise<Replica | undefined>;
}

/** A container's one place for it. */
export interface Loads {
  loading?: Loading | undefined;
}

/** The fold, which alone makes a head and a base, looks for them whenever it runs. @throws {ServiceError} 503 at a new stage, and after a lost head */
export function requireBase(head: Head | undefined): HeadWithBase {
  if (!head?.base) throw unavailable(NONE);
  return { ...head, base: head.base };
}

/** @throws {ServiceError} 503 while no index has all rows */
export function requireIndex({ base }: HeadWithBase): { name: string; indexed: number } {
  if (!base.indexed) throw unavailable('The index of this stage is being made');
  return { name: base.name, indexed: base.indexed };
}

/** One request asks the fold for all. @throws {ServiceError} 503 */
export async function refuseBroken(storage: Storage, { base, repairAsked }: HeadWithBase): Promise<never> {
  if (repairAsked <= base.at) await askForRepair(storage);
  throw unavailable(BROKEN);
}

async function load(storage: Storage, head: HeadWithBase): Promise<Replica | undefined> {
  const base = await loadBase(storage, head.base);
  if (typeof base === 'object') return base;
  const isSwept = base === 'missing' && (await readHead(storage))?.base?.name !== head.base.name;
  return isSwept ? undefined : refuseBroken(storage, head);
}

/** One that a merge has replaced meanwhile is as good, with the deltas since. @throws {ServiceError} 503 for one that does not fit */
function begun(storage: Storage, loads: Loads, head: HeadWithBase): Loading {
  const { epoch } = head.base;
  if (isIndex(head.base)) throw unavailable(NONE);
  if (isTooLarge(storage.limits, sizeOf(head.base))) throw unavailable(TOO_LARGE);
  const { loading } = loads;
  const isOf = loading?.generation === head.generation && loading.epoch <= epoch;
  const own =
    loading && isOf
      ? loading
      : { generation: head.generation, epoch, base: withoutDeadline(() => load(storage, head)) };
  loads.loading = own;
  return own;
}

/**
 * A base of a head, or an earlier one that is being loaded, for all requests that wait for it at once. It goes on when the request that
 * began it has ended.
 *
 * @returns undefined when another base has taken its place
 * @throws {ServiceError} 503 for one that does not fit, and for one that does not hold
 */
export function loadOnce(storage: Storage, loads: Loads, head: HeadWithBase): Pick<Loading, 'epoch' | 'base'> {
  const { monotonic } = storage.runtime;
  const began = monotonic();
  const own = begun(storage, loads, head);
  const base = own.base.finally(() => {
    noteReplica({ megabytes: head.base.unpacked / 1_000_000, milliseconds: monotonic() - began });
    if (loads.loading === own) loads.loading = undefined;
  });
  return { epoch: own.epoch, base };
}

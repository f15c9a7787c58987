/** Users in an index, as the fold's second reader fills it. */
import { type Index, quarantine } from '../replica/index.ts';
import { createIndexing, type Engine } from '../search/index.ts';
import { USER_SHAPE } from './shape.ts';

/** Names of indexes of a stage, by those of their bases: stages may share a domain. */
export const indexNames = (stage: string) => (base: string) => `${stage}-${base}`;

/** @param stage with which the names of indexes begin */
export function createUserIndex(engine: Engine, stage: string, shards?: number): Index {
  const { create, endCopy, exists, put, removeUpTo, show } = createIndexing(engine, USER_SHAPE, quarantine, shards);
  const nameOf = indexNames(stage);
  return {
    create: (name) => create(nameOf(name)),
    exists: (name) => exists(nameOf(name)),
    endCopy: (name) => endCopy(nameOf(name)),
    put: (name, rows, isCopy) => put(nameOf(name), rows, isCopy),
    // The epoch, and behind it a sign that comes after all letters and digits.
    removeOthers: (name) => removeUpTo(nameOf(''), nameOf(name.replace(/-.*/, '~')), nameOf(name)),
    show: (name) => show(nameOf(name)),
  };
}

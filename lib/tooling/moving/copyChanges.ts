import { inParallel } from '../../parallel.ts';
import { pickFields } from '../../users/user.ts';
import type { Change, Reader } from './copySource.ts';
import type { Writer } from './copyTarget.ts';

/** The last change of each user, in any order: what came before it is over. */
export const lastOfEach = (changes: readonly Change[]): Change[] => [
  ...new Map(changes.map((change) => [change.id, change])).values(),
];

/** Makes the target have the user as it was after a change. A change that was erased has no user: the source is asked. */
export async function applyChange({ id, type, user }: Change, source: Reader, writer: Writer): Promise<void> {
  const present = type === 'deleted' ? undefined : (user ?? (await source.user(id)));
  if (present) await writer.put(id, pickFields(present), type === 'updated');
  else await writer.remove(id);
}

export interface CopyChangesOptions {
  source: Reader;
  writer: Writer;
  parallel: number;
}

/**
 * Copies the next changes after a token. If it is killed, only some are copied: then again from the same token.
 *
 * @returns how many changes these were, and the token after them. Undefined if they are no longer kept
 */
export async function copyChanges(
  after: string,
  { source, writer, parallel }: CopyChangesOptions,
): Promise<{ changes: number; next: string } | undefined> {
  const page = await source.changes(after);
  if (!page) return undefined;
  await inParallel(lastOfEach(page.changes), parallel, (change) => applyChange(change, source, writer));
  return { changes: page.changes.length, next: page.next };
}

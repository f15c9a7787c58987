import { ServiceError } from '../../lib/errors.ts';
import { checkUser } from '../../lib/http/request/userBody.ts';
import { systemRuntime } from '../../lib/runtime.ts';
import { MAX_ID } from '../../lib/users/ids.ts';
import { pickFields } from '../../lib/users/user.ts';
import { idsFor, readCreation } from './createdIds.ts';
import type { RefusedFile } from './refused.ts';
import type { Outcome, SendUser, Sent } from './sendUser.ts';
import type { Source, SourceEntry } from './source.ts';

/** The progress of a run. */
export type Tally = Record<Outcome['is'], number> & {
  /** How many lines are in the file of refused lines. */
  missing: number;
  /** The last line that was read. */
  line: number;
};

export const newTally = (): Tally => ({ created: 0, there: 0, changed: 0, gone: 0, refused: 0, missing: 0, line: 0 });

export const countOf = ({ created, there, changed, gone, refused }: Tally): number =>
  created + there + changed + gone + refused;

export interface ImportOptions {
  source: Source;
  refused: RefusedFile;
  parallel: number;
  /** Lines need an id. */
  keepsIds: boolean;
  /** The column of when users were created. Ids are made from it. */
  created?: string | undefined;
  /** Without it, lines are only checked. */
  send?: SendUser | undefined;
  /** What is counted. */
  tally: Tally;
  onProgress: () => void;
  /** Is told of users who are not as the file says. */
  say: (sentence: string) => void;
  /** Ends the reading of the source: a pipe may stay open without another line. */
  endReading: () => void;
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0;

/** The user of a line, or the reason why the service would refuse it. */
function checked({ user, id, createdAt, flaw }: SourceEntry, { keepsIds, created }: ImportOptions): Sent | string {
  if (flaw !== undefined) return flaw;
  const time = created === undefined ? undefined : readCreation(createdAt, created, systemRuntime.now());
  if (typeof time === 'string') return time;
  if (keepsIds && id === undefined) return 'id is required to keep it';
  if (keepsIds && !isId(id)) return `id must be an integer from 1 to ${MAX_ID}`;
  try {
    const fields = pickFields(checkUser(user));
    const kept = keepsIds && isId(id) ? [id] : undefined;
    return { fields, ids: time === undefined ? kept : idsFor(fields, time) };
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/**
 * Sends the users of a source, several at a time. Only these are in memory.
 *
 * @throws the error that ended the run early, after the lines that were sent have been settled
 */
export async function importUsers(options: ImportOptions): Promise<void> {
  const { source, refused, parallel, send, tally, onProgress, say, endReading } = options;
  const entries = source.entries[Symbol.asyncIterator]();
  const failed = new AbortController();
  failed.signal.addEventListener('abort', endReading);

  async function take(entry: SourceEntry): Promise<void> {
    const user = checked(entry, options);
    const outcome: Outcome | undefined =
      typeof user === 'string' ? { is: 'refused', message: user } : await send?.(user);
    const { is, message = '' } = outcome ?? { is: 'created' };
    // With given ids, a user who is there and differs may be another one.
    if (is === 'refused' || is === 'gone' || (is === 'changed' && typeof user === 'object' && user.ids)) {
      refused.write(source.refusedLine(entry, message));
      tally.missing++;
    } else if (message !== '') say(`Line ${entry.line}: ${message}`);
    tally[is]++;
    tally.line = Math.max(tally.line, entry.line);
    onProgress();
  }

  async function work(): Promise<void> {
    while (!failed.signal.aborted) {
      const next = await entries.next();
      if (next.done) return;
      await take(next.value);
    }
  }

  const workers = Array.from({ length: parallel }, () => work().catch((error: unknown) => failed.abort(error)));
  await Promise.all(workers);
  if (failed.signal.aborted) throw failed.signal.reason;
}

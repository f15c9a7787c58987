import { type Failure, ServiceError, systemRuntime } from '../../lib/ground/index.ts';
import { checkUser } from '../../lib/http/request/userBody.ts';
import { MAX_ID } from '../../lib/users/ids.ts';
import { attributesOf, pickFields, type UserFields } from '../../lib/users/user.ts';
import { isObject } from './attributes.ts';
import { idsFor, readCreation } from './createdIds.ts';
import { fitted } from './foreign.ts';
import type { RefusedFile } from './refused.ts';
import type { Outcome, SendUser, Sent } from './sendUser.ts';
import type { Source, SourceEntry } from './source.ts';
import type { KeyCheck } from './touchedKeys.ts';

export type Tally = ReturnType<typeof newTally>;

/** The progress of a run. */
export const newTally = () => ({
  ...{ created: 0, there: 0, changed: 0, gone: 0, updated: 0, deleted: 0, refused: 0 },
  /** How many users were updated in each field. */
  fields: new Map<string, number>(),
  /** How many users lack an attribute that their line has. */
  leftOut: new Map<string, number>(),
  /** How many lines are refused because they have no name. */
  nameless: 0,
  /** How many lines are in the file of refused lines. */
  missing: 0,
  /** The last line that was read. */
  line: 0,
});

/** Of the lines. */
export const countOf = ({ created, there, changed, gone, updated, refused }: Tally): number =>
  created + there + changed + gone + updated + refused;

export interface ImportOptions {
  source: Source;
  refused: RefusedFile;
  parallel: number;
  /** Lines need an id. */
  keepsIds: boolean;
  /** The column of when users were created. Ids are made from it. */
  created?: string | undefined;
  /** Lines of a sync need an external id. */
  keys?: KeyCheck | undefined;
  /** Without it, lines are only checked. */
  send?: SendUser | undefined;
  /** The counts of lines so far. */
  tally: Tally;
  onProgress: () => void;
  /** Is told of users who are not as the file says. */
  say: (sentence: string) => void;
  /** Ends the reading of the source: a pipe may stay open without another line. */
  endReading: () => void;
}

const isId = (id: unknown): id is number => Number.isSafeInteger(id) && Number(id) > 0;

/** The flaw of an id that the user is to keep. */
function flawOfId(id: unknown): string | undefined {
  if (id === undefined) return 'id is required to keep it';
  return isId(id) ? undefined : `id must be an integer from 1 to ${MAX_ID}`;
}

type Given = Record<string, unknown>;

/** @throws {ServiceError} when the service would refuse the user */
function strictly(given: Given): { given: Given; fields: UserFields; leftOut: readonly string[] } {
  const { attributes } = given;
  // Of attributes, a file may have more columns than a user may have values.
  const body = isObject(attributes) ? { ...given, attributes: attributesOf(attributes) } : given;
  return { given, fields: pickFields(checkUser(body)), leftOut: [] };
}

const isOfAttributes = ({ pointer }: Failure): boolean => /^\/attributes(?:\/|$)/.test(pointer);

/** The same, but attributes are made to fit, unless they are a text that is no JSON. @throws {ServiceError} for other fields */
function leniently(user: Given): ReturnType<typeof strictly> {
  try {
    return strictly(user);
  } catch (error) {
    const isForeign = error instanceof ServiceError && error.failures.some(isOfAttributes);
    if (!isForeign || typeof user.attributes === 'string') throw error;
    const { attributes, leftOut } = fitted(user.attributes);
    return { ...strictly({ ...user, attributes }), leftOut };
  }
}

/** More names than a product has members are names of something else, such as dates. */
const MOST_COUNTED = 1_000;

function countLeftOut({ leftOut }: Tally, name: string): void {
  const counted = leftOut.has(name) || leftOut.size < MOST_COUNTED ? name : '…';
  leftOut.set(counted, (leftOut.get(counted) ?? 0) + 1);
}

const isBlank = (name: unknown): boolean => typeof (name ?? '') === 'string' && String(name ?? '').trim() === '';

/** Why the service would refuse a user. A user without a name is counted, as there is an option for those. */
function reasonIn(error: unknown, { name }: Given, tally: Tally): string {
  if (!(error instanceof ServiceError)) throw error;
  if (isBlank(name)) tally.nameless++;
  return error.message;
}

/** The user of a line, or the reason why the service would refuse it. */
function checked(entry: SourceEntry, { keepsIds, created, keys, tally }: ImportOptions): Sent | string {
  const { user = {}, id, createdAt } = entry;
  const flawOfKey = keys?.see(entry);
  const flaw = entry.flaw ?? flawOfKey;
  if (flaw !== undefined) return flaw;
  const time = created === undefined ? undefined : readCreation(createdAt, created, systemRuntime.now());
  if (typeof time === 'string') return time;
  const other = keepsIds ? flawOfId(id) : undefined;
  if (other !== undefined) return other;
  try {
    const { given, fields, leftOut } = keepsIds || entry.isOurs ? strictly(user) : leniently(user);
    const kept = keepsIds && isId(id) ? [id] : undefined;
    const all = [...(entry.leftOut ?? []), ...leftOut];
    return { fields, given, leftOut: all, ids: time === undefined ? kept : idsFor(fields, time) };
  } catch (error) {
    return reasonIn(error, user, tally);
  }
}

/** Whether the service lacks the user of a line. With given ids, a user who is there and differs may be another one. */
const isMissing = (is: Outcome['is'], user: Sent | string): boolean =>
  is === 'refused' || is === 'gone' || (is === 'changed' && typeof user === 'object' && user.ids !== undefined);

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

  async function outcomeOf(user: Sent | string): Promise<Outcome> {
    if (typeof user === 'string') return { is: 'refused', message: user };
    return (await send?.(user)) ?? { is: 'created' };
  }

  async function take(entry: SourceEntry): Promise<void> {
    const user = checked(entry, options);
    const { is, message = '', updated = [] } = await outcomeOf(user);
    for (const field of updated) tally.fields.set(field, (tally.fields.get(field) ?? 0) + 1);
    if (isMissing(is, user)) {
      refused.write(source.refusedLine(entry, message));
      tally.missing++;
    } else if (message !== '') say(`Line ${entry.line}: ${message}`);
    const leftOut = typeof user === 'string' || is === 'refused' ? [] : (user.leftOut ?? []);
    for (const name of leftOut) countLeftOut(tally, name);
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

import { type FeedPlaces, readPlaces } from '../changes/feed.ts';
import type { FeedChange } from '../changes/items.ts';
import { type ShownChange, showChanges } from '../changes/shown.ts';
import { ensureTime, fault, ServiceError, withDeadline } from '../ground/index.ts';
import type { Database } from '../users/database.ts';
import { moveCursor, readCursor, releaseLease, takeLease } from './cursor.ts';

/** Reads what changes were, as far as it was not erased. */
export type Show = (changes: readonly FeedChange[]) => Promise<ShownChange[]>;

/** A receiver of changes. */
export interface Sink {
  /**
   * Resolves when all have been accepted, each user's in their order. It may repeat changes. It shows some just before it sends them:
   * a page takes up to half a minute, and what was erased meanwhile must not be sent.
   *
   * @throws when some were not accepted
   */
  send(changes: readonly FeedChange[], show: Show): Promise<void>;
}

/** When a call dies, at most this many changes are sent again. */
const PAGE = 100;

/** A lease outlives its call by this time at most. It is prolonged after each page. In milliseconds. */
const LEASE_MS = 30_000;

/** Milliseconds that a page should take: it gets longer or shorter by the time of the one before. */
const PAGE_MS = 10_000;

/** A page is given up this long before its lease ends: clocks differ a little. In milliseconds. */
const LEASE_END_MS = 2_000;

/** The result of a run. */
export interface SendReport {
  /** How many changes were sent. */
  sent: number;
  /** The age of the oldest change of the feed that is not sent, by the clock of its writer; 0 if there is none. */
  lagMs: number;
}

interface Page extends FeedPlaces {
  /** Why changes before this page are missing. */
  gap?: ServiceError;
}

interface Lease {
  name: string;
  /** The token that the call has found. */
  at: string | undefined;
  /** In Unix milliseconds. */
  until: number;
}

type Tell = (fault: Error) => void;

const isGone = (): ServiceError =>
  fault(
    'The place of the events is gone: changes after it are no longer kept, or the tables were restored. All changes that are kept are sent, from the oldest on',
  );

/** A container that sends. */
interface Sending {
  database: Database;
  sink: Sink;
  /** How many changes the next page has. */
  size: number;
}

/** For a token after which changes are gone: the oldest changes that are kept. */
async function readPage(sending: Sending, after: string | undefined): Promise<Page> {
  try {
    return await readPlaces(sending.database, { after, size: sending.size });
  } catch (error) {
    if (after === undefined || !(error instanceof ServiceError) || error.status >= 500) throw error;
    return { ...(await readPage(sending, undefined)), gap: isGone() };
  }
}

function lagOf({ database }: Sending, { changes }: Page): number {
  const now = database.runtime.now();
  return now - Math.min(now, ...changes.map(({ at }) => at));
}

/** @returns whether the sink has accepted all of a page in time */
async function sendPage(sending: Sending, until: number, { changes }: Page, tell: Tell): Promise<boolean> {
  const { database, sink } = sending;
  const { runtime } = database;
  const began = runtime.monotonic();
  try {
    await withDeadline(until - LEASE_END_MS, async () => {
      ensureTime(runtime);
      await sink.send(changes, (some) => showChanges(database, some));
    });
    return true;
  } catch (error) {
    tell(error instanceof Error ? error : fault('Changes were not sent'));
    return false;
  } finally {
    const fitting = Math.floor((changes.length * PAGE_MS) / (runtime.monotonic() - began));
    sending.size = Math.max(1, Math.min(PAGE, fitting));
  }
}

/** The pages from a first one on, until a moment of the monotonic clock. */
interface Task {
  lease: Lease;
  first: Page;
  end: number;
}

/** Sends page after page, until there are no more, the sink fails, the lease is lost, or the time is over. */
async function sendPages(sending: Sending, { lease, first, end }: Task, tell: Tell): Promise<SendReport> {
  const { database } = sending;
  const { runtime } = database;
  const { name } = lease;
  let { at, until } = lease;
  let [page, sent] = [first, 0];
  do {
    if (page.gap) tell(page.gap);
    if (page.changes.length > 0 && !(await sendPage(sending, until, page, tell))) break;
    until = runtime.now() + LEASE_MS;
    if (!(await moveCursor(database, { name, at }, page.next, until))) break;
    sent += page.changes.length;
    at = page.next;
    page = await readPage(sending, at);
  } while (page.changes.length > 0 && runtime.monotonic() < end);
  return { sent, lagMs: lagOf(sending, page) };
}

async function run(sending: Sending, milliseconds: number, tell: Tell): Promise<SendReport> {
  const { database } = sending;
  const { runtime } = database;
  const end = runtime.monotonic() + milliseconds;
  const at = await readCursor(database);
  const page = await readPage(sending, at);
  if (page.changes.length === 0 && at !== undefined && !page.gap) return { sent: 0, lagMs: 0 };
  const name = Math.floor(runtime.random() * 36 ** 10).toString(36);
  const lease = { name, at, until: runtime.now() + LEASE_MS };
  if (!(await takeLease(database, name, at, lease.until))) return { sent: 0, lagMs: lagOf(sending, page) };
  try {
    return await sendPages(sending, { lease, first: page, end }, tell);
  } finally {
    // A lease that is not released ends by time.
    await releaseLease(database, name).catch(() => false);
  }
}

/**
 * Sends every change to a sink, at least once, in the order of the feed. It is a client of the feed: it knows nothing of the
 * fold, and the fold nothing of it. Any number of calls may run, and each may end at any moment: the next one goes on after the
 * last page that was sent whole.
 */
export function createSender(database: Database, sink: Sink) {
  const sending: Sending = { database, sink, size: PAGE };
  return {
    /**
     * Sends until all changes of the feed are sent, or the time is over. It leaves them to another call that is sending.
     *
     * @param tell is told what went wrong with sending
     * @throws {ServiceError} when DynamoDB fails
     */
    run: (milliseconds: number, tell: Tell): Promise<SendReport> => run(sending, milliseconds, tell),
  };
}

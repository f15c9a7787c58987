import type { Runtime } from '../../runtime.ts';
import { copyAll } from './copyAll.ts';
import { copyChanges } from './copyChanges.ts';
import { MAX_CHANGES, type Reader } from './copySource.ts';
import type { CopyState } from './copyState.ts';
import type { Writer } from './copyTarget.ts';
import { Stop } from './stop.ts';

/** How often the state is written while users are copied. */
const SAVE_MS = 1_000;

/** How often the source is asked for changes when there were none. */
const POLL_MS = 1_000;

/** Longer than a change stays in the journal. Without `Server-Timing` nobody knows whether one is there. */
const QUIET_MS = 30_000;

/** How long a source that is written all the time is followed, unless it shall be. */
const PATIENCE_MS = 60_000;

export interface CopyOptions {
  source: Reader;
  target: Reader;
  writer: Writer;
  runtime: Runtime;
  parallel: number;
  save: (state: CopyState) => Promise<void>;
  say: (sentence: string) => void;
  /** Goes on following the source until the signal. */
  isFollowing: boolean;
  /** Ends the run, or only the following. */
  signal: AbortSignal;
}

const stopped = (): Stop => new Stop('Stopped before the end');

/** A token of now, and all users to be copied: what changes in between comes again. */
export async function firstState(source: Reader, urls: Pick<CopyState, 'from' | 'to'>): Promise<CopyState> {
  const page = await source.changes('now');
  if (!page) throw new Stop('The source has no place for "now" in its changes');
  return { ...urls, after: page.next, phase: 'users', reached: 0, users: 0 };
}

/** @throws {Stop} when it is stopped before the end */
export async function copyAllUsers(
  state: CopyState,
  { save, signal, runtime, ...options }: CopyOptions,
  onProgress: (users: number) => void,
): Promise<CopyState> {
  let now = state;
  let saved = runtime.monotonic();
  const onReached = async (reached: number, users: number) => {
    now = { ...now, reached: Math.max(now.reached, reached), users: state.users + users };
    onProgress(now.users);
    if (runtime.monotonic() - saved < SAVE_MS) return;
    saved = runtime.monotonic();
    await save(now);
  };
  try {
    await copyAll({ ...options, reached: state.reached, onReached, signal });
  } finally {
    await save(now);
  }
  if (signal.aborted) throw stopped();
  const done: CopyState = { ...now, phase: 'changes' };
  await save(done);
  return done;
}

/**
 * Copies what changes at the source, until nothing is left, or, if it shall follow, until the signal and then nothing is left.
 *
 * @returns `agreed`; or `busy`, when users are written all the time; or `gone`, when changes are no longer kept
 */
export async function copyWhatChanges(
  state: CopyState,
  { source, writer, runtime, parallel, save, say, isFollowing, signal }: CopyOptions,
): Promise<{ state: CopyState; end: 'agreed' | 'busy' | 'gone' }> {
  const { monotonic } = runtime;
  let now = state;
  let [lastChange, caughtUp, hasSaid] = [monotonic(), Number.POSITIVE_INFINITY, false];
  for (;;) {
    const mayEnd = !isFollowing || signal.aborted;
    if (signal.aborted && !isFollowing) throw stopped();
    // The journal first: what had left it by then is in the feed.
    const { journal } = await source.size();
    const page = await copyChanges(now.after, { source, writer, parallel });
    if (!page) return { state: now, end: 'gone' };
    if (page.next !== now.after) {
      now = { ...now, after: page.next };
      await save(now);
    }
    const isLast = page.changes < MAX_CHANGES;
    if (page.changes > 0) lastChange = monotonic();
    const isSilent = journal === 0 || (journal === undefined && monotonic() - lastChange > QUIET_MS);
    const isQuiet = page.changes === 0 && isSilent;
    if (isQuiet && mayEnd) return { state: now, end: 'agreed' };
    if (isQuiet && !hasSaid) say(`Both agree since ${new Date(runtime.now()).toISOString()}. Ctrl-C ends the copy`);
    hasSaid = isQuiet;
    if (mayEnd && isLast) caughtUp = Math.min(caughtUp, monotonic());
    if (monotonic() - caughtUp > PATIENCE_MS) return { state: now, end: 'busy' };
    if (isLast) await runtime.sleep(POLL_MS);
  }
}

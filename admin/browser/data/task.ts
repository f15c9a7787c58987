/** A change of many users, or the undo of one, while it goes on: one at a time in a tab, whatever is shown of it. */

import { may } from '../session/session.ts';
import {
  type Asked,
  ask,
  type EditResult,
  notDone,
  type Page,
  RequestFailure,
  randomKey,
  toFailure,
} from './connection.ts';
import { short } from './filters.ts';
import { say, share, tell } from './state.ts';
import { counted, numberOf } from './time.ts';

export interface Task {
  /** "Changing", "Deleting", "Bringing back". */
  doing: string;
  /** The users of a change, in words. */
  whom: string;
  total: number;
  done: number;
  failed: EditResult['failed'];
  /** The names of those who failed, as far as somebody has read them. */
  names: ReadonlyMap<number, string>;
  isRunning: boolean;
  /** No further call is sent. */
  isStopping: boolean;
  /** When it was begun or went on, and how much was done by then. */
  since: { ms: number; done: number };
  failure?: RequestFailure | undefined;
  /** Goes on with it after a stop or a failure. */
  goOn(): Promise<void>;
}

/** The task that is on its way, or has not come to its end, and whether its panel is open. */
export const tasks: { readonly now?: Task | undefined; readonly isShown: boolean } = { isShown: false };

export function setTask(change: Partial<typeof tasks>): void {
  Object.assign(tasks, change);
  share({});
}

/** Shows nothing of a task any more. */
export const dropTask = (): void => setTask({ now: undefined, isShown: false });

/** Before that much time, and that share of the work, the rest cannot be told. */
const TOLD_AFTER = { ms: 3_000, share: 0.05 };

/** About how long the rest of a task takes, in words. Undefined: too little is done to tell. */
export function leftOf({ total, done, since }: Pick<Task, 'total' | 'done' | 'since'>): string | undefined {
  const ms = Date.now() - since.ms;
  const share = (done - since.done) / (total - since.done);
  if (total === 0 || ms < TOLD_AFTER.ms || share < TOLD_AFTER.share) return undefined;
  const s = ((ms / share) * (1 - share)) / 1_000;
  return s <= 60 ? `about ${Math.max(1, Math.ceil(s / 5)) * 5} s left` : `about ${Math.ceil(s / 60)} min left`;
}

/** Users who could not be changed and are named in a sentence. */
const NAMED = 3;

/** Users who could not be changed and are named in a list. */
const LISTED = 20;

/** How long a call works, in seconds: each says how far it is. */
const CALL_S = 2;

/** Calls in vain, one after another. After the last one somebody has to say that it goes on. */
const TRIES = 12;

/** Ends the pause before the next call. */
let wake = (): void => undefined;

/** Names are no reason to fail. */
async function namesOf(failed: EditResult['failed'], known: Task['names']): Promise<Task['names']> {
  const id = failed.slice(0, LISTED).flatMap((each) => (known.has(each.id) ? [] : [each.id]));
  if (id.length === 0) return known;
  try {
    const { content }: Page = await (await ask('GET', '', { query: { id, fields: 'name', size: LISTED } })).json();
    return new Map([...known, ...content.map((user) => [user.id, user.name] as const)]);
  } catch {
    return known;
  }
}

/** "As before: 2 users, 1 not: Ann Lee (The user has changed since the edit)" */
function sentence(done: string, { changed, failed }: EditResult, names: Task['names']): string {
  const did = `${done}: ${counted(changed, 'user')}`;
  if (failed.length === 0) return did;
  const named = failed.slice(0, NAMED).map(({ id, message }) => `${short(names.get(id) ?? String(id))} (${message})`);
  return `${did}, ${numberOf(failed.length)} not: ${named.join(', ')}`;
}

interface Wanted {
  path: string;
  asked: Asked;
  doing: string;
  /** "Changed" */
  done: string;
  whom: string;
  /** If it is known. */
  total?: number;
  /** Is told how much of it is done. */
  onShare?: ((share: number) => void) | undefined;
  /** Is called once nothing is left to do, also after a stop. */
  onWhole?: (() => void) | undefined;
}

const set = (change: Partial<Task>): void => {
  if (tasks.now) setTask({ now: { ...tasks.now, ...change } });
};

/**
 * Calls an edit, or the undo of one, until nothing is left to do, somebody stops it, or it fails, and says what it has done.
 *
 * @throws {RequestFailure} and what `fetch` throws; the task can go on then
 */
export async function runMany(wanted: Wanted): Promise<void> {
  const { path, asked, doing, done, whom, total = 0, onShare, onWhole } = wanted;
  if (tasks.now?.isRunning) throw new RequestFailure(409, 'Another change of many is still on its way');
  // With the same key each call goes on with the same edit, also after an answer that was lost.
  const headers = { prefer: `wait=${CALL_S}`, 'idempotency-key': randomKey() };

  /** The answer is waited for also after failures: a call that was lost may have been carried out. */
  async function call(tries = 1): Promise<EditResult> {
    try {
      return await (await ask('POST', path, { ...asked, headers })).json();
    } catch (error) {
      const failure = toFailure(error);
      const { retryAfterS } = failure;
      const isOver = () => retryAfterS === undefined || tries === TRIES || tasks.now?.isStopping;
      set({ failure });
      if (!isOver())
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, (retryAfterS ?? 0) * 1_000);
        });
      if (isOver()) throw failure;
      return call(tries + 1);
    }
  }

  /** Says what was done, also when it goes no further. */
  function end(result: EditResult): void {
    const { edit, changed, failed, left } = result;
    const isWhole = left === 0;
    const names = tasks.now?.names ?? new Map();
    set({ isRunning: false });
    if (isWhole) onWhole?.();
    // A panel that shows why some failed stays. The sentence says it, too.
    if (isWhole && (failed.length === 0 || !tasks.isShown)) dropTask();
    const mayUndo = changed > 0 && may('users:audit');
    const text = sentence(isWhole ? done : `${done} so far`, result, names);
    tell(text, { edit }, mayUndo ? () => undoMany(edit) : undefined);
  }

  async function run(): Promise<void> {
    const since = { ms: Date.now(), done: tasks.now?.done ?? 0 };
    set({ isRunning: true, isStopping: false, failure: undefined, since });
    let result: EditResult | undefined;
    try {
      do {
        result = await call();
        const { changed, unchanged, failed, left } = result;
        const begun = changed + unchanged + failed.length;
        const names = await namesOf(failed, tasks.now?.names ?? new Map());
        set({ done: begun, total: begun + left, failed, names, failure: undefined });
        onShare?.(begun / (begun + left));
      } while (result.left > 0 && !tasks.now?.isStopping);
    } finally {
      if (result) end(result);
    }
  }

  const goOn = () =>
    run().catch((error: unknown) => {
      const failure = toFailure(error);
      set({ isRunning: false, failure });
      // Its bar is in the list alone.
      if (!tasks.isShown && tasks.now?.done === 0) say(`${doing}: ${notDone(failure)}`);
      throw error;
    });
  const begun = { done: 0, failed: [], names: new Map(), isRunning: true, isStopping: false };
  setTask({
    now: { ...begun, since: { ms: 0, done: 0 }, doing, whom, total, goOn: () => goOn().catch(() => undefined) },
  });
  await goOn();
}

/** Takes back what an edit has done, also long after it. */
export const undoMany = (edit: string, onShare?: (share: number) => void): Promise<void> =>
  runMany({ path: `/edits/${edit}/undo`, asked: {}, doing: 'Taking back', done: 'As before', whom: 'Undo', onShare });

export function stopTask(): void {
  set({ isStopping: true });
  wake();
  say('It stops after what is on its way');
}

addEventListener('online', () => wake());

// Without the tab nobody calls it again.
addEventListener('beforeunload', (event) => tasks.now?.isRunning && event.preventDefault());

import type { Change, Feed } from './feed.ts';
import { type Outcome, type Receiver, send } from './send.ts';
import { delayAfter, isAway, pauseOf, type State } from './state.ts';

/** One run, between two of which the state is kept. */
export interface Run {
  state: State;
  read: Feed;
  receiver: Receiver;
  /** Names the deployment: another one tries a receiver again that was gone. */
  deployment: string;
  keep: () => Promise<void>;
  mayGoOn: () => boolean;
}

type Try = [change: Change, outcome: Outcome];

/** The receiver takes something again: all who wait are due. */
function comeBack(state: State): void {
  for (const waiting of Object.values(state.waiting)) waiting.next = 0;
}

/** Sends changes of different users at the same time. @returns the tries that failed */
export async function attempt({ state, receiver, deployment }: Run, changes: readonly Change[]): Promise<Try[]> {
  if (changes.length === 0) return [];
  const tries = await Promise.all(changes.map(async (each): Promise<Try> => [each, await send(each, receiver)]));
  for (const [{ id, version, type }, { said }] of tries) console.log(`User ${id} version ${version} ${type}: ${said}`);
  const failed = tries.filter(([, { is }]) => is !== 'taken');
  const isThere = failed.length < tries.length;
  if (isThere && isAway(state)) comeBack(state);
  state.failures = isThere ? 0 : state.failures + 1;
  state.next = Date.now() + Math.max(pauseOf(state), ...failed.map(([, { waitMs }]) => waitMs));
  if (failed.some(([, { is }]) => is === 'gone')) state.gone = deployment;
  return failed;
}

/** Lets the user of a try that failed wait. A receiver that is throttled, gone or away says nothing of the change: its tries are not counted. */
export function wait(state: State, [{ id, version }, { is, waitMs }]: Try): void {
  state.waiting[id] ??= { after: state.after, from: version, upTo: version, tries: 0, next: 0 };
  const waiting = state.waiting[id];
  if (is === 'failed' && !isAway(state)) waiting.tries++;
  const delay = Math.max(delayAfter(waiting.tries), waitMs);
  waiting.next = Date.now() + delay;
  console.log(`User ${id} waits: the next try is in ${Math.ceil(delay / 1_000)} seconds`);
}

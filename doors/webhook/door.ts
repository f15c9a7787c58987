/**
 * Sends each change of a user to an address, signed by Standard Webhooks. A user whose change is not taken waits, and others go on:
 *
 *   the feed → changes of different users → the receiver
 *                └→ not taken: the user waits → the change again, later → those of the user that came after it
 */
import type { Follower, Run as FollowerRun, Settings } from '../door.ts';
import { type Change, createFeed, type Feed } from './feed.ts';
import { keysOf, newSecret } from './signature.ts';
import { isAway, isFull, MOST_TRIES, newState, nextWaiting, type State } from './state.ts';
import { attempt, type Run, wait } from './tries.ts';

/** Changes that are sent at the same time, while the receiver takes them. */
const AT_ONCE = 8;

/** The alarm for changes that are not sent looks for this word in the log (serverless.yml). */
const tellLoss = (sentence: string) => console.error(`LOST: ${sentence}. See doors/webhook/README.md`);

/** The first changes of a list, as far as they are of different users. */
function batchOf(changes: readonly Change[], most: number): readonly Change[] {
  const users = new Set<number>();
  const end = changes.findIndex(({ id }, i) => i === most || users.has(id) || !users.add(id));
  return end === -1 ? changes : changes.slice(0, end);
}

/** Sends the changes of a page one batch after another. Changes of users who wait stay behind them. */
async function sendChanges(run: Run, changes: readonly Change[]): Promise<void> {
  const { state, keep, mayGoOn } = run;
  while (state.passed < changes.length && mayGoOn()) {
    const batch = batchOf(changes.slice(state.passed), state.failures > 0 ? 1 : AT_ONCE);
    const free = batch.filter(({ id }) => !state.waiting[id]);
    for (const { id, version } of batch) if (state.waiting[id]) state.waiting[id].upTo = version;
    for (const failed of await attempt(run, free)) wait(state, failed);
    state.passed += batch.length;
    await keep();
  }
}

/** Sends the next page of the feed, as far as it may. @returns false if there is none */
async function sendPage(run: Run): Promise<boolean> {
  const { state, read, keep } = run;
  if (isFull(state)) return false;
  // The oldest change may expire meanwhile, so it is a page of its own.
  const page = await read({ after: state.after, size: state.after === '' ? '1' : '100' });
  if (page === undefined) {
    tellLoss('Changes that were not sent are no longer kept. All that are kept follow');
    Object.assign(state, { ...newState(''), failures: state.failures });
  } else {
    await sendChanges(run, page.changes);
    if (state.passed < page.changes.length) return true;
    if (page.next === state.after) return false;
    Object.assign(state, { after: page.next, passed: 0 });
  }
  await keep();
  return true;
}

/** Sends the first change of a user who waits. */
async function sendWaiting({ state, read, keep, ...run }: Run, id: string): Promise<void> {
  const waiting = state.waiting[id];
  if (waiting === undefined) return;
  const page = await read({ after: waiting.after, id });
  const change = page?.changes.find(({ version }) => version >= waiting.from && version <= waiting.upTo);
  if (change !== undefined) {
    const [failed] = await attempt({ ...run, state, read, keep }, [change]);
    if (failed) wait(state, failed);
    const isLast = waiting.tries === MOST_TRIES;
    if (isLast) tellLoss(`Version ${change.version} of user ${id} was not taken ${MOST_TRIES} times, and is set aside`);
    if (!failed || isLast) Object.assign(waiting, { from: change.version + 1, tries: 0, next: 0 });
  } else if (page !== undefined && page.next !== waiting.after) {
    waiting.after = page.next;
  } else {
    tellLoss(`Changes of user ${id} from version ${waiting.from} on are no longer kept`);
    waiting.from = waiting.upTo + 1;
  }
  if (waiting.from > waiting.upTo) delete state.waiting[id];
  await keep();
}

/** @returns false if there is nothing to do */
async function step(run: Run): Promise<boolean> {
  // The first user who waits may be the reason why a receiver seems to be away, so others come first.
  if (isAway(run.state) && (await sendPage(run))) return true;
  const id = nextWaiting(run.state);
  if (id === undefined) return sendPage(run);
  await sendWaiting(run, id);
  return true;
}

/** The place from now on. */
async function begin(read: Feed): Promise<State> {
  const page = await read({ after: 'now' });
  if (page === undefined) throw new Error('The feed has no place from now on');
  console.log('The door follows the feed from now on');
  return newState(page.next);
}

function follow({ url, serviceToken, token, TO = '', DEPLOYMENT = '' }: Settings): FollowerRun {
  const receiver = { to: TO, keys: keysOf(token) };
  return async ({ last, keep }, hasTime) => {
    const read = createFeed(url, serviceToken);
    const state = (last as State | undefined) ?? (await begin(read));
    if (state.gone !== DEPLOYMENT) delete state.gone;
    const mayGoOn = () => hasTime() && state.gone === undefined && state.next <= Date.now();
    const run: Run = { state, read, receiver, deployment: DEPLOYMENT, keep: () => keep(state), mayGoOn };
    if (last === undefined) await run.keep();
    while (mayGoOn() && (await step(run)));
    if (state.gone !== undefined)
      throw new Error(`${TO} has answered 410: nothing is sent until the door is deployed again`);
    if (isAway(state)) throw new Error(`${TO} is away: the last ${state.failures} tries have failed. All changes wait`);
  };
}

export default { follow, newSecret } satisfies Follower;

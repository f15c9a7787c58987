/** `npm run copy -- --from https://… --to https://…`: makes a running service have the users of another one. */
import { systemRuntime } from '../../runtime.ts';
import type { Checksum } from './checksum.ts';
import { type Connection, connect } from './client.ts';
import { readChecksum } from './compare.ts';
import { type CopySettings, readCopySettings, type SideSettings } from './copyOptions.ts';
import { createReader, type Reader } from './copySource.ts';
import { type CopyState, readState, stateFile } from './copyState.ts';
import { createWriter } from './copyTarget.ts';
import { type CopyOptions, copyAllUsers, copyWhatChanges, firstState } from './copyUsers.ts';
import { watchJournal } from './journalWatch.ts';
import { createPace } from './pace.ts';
import { showProgress } from './progress.ts';
import { createRequests } from './requests.ts';
import { reasonOf, Stop, stopOnSignal } from './stop.ts';

const runtime = systemRuntime;

const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

/** A service, with what reads and writes it. */
async function open(
  { url, token }: SideSettings,
  side: 'source' | 'target',
  { parallel, isFollowing }: CopySettings,
  signal: AbortSignal,
) {
  const connection = await connect(url, token, side === 'source' ? '--from-token' : '--to-token');
  const name = `The ${side}`;
  // A copy that follows goes on after the signal, until nothing is left.
  const pace = createPace({ runtime, parallel, name, say, ...(!isFollowing && { signal }) });
  const ask = createRequests({ connection, pace, runtime, name });
  return { connection, pace, reader: createReader(connection.client, ask), ask };
}

/** Another URL may lead to the same service. Its writes would come back as changes, for ever. @throws {Stop} */
async function refuseSameService(source: Reader, target: Reader): Promise<void> {
  const [from, to] = await Promise.all([source.size(), target.size()]);
  // The tag of a list stands for all writes there have ever been.
  if (from.users > 0 && from.tag !== undefined && from.tag === to.tag)
    throw new Stop('--from and --to are the same service, or both have had exactly the same writes');
}

/** @throws {Stop} when the target has users whom nobody may replace */
async function begin({ from, to, mayReplace }: CopySettings, source: Reader, target: Reader): Promise<CopyState> {
  const { users } = await target.size();
  if (users > 0 && !mayReplace) {
    throw new Stop(
      `The target has ${users} users already. With --replace they become those of the source, and others are deleted`,
    );
  }
  return firstState(source, { from: from.url, to: to.url });
}

async function withProgress(state: CopyState, options: CopyOptions): Promise<CopyState> {
  const { users } = await options.source.size();
  const progress = showProgress(users, runtime);
  const inThisRun = (all: number) => progress.update(Math.min(all, users), all - state.users);
  try {
    return await copyAllUsers(state, options, inThisRun);
  } finally {
    progress.stop();
  }
}

type Side = { connection: Connection; reader: Reader };

/** Whether both have the same users. */
async function areEqual(source: Side, target: Side): Promise<boolean> {
  const { signal } = new AbortController();
  const read = async ({ connection, reader }: Side): Promise<[number, Checksum]> => {
    const { users } = await reader.size();
    return [users, await readChecksum(connection, runtime, signal)];
  };
  const both = await Promise.all([read(source), read(target)]);
  for (const [index, [users, { sum }]] of both.entries()) {
    process.stdout.write(`${index === 0 ? 'Source' : 'Target'}: ${users} users, checksum ${sum}\n`);
  }
  return new Set(both.map(([users, { users: streamed, sum }]) => `${users} ${streamed} ${sum}`)).size === 1;
}

/** A copy that has ended may be gone on with, but the users whom clients have written since at the target are not given up for it. */
function refuseToReplace(): never {
  throw new Stop(
    'The copy had ended, and the target has changed since. With --replace its users become those of the source again, and others are deleted',
  );
}

/** @returns whether both have the same users at the end */
async function copyUntilEqual(
  first: CopyState,
  source: Side,
  target: Side,
  options: CopyOptions & Pick<CopySettings, 'mayReplace'>,
): Promise<boolean> {
  const { save, mayReplace } = options;
  const wasDone = first.phase === 'done';
  let state = first;
  let isSecond = false;
  for (;;) {
    if (state.phase === 'users') state = await withProgress(state, options);
    const followed = await copyWhatChanges(state, options);
    state = followed.state;
    if (wasDone && !mayReplace && followed.end === 'gone') refuseToReplace();
    if (followed.end === 'gone') {
      say('The source no longer keeps what changed since. All users are compared again');
      state = await firstState(source.reader, state);
      await save(state);
      continue;
    }
    if (followed.end === 'busy') say('Users are still written at the source: stop that, or use --follow');
    if (followed.end === 'agreed') say('Nothing is left to copy. Both are compared');
    if (await areEqual(source, target)) {
      await save({ ...state, phase: 'done' });
      return true;
    }
    if (wasDone && !mayReplace) {
      if (followed.end === 'busy') return false;
      // Once more: a user who was written at the source during the comparison makes them differ, too.
      if (isSecond) refuseToReplace();
      isSecond = true;
      continue;
    }
    // Also for the next run, if this one ends here.
    state = { ...state, phase: 'users', reached: 0, users: 0 };
    await save(state);
    if (isSecond || followed.end === 'busy' || options.signal.aborted) return false;
    isSecond = true;
    say('They differ. All users are compared again');
  }
}

async function run(): Promise<boolean> {
  const settings = readCopySettings(process.argv.slice(2));
  const { from, to, parallel, isFollowing, mayReplace } = settings;
  const signal = stopOnSignal();
  const [source, target] = await Promise.all([
    open(from, 'source', settings, signal),
    open(to, 'target', settings, signal),
  ]);
  await refuseSameService(source.reader, target.reader);
  const save = stateFile(settings.state);
  const found = await readState(settings.state, { from: from.url, to: to.url });
  const state = found ?? (await begin(settings, source.reader, target.reader));
  if (!found) await save(state);
  const writer = createWriter(target.connection.client, target.ask, runtime);
  const ended = new AbortController();
  const watching = watchJournal(target.connection.client, target.pace, ended.signal);
  try {
    const readers = { source: source.reader, target: target.reader };
    const options = { ...readers, writer, runtime, parallel, save, say, isFollowing, mayReplace, signal };
    return await copyUntilEqual(state, source, target, options);
  } catch (error) {
    throw error instanceof Stop ? new Stop(`${error.message}\nRun this again: it goes on where it was`) : error;
  } finally {
    ended.abort();
    await watching;
  }
}

// Until it has ended well.
process.exitCode = 2;
run().then(
  (isEqual) => {
    process.stdout.write(isEqual ? 'Both have the same users\n' : 'They differ\n');
    process.exitCode = isEqual ? 0 : 1;
  },
  (error) => {
    say(error instanceof Stop ? error.message : reasonOf(error));
    process.exitCode = 2;
  },
);

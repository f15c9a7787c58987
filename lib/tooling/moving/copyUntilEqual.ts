import type { Runtime } from '../../runtime.ts';
import type { Checksum } from './checksum.ts';
import type { Connection } from './client.ts';
import { readChecksum } from './compare.ts';
import type { CopySettings } from './copyOptions.ts';
import type { Reader } from './copySource.ts';
import type { CopyState } from './copyState.ts';
import { type CopyOptions, copyAllUsers, copyWhatChanges, firstState } from './copyUsers.ts';
import { showProgress } from './progress.ts';
import { Stop } from './stop.ts';

async function withProgress(state: CopyState, options: CopyOptions): Promise<CopyState> {
  const { users } = await options.source.size();
  const progress = showProgress(users, options.runtime);
  const inThisRun = (all: number) => progress.update(Math.min(all, users), all - state.users);
  try {
    return await copyAllUsers(state, options, inThisRun);
  } finally {
    progress.stop();
  }
}

export type Side = { connection: Connection; reader: Reader };

/** Whether both have the same users. Prints what each has. */
async function areEqual(source: Side, target: Side, runtime: Runtime): Promise<boolean> {
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
    'The copy had ended, and the target has changed since. With --replace its users become as they are at the source, and users whom the source lacks are deleted',
  );
}

/**
 * Copies the users, then what has changed since, and compares both services; all of it once more if they differ.
 *
 * @param first the state of an earlier run, or the first one
 * @returns whether both have the same users at the end
 * @throws {Stop} when that would give up what clients have written at the target since a copy had ended
 */
export async function copyUntilEqual(
  first: CopyState,
  source: Side,
  target: Side,
  options: CopyOptions & Pick<CopySettings, 'mayReplace'>,
): Promise<boolean> {
  const { save, say, runtime, mayReplace } = options;
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
    if (await areEqual(source, target, runtime)) {
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

/** `npm run copy -- --from https://… --to https://…`: makes a running service have the users of another one. */
import { systemRuntime } from '../../runtime.ts';
import { connect } from './client.ts';
import { type CopySettings, readCopySettings, type SideSettings } from './copyOptions.ts';
import { createReader, type Reader } from './copySource.ts';
import { type CopyState, readState, stateFile } from './copyState.ts';
import { createWriter } from './copyTarget.ts';
import { copyUntilEqual } from './copyUntilEqual.ts';
import { firstState } from './copyUsers.ts';
import { watchJournal } from './journalWatch.ts';
import { createPace } from './pace.ts';
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
      `The target has ${users} users already. With --replace they become as they are at the source, and users whom the source lacks are deleted`,
    );
  }
  return firstState(source, { from: from.url, to: to.url });
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

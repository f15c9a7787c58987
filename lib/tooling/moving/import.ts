/** `npm run import -- --url https://… --file users.csv`: creates the users of a file in a running service. */
import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemRuntime } from '../../runtime.ts';
import { fingerprinted, isRegularFile } from './bytes.ts';
import { connect } from './client.ts';
import { countLines } from './encoding.ts';
import { type ImportSettings, readImportSettings } from './importOptions.ts';
import { importUsers, type Tally } from './importUsers.ts';
import { watchJournal } from './journalWatch.ts';
import { openSource } from './openSource.ts';
import { createPace } from './pace.ts';
import { showProgress } from './progress.ts';
import { createRefusedFile } from './refused.ts';
import { createKeys, createSender, type SendUser } from './sendUser.ts';
import { reasonOf, Stop, stopOnSignal } from './stop.ts';

const runtime = systemRuntime;

const say = (sentence: string): void => {
  process.stderr.write(`${sentence}\n`);
};

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

function summary(
  { taken, there, refused }: Tally,
  { isDryRun, keepsIds, refused: path }: ImportSettings,
  seconds: number,
): string {
  const well = isDryRun ? 'valid' : 'imported';
  const others = refused === 0 ? 'none refused' : `${counted(refused, 'line')} refused, see ${path}`;
  const already = keepsIds && !isDryRun ? `, ${there.toLocaleString('en-US')} there already` : '';
  const rate = Math.round((taken + there + refused) / Math.max(seconds, 0.001));
  return `${counted(taken, 'user')} ${well}${already}, ${others}. ${seconds.toFixed(1)} s, ${rate} per second\n`;
}

/** An input that is left open would keep the process running. */
async function opened(input: Readable, chunks: AsyncIterable<Buffer>, name: string) {
  try {
    return await openSource(chunks, { name, say });
  } catch (error) {
    input.destroy();
    throw error;
  }
}

/** A file is read to its end first, so that nothing is sent when it is not UTF-8. A pipe can be read only once. */
async function openInput({ file, title, identity }: ImportSettings) {
  if (await isRegularFile(file)) {
    const total = await countLines(createReadStream(file), title);
    const input = createReadStream(file);
    const source = await opened(input, input, title);
    return { input, source, total, identity: identity ?? (await realpath(file)) };
  }
  const input = file === '-' ? process.stdin : createReadStream(file);
  const { chunks, fingerprint } = await fingerprinted(input);
  const source = await opened(input, chunks, title);
  return { input, source, total: undefined, identity: identity ?? fingerprint };
}

async function withSender<Result>(
  { url, token, parallel, isDryRun }: ImportSettings,
  identity: string,
  signal: AbortSignal,
  run: (send?: SendUser) => Promise<Result>,
): Promise<Result> {
  if (isDryRun) return run();
  const connection = await connect(url, token);
  const pace = createPace({ runtime, parallel, say, signal });
  const ended = new AbortController();
  const watching = watchJournal(connection.client, pace, ended.signal);
  try {
    return await run(createSender({ connection, pace, runtime, keyOf: createKeys(identity) }));
  } finally {
    ended.abort();
    await watching;
  }
}

/** @returns whether all users were created */
async function run(): Promise<boolean> {
  const settings = readImportSettings(process.argv.slice(2));
  const start = runtime.monotonic();
  const { input, source, total, identity } = await openInput(settings);
  const refused = await createRefusedFile(settings.refused, source.refusedHead, settings.file).catch((error) => {
    input.destroy();
    throw error;
  });
  const signal = stopOnSignal();
  const progress = showProgress(total, runtime);
  const tally: Tally = { taken: 0, there: 0, refused: 0, line: 0 };
  const onProgress = (now: Tally) => {
    Object.assign(tally, now);
    progress.update(now.line, now.taken + now.there + now.refused);
  };
  try {
    const { parallel, keepsIds } = settings;
    const endReading = () => void input.destroy();
    await withSender(settings, identity, signal, (send) =>
      importUsers({ source, refused, parallel, keepsIds, ...(send && { send }), onProgress, signal, endReading }),
    );
    if (signal.aborted) throw new Stop('Stopped before the end');
  } catch (cause) {
    // An input that was ended fails.
    const error = signal.aborted && !(cause instanceof Stop) ? new Stop('Stopped before the end') : cause;
    throw error instanceof Stop
      ? new Stop(
          `${error.message}\nSome users of the file are missing. Run this again${settings.keepsIds ? '' : ' within a day'}: no user is created twice.`,
        )
      : error;
  } finally {
    input.destroy();
    progress.stop();
    await refused.close().catch((error) => say(reasonOf(error)));
    process.stdout.write(summary(tally, settings, (runtime.monotonic() - start) / 1_000));
  }
  return tally.refused === 0;
}

// Until it has ended well.
process.exitCode = 2;
run().then(
  (areAllIn) => {
    process.exitCode = areAllIn ? 0 : 1;
  },
  (error) => {
    say(error instanceof Stop ? error.message : reasonOf(error));
    process.exitCode = 2;
  },
);

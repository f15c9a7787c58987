/** `npm run import -- --url https://… --file users.csv`: creates the users of a file in a running service. */
import { createReadStream } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemRuntime } from '../../lib/runtime.ts';
import { openService } from './client.ts';
import { countLines } from './encoding.ts';
import { type ImportSettings, readImportSettings } from './importOptions.ts';
import { countOf, importUsers, newTally, type Tally } from './importUsers.ts';
import { watchJournal } from './journalWatch.ts';
import { openSource } from './openSource.ts';
import { createPace } from './pace.ts';
import { showProgress } from './progress.ts';
import { createRefusedFile } from './refused.ts';
import { createKeys, createSender, type SendUser } from './sendUser.ts';
import { reasonOf, Stop, say, stopOnSignal } from './stop.ts';

const runtime = systemRuntime;

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

function summary(tally: Tally, { isDryRun, refused }: ImportSettings, seconds: number): string {
  const { created, there, changed, gone, refused: lines } = tally;
  const parts = [
    `${counted(created, 'user')} ${isDryRun ? 'valid' : 'created'}`,
    ...(isDryRun ? [] : [`${there.toLocaleString('en-US')} there already`]),
    ...(changed > 0 ? [`${changed.toLocaleString('en-US')} changed since`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en-US')} gone since`] : []),
    lines === 0 ? 'none refused' : `${counted(lines, 'line')} refused`,
  ];
  const see = lines + gone > 0 ? `, see ${refused}` : '';
  const rate = Math.round(countOf(tally) / Math.max(seconds, 0.001));
  return `${parts.join(', ')}${see}. ${seconds.toFixed(1)} s, ${rate} per second\n`;
}

/**
 * Whether a file can be read more than once. A pipe cannot.
 *
 * @throws {Stop} when it cannot be read at all
 */
async function isRegularFile(path: string): Promise<boolean> {
  if (path === '-') return false;
  try {
    await access(path, constants.R_OK);
    const file = await stat(path);
    if (file.isDirectory()) throw new Error('it is a folder');
    return file.isFile();
  } catch (error) {
    throw new Stop(`Cannot read ${path}: ${reasonOf(error)}`);
  }
}

/** A file is read to its end first, so that nothing is sent when it is not UTF-8. A pipe can be read only once. */
async function openInput({ file, title, map, keepsIds, name }: ImportSettings) {
  const isRegular = await isRegularFile(file);
  const total = isRegular ? await countLines(createReadStream(file), title) : undefined;
  const identity = name ?? (isRegular ? await realpath(file) : file);
  const input: Readable = file === '-' ? process.stdin : createReadStream(file);
  try {
    const source = await openSource(input, { name: title, path: file, map, keepsIds, say });
    return { input, source, total, identity };
  } catch (error) {
    // An input that is left open would keep the process running.
    input.destroy();
    throw error;
  }
}

async function openSender(
  { url, token, isDryRun }: ImportSettings,
  identity: string,
  signal: AbortSignal,
): Promise<SendUser | undefined> {
  if (isDryRun) return undefined;
  const service = await openService(url, { token, pace: createPace({ runtime, signal }) });
  const send = createSender(service, createKeys(identity));
  const untilJournalIsShort = watchJournal(service.client, { runtime, say, signal });
  return async (user) => {
    await untilJournalIsShort();
    return send(user);
  };
}

/** @returns whether all users are in */
async function run(): Promise<boolean> {
  const settings = readImportSettings();
  const start = runtime.monotonic();
  const { input, source, total, identity } = await openInput(settings);
  const refused = await createRefusedFile(settings.refused, source.refusedHead, settings.file).catch((error) => {
    input.destroy();
    throw error;
  });
  const signal = stopOnSignal();
  const progress = showProgress(total, runtime);
  const tally = newTally();
  const onProgress = (now: Tally) => {
    Object.assign(tally, now);
    progress.update(now.line, countOf(now));
  };
  try {
    const { parallel, keepsIds } = settings;
    const endReading = () => void input.destroy();
    const send = await openSender(settings, identity, signal);
    await importUsers({
      source,
      refused,
      parallel,
      keepsIds,
      ...(send && { send }),
      onProgress,
      say,
      signal,
      endReading,
    });
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
  return tally.refused + tally.gone === 0;
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

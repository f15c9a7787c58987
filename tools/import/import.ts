/** `npm run import -- --url https://… --file users.csv`: creates the users of a file in a running service. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemRuntime } from '../../lib/runtime.ts';
import { openService } from './client.ts';
import { textOf } from './encoding.ts';
import { type ImportSettings, readImportSettings } from './importOptions.ts';
import { countOf, importUsers, newTally, type Tally } from './importUsers.ts';
import { watchJournal } from './journalWatch.ts';
import { countLines } from './lines.ts';
import { openSource } from './openSource.ts';
import { createProgress } from './progress.ts';
import { createRefusedFile } from './refused.ts';
import { createKeys, createSender, type SendUser } from './sendUser.ts';
import { counted, runMain, Stop, say } from './stop.ts';

/** The run ends when a request has failed for this time. */
const PATIENCE_MS = 5 * 60_000;

function summary(tally: Tally, { isDryRun, refused }: ImportSettings, seconds: number): string {
  const { created, there, changed, gone, missing, refused: lines } = tally;
  const parts = [
    `${counted(created, 'user')} ${isDryRun ? 'valid' : 'created'}`,
    ...(isDryRun ? [] : [`${there.toLocaleString('en-US')} there already, the same`]),
    ...(changed > 0 ? [`${changed.toLocaleString('en-US')} there already, but changed`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en-US')} gone since`] : []),
    lines === 0 ? 'none refused' : `${counted(lines, 'line')} refused`,
  ];
  const see = missing > 0 ? `, see ${refused}` : '';
  const rate = Math.round(countOf(tally) / Math.max(seconds, 0.001));
  return `${parts.join(', ')}${see}. ${seconds.toFixed(1)} s, ${rate} per second\n`;
}

async function openSender({ url, token, name, file }: ImportSettings, tell: typeof say): Promise<SendUser> {
  const service = await openService(url, { token, patienceMs: PATIENCE_MS });
  // A pipe has no path.
  const identity = name ?? (await realpath(file).catch(() => file));
  const send = createSender(service, createKeys(identity));
  const untilJournalIsShort = watchJournal(service, systemRuntime, tell);
  return async (user) => {
    await untilJournalIsShort();
    return send(user);
  };
}

async function sendAll(input: Readable, total: number | undefined, settings: ImportSettings, tally: Tally) {
  const { file, keepsIds, created, isDryRun, parallel } = settings;
  const source = await openSource(input, { ...settings, say });
  const refused = createRefusedFile(settings.refused, source.refusedHead, file);
  const start = systemRuntime.monotonic();
  const progress = createProgress();
  const onProgress = () => progress.update('users', countOf(tally), total, tally.line);
  try {
    const send = isDryRun ? undefined : await openSender(settings, progress.say);
    const endReading = () => void input.destroy();
    const options = { source, refused, parallel, keepsIds, created, send, tally, onProgress };
    await importUsers({ ...options, say: progress.say, endReading });
  } catch (error) {
    if (!(error instanceof Stop) || isDryRun) throw error;
    const again = `Run this again${keepsIds || created !== undefined ? '' : ' within a day'}: no user is created twice.`;
    throw new Stop(`${error.message}\nSome users of the file are missing. ${again}`);
  } finally {
    progress.stop();
    process.stdout.write(summary(tally, settings, (systemRuntime.monotonic() - start) / 1_000));
    refused.close();
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  const settings = await readImportSettings();
  const { file, title } = settings;
  const tally = newTally();
  // A file is read to its end first, so that nothing is sent when it is not UTF-8. A pipe can be read only once.
  const isRegular = file !== '-' && (await stat(file)).isFile();
  const total = isRegular ? await countLines(textOf(createReadStream(file), title)) : undefined;
  const input = file === '-' ? process.stdin : createReadStream(file);
  // An input that is left open would keep the process running.
  await sendAll(input, total, settings, tally).finally(() => input.destroy());
  return tally.missing === 0 ? 0 : 1;
}

runMain(main);

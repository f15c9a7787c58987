/** `npm run import -- --url https://… --file users.csv`: creates the users of a file in a running service. */
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemRuntime } from '../../lib/ground/index.ts';
import { openService } from '../program/client.ts';
import { createProgress, type Progress } from '../program/progress.ts';
import { runMain, Stop, say } from '../program/stop.ts';
import { openBatches } from './batches.ts';
import { deleteMissing } from './deleteMissing.ts';
import { textOf } from './encoding.ts';
import { type ImportSettings, readImportSettings } from './importOptions.ts';
import { countOf, importUsers, newTally, type Tally } from './importUsers.ts';
import { BATCH } from './inBatches.ts';
import { watchJournal } from './journalWatch.ts';
import { createKinds, type Kinds, type Stored } from './kinds.ts';
import { countLines } from './lines.ts';
import { openSource } from './openSource.ts';
import { createRefusedFile } from './refused.ts';
import { createKeys, createSender, type SendUser } from './sendUser.ts';
import { summaryOf } from './summary.ts';
import { createSync, type Known, readKnown } from './sync.ts';
import { createKeyCheck, type KeyCheck } from './touchedKeys.ts';

/** The run ends when a request has failed for this time. */
const PATIENCE_MS = 5 * 60_000;

/** How users are sent. A sync has something to do when all have been. */
interface Work {
  send?: SendUser;
  keys?: KeyCheck;
  finish?: () => Promise<void>;
}

/** The users of the service, with their attributes. */
function* storedIn(known: Known, keys: KeyCheck): Generator<Stored> {
  for (const [externalId, line] of known) {
    const { attributes = {} }: { attributes?: object } = JSON.parse(line);
    yield { externalId, attributes: new Map(Object.entries(attributes)), isInFile: keys.has(externalId) };
  }
}

/** The users of a sync, and the external ids of its file. */
interface Compared {
  known: Known;
  keys: KeyCheck;
}

/**
 * Looks at all lines of a file before one is sent: at the kinds of its columns, whether they are of the users who are there, and whether it may
 * delete the others.
 */
async function survey(
  { file, ...settings }: ImportSettings,
  kinds: Kinds | undefined,
  compared?: Compared,
): Promise<void> {
  const input = createReadStream(file);
  try {
    const source = await openSource(input, { ...settings, kinds, say: () => undefined });
    for await (const entry of source.entries) compared?.keys.see(entry);
  } finally {
    input.destroy();
  }
  compared?.keys.check(`Nothing is sent${settings.deletesMissing ? ', and nobody is deleted' : ''}`);
  kinds?.settle();
  if (compared) kinds?.compare(storedIn(compared.known, compared.keys));
}

/** @param look is called before anything is sent, with the keys to be checked if there are some */
async function openWork(
  settings: ImportSettings,
  look: (compared?: Compared) => Promise<boolean>,
  tally: Tally,
  { update, say }: Progress,
): Promise<Work> {
  const { url, token, name, file, parallel, isDryRun, isSync } = settings;
  if (!isSync) await look();
  if (isDryRun && !isSync) return {};
  const service = await openService(url, { token, patienceMs: PATIENCE_MS });
  const batches = openBatches(service, parallel, watchJournal(service, systemRuntime, say));
  // A pipe has no path.
  if (!isSync) return { send: createSender(batches, createKeys(name ?? (await realpath(file).catch(() => file)))) };
  const known = await readKnown(service, (count, total) => update('users read', count, total), say);
  const checkOfKeys = (isAlone = false) =>
    createKeyCheck(known, settings.deletesMissing, settings.isAsWritten, isAlone);
  const hasLooked = await look({ known, keys: checkOfKeys() });
  const keys = checkOfKeys(!hasLooked);
  const send = createSync(batches, known, settings);
  return { send, keys, finish: () => deleteMissing({ batches, known, keys, settings, tally, update, say }) };
}

/** A run can be repeated. */
function explained(error: unknown, { isDryRun, isSync, keepsIds, created }: ImportSettings): unknown {
  if (!(error instanceof Stop) || isDryRun) return error;
  const again = `Run this again${isSync || keepsIds || created !== undefined ? '' : ' within a day'}`;
  return new Stop(`${error.message}\nSome users of the file are missing. ${again}: no user is created twice.`);
}

async function sendAll(input: Readable, total: number | undefined, settings: ImportSettings, tally: Tally) {
  const isRegular = total !== undefined;
  const kinds = isRegular && settings.isTyped ? createKinds(settings.texts) : undefined;
  const source = await openSource(input, { ...settings, kinds, say });
  const refused = createRefusedFile(settings.refused, source.refusedHead, settings.file);
  const start = systemRuntime.monotonic();
  const progress = createProgress();
  const onProgress = () => progress.update('users', countOf(tally), total, tally.line);
  try {
    const look = async (compared?: Compared) => {
      if (isRegular && (kinds || compared)) await survey(settings, kinds, compared);
      return isRegular;
    };
    const { send, keys, finish } = await openWork(settings, look, tally, progress);
    const endReading = () => void input.destroy();
    const options = {
      ...settings,
      source,
      refused,
      parallel: settings.parallel * BATCH,
      send,
      keys,
      tally,
      onProgress,
    };
    await importUsers({ ...options, say: progress.say, endReading }).catch((error: unknown) => {
      throw explained(error, settings);
    });
    await finish?.();
  } finally {
    progress.stop();
    process.stdout.write(summaryOf(tally, settings, (systemRuntime.monotonic() - start) / 1_000));
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

/** Deletes the users whom a file no longer has. */
import { confirm } from '../program/confirm.ts';
import { counted, Stop } from '../program/stop.ts';
import type { Batches, Found } from './batches.ts';
import type { ImportSettings } from './importOptions.ts';
import type { Tally } from './importUsers.ts';
import type { Known } from './sync.ts';
import type { KeyCheck } from './touchedKeys.ts';

const EXAMPLES = 3;

const GONE = 404;

interface Missing {
  batches: Batches;
  /** The users who had an external id when the import began. Nobody else is deleted. */
  known: Known;
  /** The external ids of the file. */
  keys: KeyCheck;
  settings: Pick<ImportSettings, 'deletesMissing' | 'isDryRun' | 'atMost' | 'saysYes' | 'ignoresRefused'>;
  tally: Tally;
  update: (what: string, count: number, total: number) => void;
  say: (sentence: string) => void;
}

function previewOf(missing: readonly Found[], { size }: Known): string {
  const examples = missing.slice(0, EXAMPLES).map(({ name, externalId }) => `${name} (${externalId})`);
  const of = `${size.toLocaleString('en-US')} with an externalId (${((100 * missing.length) / size).toFixed(1)} %)`;
  const more = missing.length > EXAMPLES ? ', …' : '';
  return `${counted(missing.length, 'user')} of ${of} are not in the file: ${examples.join(', ')}${more}`;
}

/** Why nobody may be deleted. A file that is cut off, or of something else, must not empty a service. */
async function flawOf(count: number, { settings, tally, keys }: Missing): Promise<string | undefined> {
  const { atMost, isDryRun, saysYes, ignoresRefused } = settings;
  if (!keys.hasAny()) return 'no line of the file has an externalId';
  if (tally.refused > 0 && !ignoresRefused)
    return `${counted(tally.refused, 'line')} refused, maybe of these users: correct the file, or say --despite-refused`;
  if (keys.unread() > 0)
    return `${counted(keys.unread(), 'line')} cannot be read, maybe of these users: correct the file, or say --keys-as-written`;
  if (isDryRun) return undefined;
  if (atMost !== undefined) return count > atMost ? `they are more than --at-most ${atMost}` : undefined;
  const says = saysYes || (await confirm('Delete them'));
  return says ? undefined : `nobody said yes. In a script, say --at-most ${count}, or --yes`;
}

/** @throws {Stop} when nobody is deleted, although some are missing */
export async function deleteMissing(options: Missing): Promise<void> {
  const { batches, known, keys, settings, tally, update, say } = options;
  const missing = keys.missing();
  if (!settings.deletesMissing || missing.length === 0) return;
  say(previewOf(missing, known));
  keys.check('Nobody is deleted');
  const flaw = await flawOf(missing.length, options);
  if (flaw !== undefined) throw new Stop(`Nobody is deleted: ${flaw}`);
  if (settings.isDryRun) {
    tally.deleted = missing.length;
    return;
  }
  const remove = async ({ id }: Found) => {
    const { status, message } = await batches.run({ op: 'delete', id });
    if (status < 300 || status === GONE) update('users deleted', ++tally.deleted, missing.length);
    else {
      say(`User ${id} is not deleted: ${message}`);
      tally.missing++;
    }
  };
  await Promise.all(missing.map(remove));
}

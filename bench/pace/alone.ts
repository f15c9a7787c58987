import { type Meter, metered } from '../../lib/metering.ts';
import type { Database } from '../../lib/users/database.ts';
import { createFold, type Fold } from '../../lib/users/fold/fold.ts';
import { createUserStore } from '../../lib/users/store.ts';
import type { UserFields } from '../../lib/users/user.ts';
import { KEEPING, type Store, UNTIL_ALL_IS_FOLDED } from '../data.ts';
import { type Figure, summarize } from '../figures.ts';
import type { Title } from '../lines.ts';
import { startBar } from '../print.ts';
import { times } from '../sample.ts';
import { emptyJournal, journalSize, untilShort } from './journal.ts';
import { recordWrites, replay } from './nodeWrites.ts';

/** Entries that are folded to warm up, and entries that are measured. */
const BACKLOG = { warmUp: 1_000, measured: 5_000 };
const QUICK_BACKLOG = { warmUp: 100, measured: 400 };

/** Every index has caught up with a backlog, so it may be folded at once. Its entries are deleted as late as in a stage. */
const OLD_ENOUGH = { minimumAgeMs: 0, ...KEEPING };

const LONGEST_MS = 30 * 60_000;
const CHUNK = 500;

async function writeBacklog(database: Database, draw: () => UserFields, entries: number): Promise<void> {
  const users = createUserStore(database);
  const bar = startBar(entries, 'entries of a backlog');
  for (let left = entries; left > 0; left -= CHUNK) {
    await users.createMany(times(Math.min(CHUNK, left), draw));
    bar.update(entries - Math.max(0, left - CHUNK));
  }
  bar.stop();
}

/** Folds until the journal costs a list nothing. @returns what the fold cost, and the milliseconds until then */
async function foldAll(database: Database, fold: Fold): Promise<{ meter: Meter; milliseconds: number }> {
  const ended = new AbortController();
  const folding = metered(async (meter) => {
    while (!ended.signal.aborted) await fold.run(UNTIL_ALL_IS_FOLDED);
    return meter;
  });
  const milliseconds = await untilShort(database, LONGEST_MS);
  ended.abort();
  return { meter: await folding, milliseconds };
}

const one = (units: number): Figure => summarize([{ units }]);

/** Measures how fast one warm fold is while nothing else runs, until a long journal costs a list nothing. */
export async function measureAlone(store: Store, draw: () => UserFields, isQuick: boolean): Promise<[Title, Figure][]> {
  const { database } = store;
  const { warmUp, measured } = isQuick ? QUICK_BACKLOG : BACKLOG;
  const fold = createFold(database, OLD_ENOUGH);
  await emptyJournal(database);
  await writeBacklog(database, draw, warmUp);
  await foldAll(database, fold);
  await writeBacklog(database, draw, measured);
  const before = await journalSize(database);
  const { recorded, stop } = recordWrites(store);
  const { meter, milliseconds } = await foldAll(database, fold);
  stop();
  const folded = before.entries - (await journalSize(database)).entries;
  const alone = await replay(store, recorded);
  process.stderr.write(
    `  ${recorded.writes.length} writes, ${recorded.parallel} at a time: ${Math.round(milliseconds)} ms, alone ${Math.round(alone)} ms\n`,
  );
  return [
    ['entries a second', one((folded / milliseconds) * 1_000)],
    ['per cent of what the store takes of the same writes alone', one((alone / milliseconds) * 100)],
    ['write units of the fold, each entry', one(meter.writeUnits / folded)],
    ['read units of the fold, each entry', one(meter.readUnits / folded)],
    ['calls of the fold, each entry', one(meter.calls / folded)],
  ];
}

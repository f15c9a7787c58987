/** The drill of a restore: what is tried once a month works on the day when it is needed. */
import type { Runtime } from '../../lib/ground/index.ts';

/** The names of the two tables of a stage: users, then directory. */
export type Tables = readonly [users: string, directory: string];

/** The actions that restore, verify and delete the tables of a drill. */
export interface DrillActions {
  /** The latest moment to which a table can be restored. Undefined without point-in-time recovery. */
  latest(table: string): Promise<Date | undefined>;
  /** Begins to restore a table, under the name of `drillTable`. */
  restore(table: string, moment: Date): Promise<void>;
  /** As DynamoDB has it. Undefined if there is no such table. */
  statusOf(table: string): Promise<string | undefined>;
  remove(table: string): Promise<void>;
  /** Runs `npm run verify` on the restored tables. @returns its exit code, null if it was ended */
  verify(tables: Tables, options: readonly string[]): number | null;
}

/** The name of a restored table. The role of tools/deploy/stacks/drill-role.yml reads and deletes only tables that are called so. */
export const drillTable = (table: string): string => `${table}-drill`;

const POLL_MS = 10_000;
/** A restore takes some minutes to some hours, whatever the size. */
const MOST_MS = 5 * 3_600_000;

type Clock = Pick<Runtime, 'monotonic' | 'sleep'>;

/** @returns whether all tables of the drill have this status in time; undefined: that they are gone */
async function untilAll(
  tables: Tables,
  wanted: string | undefined,
  { statusOf }: DrillActions,
  { monotonic, sleep }: Clock,
): Promise<boolean> {
  const end = monotonic() + MOST_MS;
  for (;;) {
    const statuses = await Promise.all(tables.map((table) => statusOf(drillTable(table))));
    if (statuses.every((status) => status === wanted)) return true;
    if (monotonic() >= end) return false;
    await sleep(POLL_MS);
  }
}

/** Deletes the tables of this drill, or of one that was interrupted. A table that is still being made cannot be deleted. */
async function removeAll(tables: Tables, actions: DrillActions, clock: Clock): Promise<void> {
  for (const table of tables.map(drillTable)) {
    while ((await actions.statusOf(table)) === 'CREATING') await clock.sleep(POLL_MS);
    if ((await actions.statusOf(table)) === 'ACTIVE') await actions.remove(table);
  }
}

/** First as the runbook says of restored tables, then as of any others: now nothing may differ. */
const VERIFICATIONS = [['--restored'], []];

function verdictOf(tables: Tables, moment: string, { verify }: DrillActions): [exitCode: number, sentence: string] {
  for (const options of VERIFICATIONS) {
    const code = verify(tables, ['--stage', 'drill', ...options]);
    if (code === 1) return [1, `The users restored to ${moment} are not whole: see above, before somebody needs them.`];
    if (code !== 0) return [2, `The users restored to ${moment} could not be verified.`];
  }
  return [0, `The tables were restored to ${moment} and are whole.`];
}

/**
 * Restores both tables of a stage to the latest moment that both have, verifies the restored ones, and deletes them, however it ends.
 *
 * @returns 0 if the restored users are whole, 1 if not, 2 if that is not known; and a sentence that says so
 */
export async function drilled(
  stage: string,
  tables: Tables,
  actions: DrillActions,
  clock: Clock,
): Promise<[exitCode: number, sentence: string]> {
  const latest = await Promise.all(tables.map(actions.latest));
  const moments = latest.flatMap((moment) => (moment ? [moment.getTime()] : []));
  if (moments.length < tables.length)
    return [2, `Stage ${stage} has no point-in-time recovery: nothing can be restored.`];
  const moment = new Date(Math.min(...moments));
  await removeAll(tables, actions, clock);
  await untilAll(tables, undefined, actions, clock);
  try {
    for (const table of tables) await actions.restore(table, moment);
    const isThere = await untilAll(tables, 'ACTIVE', actions, clock);
    if (!isThere) return [2, `The tables were not restored within ${MOST_MS / 3_600_000} hours.`];
    return verdictOf(tables, moment.toISOString(), actions);
  } finally {
    await removeAll(tables, actions, clock);
  }
}

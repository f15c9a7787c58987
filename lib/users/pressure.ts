/**
 * Writes are slowed while the journal outruns its readers, and no user is created, or gets values without becoming shorter by as much, while the next base
 * would hardly fit into the memory of functions that list. The fold notes both in the head. A container looks at it with its first write, and once in fifty. It also
 * learns there in how many parts the journal lies.
 */
import { ServiceError, sleepWithin, unavailable, withDeadline } from '../ground/index.ts';
import { readPressure } from '../replica/index.ts';
import type { Database } from './database.ts';
import type { Change } from './entry.ts';
import { bytesBrought, bytesOfFields } from './rows.ts';

/** Writes of a container between two looks at the head, without and with pressure. While it is not known, that many may go through. */
const CALM = 50;
const PRESSED = 5;

/** A container writes at most about twice a second then. */
const LONGEST_PAUSE_MS = 1_000;

/** A write waits no longer for it: while the store throttles, what was known goes on. */
const LOOK_MS = 300;

type Known = Awaited<ReturnType<typeof readPressure>>;

/** The pressure by the head, or the one that was known before, if the head cannot be read. */
const look = (database: Database, known: Known): Promise<Known> =>
  withDeadline(database.runtime.now() + LOOK_MS, () => readPressure(database)).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    return known;
  });

/**
 * Whether lists may have to keep more, whatever the request is. A value that the user had not may be one that nobody has, and the one that it takes the place
 * of one that others have, too: so it is paid for by what the user becomes shorter.
 */
const mayGrow = ({ before, after }: Pick<Change, 'before' | 'after'>): boolean =>
  after !== undefined &&
  (before === undefined || bytesBrought(after, before) > bytesOfFields(before) - bytesOfFields(after));

/**
 * Makes what is called before each write, and returns in how many parts the journal lies, as far as this container knows: an earlier number is right,
 * too. @throws {ServiceError} 503 for a create, or for what brings values, where there is no room
 */
export function createHeadCheck(database: Database) {
  const { runtime, limits } = database;
  let writes = CALM - 1;
  let { pressure, parts }: Known = { pressure: undefined, parts: 1 };
  return async (change: Pick<Change, 'before' | 'after'>): Promise<number> => {
    if (++writes % (pressure ? PRESSED : CALM) === 0) ({ pressure, parts } = await look(database, { pressure, parts }));
    if (pressure === 'full' && mayGrow(change))
      throw unavailable('The users no longer fit into the memory for lists: raise listMemory (docs/runbook.md#size)');
    if (pressure === 'long') await sleepWithin(runtime, runtime.random() * LONGEST_PAUSE_MS);
    return Math.min(parts, limits.journalParts);
  };
}

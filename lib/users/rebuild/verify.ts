import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { scanItems } from '../../dynamodb/bulk.ts';
import { inParallel } from '../../parallel.ts';
import type { Database } from '../database.ts';
import { addModulo, hash48 } from '../hash.ts';
import { USERS_INDEXES } from '../indexes.ts';
import { JOURNAL } from '../journal/entry.ts';
import { FORMAT, HEAD_KEY, type Head } from '../journal/head.ts';
import { readItems } from '../journal/items.ts';
import { beginStage } from '../journal/newStage.ts';
import { memberHash } from '../statistics/members.ts';
import type { Entry } from '../statistics/packing.ts';
import { FIRST_BOUND, readEntries } from '../statistics/pages.ts';
import { readSegmented } from '../statistics/segmented.ts';
import type { User } from '../user.ts';
import { isEqual, isRightlyCut } from './checkSegments.ts';
import { expectedLists, expectedMaps } from './expected.ts';
import { readFoldedUsers } from './folded.ts';
import { withFoldHeld } from './hold.ts';
import { repairMap, repairSegments } from './repair.ts';
import { forgetJournal } from './restored.ts';

/** The progress of a verification. */
export interface Progress {
  what: 'users' | 'maps' | 'lists';
  done: number;
  /** An estimate, because users are counted while they are read. */
  total: number;
}

/** The result of a verification: only numbers, no user data. */
export interface Report {
  users: number;
  /** Maps of counts, and lists with their segments. */
  maps: number;
  lists: number;
  /** How many of them differ from the users. */
  wrongTotal: boolean;
  wrongMaps: number;
  wrongLists: number;
  repaired: boolean;
}

export const isAllRight = ({ wrongTotal, wrongMaps, wrongLists, repaired }: Report): boolean =>
  repaired || !(wrongTotal || wrongMaps > 0 || wrongLists > 0);

export interface VerifyOptions {
  repair?: boolean;
  /**
   * For restored tables, which must not serve yet, and for a stage that has lost its head: forgets the journal, and repairs. No fold may
   * be under way. Without a head none begins, and one that had begun ends within a minute. Users can be written meanwhile.
   */
  restored?: boolean;
  onProgress?: (progress: Progress) => void;
}

const PARALLEL_MAPS = 4;

/** Parts of one entry on several pages are one entry. */
function joined(entries: readonly Entry[]): Entry[] {
  const byKey = new Map<string, Map<string, number>>();
  for (const { key, counts } of entries) byKey.set(key, new Map([...(byKey.get(key) ?? []), ...counts]));
  return [...byKey].map(([key, counts]) => ({ key, counts }));
}

/** D7. The names of all stored maps, except those of lists. */
async function storedMaps(database: Database): Promise<Set<string>> {
  const maps = new Set<string>();
  await scanItems(database, database.tables.directory, (items) => {
    for (const { pk } of items) if (/^(totals|names|pieces):/.test(String(pk))) maps.add(String(pk));
  });
  return maps;
}

/** Sets a new tag, so that clients read lists again. */
async function repairHead({ dynamo, tables, runtime }: Database, head: Head, users: readonly User[]): Promise<void> {
  await dynamo.send(
    new UpdateCommand({
      TableName: tables.directory,
      Key: { pk: JOURNAL, sk: HEAD_KEY },
      UpdateExpression:
        'SET #format = :format, #total = :total, checksum = :checksum, #tag = :tag, ' +
        'epoch = if_not_exists(epoch, :zero), claimedAt = if_not_exists(claimedAt, :zero)',
      ConditionExpression: '(attribute_not_exists(#total) OR #total = :before) AND attribute_not_exists(#batch)',
      ExpressionAttributeNames: { '#format': 'format', '#total': 'total', '#tag': 'tag', '#batch': 'batch' },
      ExpressionAttributeValues: {
        ':format': FORMAT,
        ':zero': 0,
        ':before': head.total,
        ':total': users.length,
        ':checksum': checksumOf(users),
        ':tag': addModulo(head.tag, hash48(`rebuilt ${runtime.now()} ${runtime.random()}`)),
      },
    }),
  );
}

const checksumOf = (users: readonly User[]): number => users.reduce((sum, user) => addModulo(sum, memberHash(user)), 0);

/**
 * Compares all statistics with the users while the service runs: the fold is held, and the journal is rolled back. With
 * `repair` it rewrites statistics that differ, and cuts lists that have grown since the last fold.
 *
 * @throws {ServiceError} 503 when the tables have users and no statistics, unless they are said to be restored
 */
export async function verify(
  database: Database,
  { restored = false, repair = restored, onProgress = () => {} }: VerifyOptions = {},
): Promise<Report> {
  await (restored ? forgetJournal : beginStage)(database);
  return withFoldHeld(database, async (ensureHeld) => {
    const repairing = async (write: () => Promise<void>) => {
      if (!repair) return;
      ensureHeld();
      await write();
    };
    const users = await readFoldedUsers(database, (done) => onProgress({ what: 'users', done, total: done }));
    const { head } = await readItems(database);
    const expected = expectedMaps(users);
    const maps = [...new Set([...expected.keys(), ...(await storedMaps(database))])];
    let [done, wrongMaps, lists, wrongLists] = [0, 0, 0, 0];
    const wrongTotal = head.total !== users.length || head.checksum !== checksumOf(users);
    await inParallel(maps, PARALLEL_MAPS, async (map) => {
      const stored = joined(await readEntries(database, map, FIRST_BOUND, undefined));
      const entries = expected.get(map) ?? [];
      if (!isEqual(stored, entries)) {
        wrongMaps++;
        await repairing(() => repairMap(database, map, head.epoch, entries));
      }
      onProgress({ what: 'maps', done: ++done, total: maps.length });
    });
    const levelOf = await readSegmented(database);
    for (const [i, index] of USERS_INDEXES.entries()) {
      const ofIndex = expectedLists(users, index);
      await inParallel(ofIndex, PARALLEL_MAPS, async ({ list, members }) => {
        lists++;
        const level = levelOf(list);
        const isRight = await isRightlyCut(database, list, members, level);
        if (!isRight) wrongLists++;
        const isUncut = level === 0 && members.length > database.sizes.segmentUsers;
        if (!isRight || isUncut) await repairing(() => repairSegments(database, list, head.epoch, members));
      });
      onProgress({ what: 'lists', done: i + 1, total: USERS_INDEXES.length });
    }
    const isWrong = !head.isMade || wrongTotal || wrongMaps > 0 || wrongLists > 0;
    if (isWrong) await repairing(() => repairHead(database, head, users));
    return {
      users: users.length,
      maps: maps.length,
      lists,
      wrongTotal,
      wrongMaps,
      wrongLists,
      repaired: repair && isWrong,
    };
  });
}

import { type Item, patiently, scanItems } from '../../dynamodb/bulk.ts';
import { inParallel } from '../../parallel.ts';
import { cellOfRow, readCounts } from '../statistics/counts.ts';
import type { Row } from '../statistics/rows.ts';
import type { UserStoreDependencies } from '../store.ts';
import { findDifference, type RowFault } from './difference.ts';
import { rowKey } from './readings.ts';
import { createSettlement, type Suspect } from './settle.ts';
import { createTally, isStatistic, type Tally } from './tally.ts';
import { isUserRight, repairUser, toCountedUser } from './userItems.ts';

/** What can be wrong. */
export type Fault = 'user with wrong keys' | `${'count' | 'last-name'} row: ${RowFault}`;

/** What a verification has found. Numbers alone: it tells nothing of any user. */
export interface Report {
  users: number;
  rows: number;
  /** Of each fault, how many were found, and how many of them were put right. */
  faults: Partial<Record<Fault, { found: number; repaired: number }>>;
  /** Rows that may be wrong or right: they changed whenever they were looked at. */
  unsettled: number;
}

export interface Progress {
  what: 'users' | 'rows' | 'rows to settle';
  done: number;
  /** Of the first two it is what the statistics, right or wrong, suggest. */
  total: number;
}

export interface VerifyOptions {
  repair: boolean;
  onProgress?: (progress: Progress) => void;
}

const PARALLEL_REPAIRS = 8;

const toRow = ({ pk, sk }: Item): Row => ({ pk: String(pk), sk: String(sk) });

const kindOf = (row: Row): 'count' | 'last-name' => (cellOfRow(row) === undefined ? 'last-name' : 'count');

/** Whether nothing that is wrong is left. */
export const isAllRight = ({ faults, unsettled }: Report): boolean =>
  unsettled === 0 && Object.values(faults).every(({ found, repaired }) => found === repaired);

function createReport() {
  const faults: Report['faults'] = {};
  return {
    faults,
    note(fault: Fault, isRepaired: boolean): void {
      const { found, repaired } = faults[fault] ?? { found: 0, repaired: 0 };
      faults[fault] = { found: found + 1, repaired: repaired + Number(isRepaired) };
    },
  };
}

/**
 * Recounts the statistics, the Directory table, against the users, and puts right what is wrong, while the service goes
 * on writing. Also users whose items lack the keys that the indexes of this version need: so it fills an index that was
 * added, and follows a change of the folding.
 *
 * A first pass reads both tables once, strongly consistent, and finds users that are wrong and rows that may be. Users are
 * repaired first, then the rows are settled.
 */
export function createVerifier(dependencies: UserStoreDependencies) {
  const { dynamo, tables } = dependencies;

  /** U7 */
  async function scanUsers(onProgress: (done: number) => void) {
    const tally = createTally();
    const wrong: number[] = [];
    let users = 0;
    await scanItems(dependencies, tables.users, (items) => {
      for (const item of items) {
        tally.add(toCountedUser(item));
        if (!isUserRight(item)) wrong.push(Number(item.id));
      }
      users += items.length;
      onProgress(users);
    });
    return { tally, wrong, users };
  }

  /** D5. Compares each row as it comes: all rows together are more than the memory should hold. */
  async function scanRows(tally: Tally, onProgress: (done: number) => void) {
    const suspects = new Map<string, Suspect>();
    const suspect = (row: Row) => suspects.set(rowKey(row), { row, ids: tally.ids(row) });
    let rows = 0;
    await scanItems(dependencies, tables.directory, (items) => {
      for (const item of items) {
        const row = toRow(item);
        if (!isStatistic(row)) continue;
        rows++;
        tally.meet(row);
        if (findDifference(tables, row, item, tally.expected(row))) suspect(row);
      }
      onProgress(rows);
    });
    for (const row of tally.unmet()) suspect(row);
    return { suspects: [...suspects.values()], rows };
  }

  const repairUsers = (ids: readonly number[]): Promise<boolean[]> =>
    inParallel(ids, PARALLEL_REPAIRS, (id) => patiently(dependencies, () => repairUser(dependencies, id)));

  return {
    /** @throws {ServiceError} 503 when DynamoDB stays unavailable; what was repaired until then stays so */
    async verify({ repair, onProgress = () => {} }: VerifyOptions): Promise<Report> {
      const { faults, note } = createReport();
      const counted = (await readCounts(dynamo, tables)).reduce((sum, { users }) => sum + users, 0);
      const { tally, wrong, users } = await scanUsers((done) => onProgress({ what: 'users', done, total: counted }));
      const repaired = repair ? await repairUsers(wrong) : wrong.map(() => false);
      for (const isRepaired of repaired) note('user with wrong keys', isRepaired);

      const expected = tally.rows();
      const { suspects, rows } = await scanRows(tally, (done) => onProgress({ what: 'rows', done, total: expected }));
      const total = suspects.length;
      const { settle } = createSettlement(dependencies, { repair });
      const verdicts = await settle(suspects, (done) => onProgress({ what: 'rows to settle', done, total }));
      for (const verdict of verdicts) {
        if ('fault' in verdict) note(`${kindOf(verdict.row)} row: ${verdict.fault}`, verdict.outcome === 'repaired');
      }
      return { users, rows, faults, unsettled: verdicts.filter(({ outcome }) => outcome === 'unsettled').length };
    },
  };
}

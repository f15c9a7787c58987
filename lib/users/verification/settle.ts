import { transact } from '../../dynamodb/transact.ts';
import { ServiceError } from '../../errors.ts';
import { inParallel } from '../../parallel.ts';
import type { Row } from '../statistics/rows.ts';
import type { UserStoreDependencies } from '../store.ts';
import { type Difference, findDifference, type RowFault } from './difference.ts';
import { type Reading, rangeOfRow, readStill, rowKey } from './readings.ts';

/** A row that may be wrong. */
export interface Suspect {
  row: Row;
  /** Of the users that it counts, as far as they are known. */
  ids: readonly number[];
}

export type Verdict =
  | { row: Row; outcome: 'right' | 'unsettled' }
  | { row: Row; outcome: 'different' | 'repaired'; fault: RowFault };

const MAX_ROUNDS = 20;
const BASE_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 8_000;
const PARALLEL_GROUPS = 8;

/** Suspects whose users are in one range: the users are read once for all of them. */
function groupsOf(suspects: readonly Suspect[]) {
  const groups = new Map<string, { range: ReturnType<typeof rangeOfRow>; ids: Set<number>; rows: Row[] }>();
  for (const { row, ids } of suspects) {
    const range = rangeOfRow(row);
    const key = JSON.stringify(range);
    const group = groups.get(key) ?? { range, ids: new Set(), rows: [] };
    groups.set(key, group);
    group.rows.push(row);
    for (const id of ids) group.ids.add(id);
  }
  return [...groups.values()];
}

/** Whether it was written, or refused, or met conflicts without end: the next round looks. */
async function tryTo(dependencies: UserStoreDependencies, { correction }: Difference): Promise<void> {
  try {
    await transact(dependencies, [correction]);
  } catch (error) {
    if (!(error instanceof ServiceError && error.status === 503)) throw error;
  }
}

/**
 * Finds out which suspects are wrong, and puts them right, while others go on writing.
 *
 * Every write changes a user and the rows that count it in one transaction. So by how much a row is off, its drift, stays
 * the same whatever is written, and one moment at which both sides are known tells it for good. Such a moment is
 * between two readings of the row that are equal, with two readings of its users around the second one that are
 * equal too, each user in its version: whoever was seen twice was there in between.
 *
 * A user is found by its id, which the scan of the table or an index has given. Index entries may be late, for users
 * that came after the scan; so a row counts as wrong only when the same drift is measured twice, with a pause that
 * is long for an index.
 *
 * The correction is refused unless the row is as it was measured. Then its users are, too, but for a row that is not
 * there: users that leave it leave no trace. So a row counts as repaired only when it was seen right afterwards, as it
 * stays then; what is still wrong by now drifts by a constant, and is corrected as any other.
 */
export function createSettlement(dependencies: UserStoreDependencies, { repair }: { repair: boolean }) {
  const { tables, runtime } = dependencies;
  const drifts = new Map<string, string>();
  const corrected = new Map<string, RowFault>();

  /** The verdict on a row, or nothing as long as there is none. */
  async function judge(row: Row, reading: Reading | undefined): Promise<Verdict | undefined> {
    if (!reading) return undefined;
    const key = rowKey(row);
    const difference = findDifference(tables, row, reading.held, reading.expected);
    const repaired = corrected.get(key);
    if (!difference) return repaired ? { row, outcome: 'repaired', fault: repaired } : { row, outcome: 'right' };
    const { fault, drift } = difference;
    const isConfirmed = drifts.get(key) === drift;
    drifts.set(key, drift);
    if (!isConfirmed) return undefined;
    if (!repair) return { row, outcome: 'different', fault };
    corrected.set(key, repaired ?? fault);
    await tryTo(dependencies, difference);
    return undefined;
  }

  async function judgeGroup(group: ReturnType<typeof groupsOf>[number]) {
    const readings = await readStill(dependencies, group);
    const verdicts = await Promise.all(group.rows.map((row) => judge(row, readings.get(rowKey(row)))));
    return {
      verdicts: verdicts.filter((verdict) => verdict !== undefined),
      left: { ...group, rows: group.rows.filter((_, i) => verdicts[i] === undefined) },
    };
  }

  return {
    async settle(suspects: readonly Suspect[], onVerdicts: (count: number) => void): Promise<Verdict[]> {
      let settled: Verdict[] = [];
      let groups = groupsOf(suspects);
      for (let round = 0; round < MAX_ROUNDS && groups.length > 0; round++) {
        if (round > 0) await runtime.sleep(Math.min(BASE_PAUSE_MS * 2 ** (round - 1), MAX_PAUSE_MS));
        const judged = await inParallel(groups, PARALLEL_GROUPS, judgeGroup);
        settled = [...settled, ...judged.flatMap(({ verdicts }) => verdicts)];
        groups = judged.map(({ left }) => left).filter(({ rows }) => rows.length > 0);
        onVerdicts(settled.length);
      }
      const unsettled = groups.flatMap(({ rows }) => rows.map((row): Verdict => ({ row, outcome: 'unsettled' })));
      return [...settled, ...unsettled];
    },
  };
}

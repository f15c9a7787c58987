import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import { type Journal, JournalMoved, withJournal } from '../journal/journal.ts';
import type { EncodedFilters } from '../keys.ts';
import { type List, valuesOf } from '../lists.ts';
import { countPiece, findLastNames, isPiece, type KeywordCounts, type LastNames } from '../statistics/lastNames.ts';
import { WHOLE_MAP } from '../statistics/pages.ts';
import { readSegments, type Segment, segmentsMap } from '../statistics/segments.ts';
import { readTotal, readValues, type ValueTotal } from '../statistics/totals.ts';
import type { Plan } from './plans.ts';

/** What one listing reads: the lists and statistics as they are with one journal. */
export interface View {
  database: Database;
  journal: Journal;
  /** The read units that lists have taken so far. */
  units: number;
  /** How many units lists may take. */
  budget: number;
  /** How they were read, in the order of decisions. */
  plans: Plan[];
  /** How many users have these values. Read once. */
  total(values: EncodedFilters): Promise<number>;
  values(field: ExactField, within: EncodedFilters): Promise<ValueTotal[]>;
  lastNames(keyword: string): Promise<LastNames>;
  /** How many users have a keyword in their last name: for a short one without reading the names. */
  keyword(keyword: string): Promise<KeywordCounts>;
  /** How many users the partition of a list has. */
  sizeOf(list: List): Promise<number>;
  /** The second level of the segments of a list: none for a list that is not cut. */
  sums(list: List): Promise<Segment[]>;
  /** The segments of a list from one of their bounds to another. */
  segments(list: List, from: string, to: string | undefined): Promise<Segment[]>;
  /** For a stream, reads the journal again from time to time. @returns whether it did */
  refresh(): Promise<boolean>;
  /** For a stream, asks again with a new journal when a fold comes in between. */
  steadily<Result>(ask: () => Promise<Result>): Promise<Result>;
}

/** A stream shows what was written up to so long ago. */
const REFRESH_MS = 1_000;

const MAX_TRIES = 5;

const textOf = (values: EncodedFilters): string => JSON.stringify(EXACT_FIELDS.map((field) => values[field]));

function buildView(database: Database, journal: Journal, budget: number): View {
  /** Asks once for each key and state of the journal. */
  function remembered<Key, Value>(ask: (key: Key) => Promise<Value>, nameOf: (key: Key) => string) {
    const results = new Map<string, Promise<Value>>();
    return (key: Key): Promise<Value> => {
      const name = `${view.journal.epoch} ${view.journal.tag} ${nameOf(key)}`;
      const result = results.get(name) ?? ask(key);
      results.set(name, result);
      return result;
    };
  }
  const segmentsOf = remembered(
    ({ list, ...range }: { list: List; from: string; to: string | undefined }) =>
      readSegments(database, view.journal, list, 1, range),
    ({ list, from, to }) => JSON.stringify([segmentsMap(1, list), from, to]),
  );
  const pieces = remembered(
    (piece: string) => countPiece(database, view.journal, piece),
    (piece) => piece,
  );
  const values = remembered(
    ({ field, within }: { field: ExactField; within: EncodedFilters }) =>
      readValues(database, view.journal, field, within),
    ({ field, within }) => field + textOf(within),
  );
  const view: View = {
    database,
    journal,
    units: 0,
    budget,
    plans: [],
    total: remembered((values) => readTotal(database, view.journal, values), textOf),
    sizeOf: (list) => view.total(valuesOf(list)),
    sums: remembered(
      (list) => readSegments(database, view.journal, list, 2, WHOLE_MAP),
      (list) => segmentsMap(2, list),
    ),
    segments: (list, from, to) => segmentsOf({ list, from, to }),
    values: (field, within) => values({ field, within }),
    lastNames: remembered(
      (keyword) => findLastNames(database, view.journal, keyword),
      (keyword) => keyword,
    ),
    keyword: (keyword) => (isPiece(keyword) ? pieces(keyword) : view.lastNames(keyword)),
    refresh: async () => false,
    steadily: (ask) => ask(),
  };
  return view;
}

/** For an answer that is made at once: all of it is read with one journal. */
export const createView = (database: Database, journal: Journal): View =>
  buildView(database, journal, database.sizes.budgetUnits);

/** For an answer that takes its time: the journal grows old meanwhile. */
export function createStreamView(database: Database, journal: Journal): View {
  const { runtime } = database;
  const view = buildView(database, journal, Number.POSITIVE_INFINITY);
  let readAt = runtime.monotonic();
  const read = async () => {
    view.journal = await withJournal(database, async (newer) => newer);
    readAt = runtime.monotonic();
  };
  view.refresh = async () => {
    if (runtime.monotonic() - readAt < REFRESH_MS) return false;
    await read();
    return true;
  };
  view.steadily = async (ask) => {
    for (let tries = 1; ; tries++) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof JournalMoved) || tries === MAX_TRIES) throw error;
        await read();
      }
    }
  };
  return view;
}

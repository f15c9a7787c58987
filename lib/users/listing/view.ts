import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import { type Journal, JournalMoved, withJournal } from '../journal/journal.ts';
import type { EncodedFilters } from '../keys.ts';
import type { List } from '../lists.ts';
import { countPiece, findLastNames, isPiece, type KeywordCounts, type LastNames } from '../statistics/lastNames.ts';
import { FIRST_BOUND, WHOLE_MAP } from '../statistics/pages.ts';
import { readSegments, type Segment, segmentsMap, segmentsWithin } from '../statistics/segments.ts';
import { readTotal, readValues, type ValueTotal } from '../statistics/totals.ts';
import type { Plan } from './plans.ts';

/** What one listing reads: lists and statistics together with one journal. */
export interface View {
  database: Database;
  journal: Journal;
  /** The read units that lists have cost so far. */
  units: number;
  /** The read units that lists may cost. */
  budget: number;
  /** The plans that were chosen, in order. */
  plans: Plan[];
  /** How many users have these values. Read once. */
  total(values: EncodedFilters): Promise<number>;
  /** The values of a field, or those with one sort text, and how many users have each. */
  values(field: ExactField, within: EncodedFilters, text?: string): Promise<ValueTotal[]>;
  lastNames(keyword: string): Promise<LastNames>;
  /** How many users have a keyword in their last name. The names are not read for a short keyword. */
  keyword(keyword: string): Promise<KeywordCounts>;
  /** The segments of level 2 of a list. Empty if it has none. */
  sums(list: List): Promise<Segment[]>;
  /** The segments of a list from one of their bounds to another. */
  segments(list: List, from: string, to: string | undefined): Promise<Segment[]>;
  /** A stream reads the journal again from time to time. @returns whether it did */
  refresh(): Promise<boolean>;
  /** A stream repeats `ask` with a new journal if a fold begins before it ends. */
  retryWhenMoved<Result>(ask: () => Promise<Result>): Promise<Result>;
}

/** How old the journal of a stream may become. */
const REFRESH_MS = 1_000;

const MAX_TRIES = 5;

const textOf = (values: EncodedFilters): string => JSON.stringify(EXACT_FIELDS.map((field) => values[field]));

function buildView(database: Database, journal: Journal, budget: number): View {
  /** Calls `ask` once for each key and state of the journal. */
  function remembered<Key, Value>(ask: (key: Key) => Promise<Value>, nameOf: (key: Key) => string) {
    const results = new Map<string, Promise<Value>>();
    return (key: Key): Promise<Value> => {
      const name = `${view.journal.epoch} ${view.journal.tag} ${nameOf(key)}`;
      const result = results.get(name) ?? ask(key);
      results.set(name, result);
      return result;
    };
  }
  /** The lists of which all segments are read. */
  const whole = new Set<string>();
  const segmentsOf = remembered(
    ({ list, ...range }: { list: List; from: string; to: string | undefined }) =>
      readSegments(database, view.journal, list, 1, range),
    ({ list, from, to }) => JSON.stringify([segmentsMap(1, list), from, to]),
  );
  const partOf = async (list: List, from: string, to: string | undefined): Promise<Segment[]> => {
    const map = segmentsMap(1, list);
    if (from === WHOLE_MAP.from && to === WHOLE_MAP.to) whole.add(map);
    if (!whole.has(map)) return segmentsOf({ list, from, to });
    return segmentsWithin(await segmentsOf({ list, from: FIRST_BOUND, to: undefined }), from, to);
  };
  const pieces = remembered(
    (piece: string) => countPiece(database, view.journal, piece),
    (piece) => piece,
  );
  const values = remembered(
    ({ field, within, text }: { field: ExactField; within: EncodedFilters; text: string | undefined }) =>
      readValues(database, view.journal, field, within, text),
    ({ field, within, text }) => JSON.stringify([field, textOf(within), text]),
  );
  const view: View = {
    database,
    journal,
    units: 0,
    budget,
    plans: [],
    total: remembered((values) => readTotal(database, view.journal, values), textOf),
    sums: remembered(
      (list) => readSegments(database, view.journal, list, 2, WHOLE_MAP),
      (list) => segmentsMap(2, list),
    ),
    segments: partOf,
    values: (field, within, text) => values({ field, within, text }),
    lastNames: remembered(
      (keyword) => findLastNames(database, view.journal, keyword),
      (keyword) => keyword,
    ),
    keyword: (keyword) => (isPiece(keyword) ? pieces(keyword) : view.lastNames(keyword)),
    refresh: async () => false,
    retryWhenMoved: (ask) => ask(),
  };
  return view;
}

/** For a page or batch: all of it is read with one journal. */
export const createView = (database: Database, journal: Journal): View =>
  buildView(database, journal, database.sizes.budgetUnits);

/** For a stream, which may take minutes: it renews the journal. */
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
  view.retryWhenMoved = async (ask) => {
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

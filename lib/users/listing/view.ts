import { together } from '../../parallel.ts';
import { treeOf } from '../counts/maps.ts';
import { countPiece, isPiece, type KeywordCounts, type NameCounts, readNames } from '../counts/names.ts';
import { type Level, type Part, readSegments, type Segment, UNKNOWN } from '../counts/segments.ts';
import { countBefore, readTotals, readValues, type ValueTotal } from '../counts/totals.ts';
import type { Database } from '../database.ts';
import type { ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import type { EncodedFilters } from '../keys.ts';
import type { List } from '../lists.ts';

/** What one listing reads: lists and statistics together with one journal. Each statistic is read once. */
export interface View {
  database: Database;
  journal: Journal;
  /** The read units that this request has cost before, and those of lists since; and the calls of lists. */
  units: number;
  calls: number;
  /** The plans that were chosen, in order. */
  plans: string[];
  /** What is computed from what is read, kept under a name. */
  once<Value>(ask: () => Promise<Value>, ...name: unknown[]): Promise<Value>;
  /** How many users have these values. */
  total(values: EncodedFilters): Promise<number>;
  /** The values of a field, and how many users have each. */
  values(field: ExactField, within: EncodedFilters): Promise<ValueTotal[]>;
  /** How many users have a value of a field before a text; undefined if totals do not tell cheaply. */
  before(field: ExactField, within: EncodedFilters, text: string): Promise<number | undefined>;
  names(keyword: string): Promise<NameCounts>;
  /** How many users have a keyword in their last name. The names are not read for a short keyword. */
  keyword(keyword: string): Promise<KeywordCounts>;
  /** The segments of a list from one sum to the next, or all of its sums. */
  segments(level: Level, list: List, part?: Part): Promise<Segment[]>;
}

/** @param spent read units that the request has cost before */
export function createView(database: Database, journal: Journal, spent = 0): View {
  const tree = treeOf(database, journal.generation);
  const known = new Map<string, Promise<unknown>>();
  const once = <Value>(ask: () => Promise<Value>, ...name: unknown[]): Promise<Value> => {
    const key = JSON.stringify(name);
    const value = (known.get(key) as Promise<Value> | undefined) ?? ask();
    known.set(key, value);
    return value;
  };
  const total = together((asked: readonly EncodedFilters[]) => readTotals(tree, journal, asked));
  const view: View = {
    database,
    journal,
    units: spent,
    calls: 0,
    plans: [],
    once,
    total: (values) => once(() => total(values), 'total', values),
    values: (field, within) => once(() => readValues(tree, journal, field, within), 'values', field, within),
    before: (field, within, text) =>
      once(() => countBefore(tree, journal, field, within, text), 'before', field, within, text),
    names: (keyword) => once(() => readNames(tree, journal, keyword), 'names', keyword),
    keyword: (keyword) =>
      isPiece(keyword) ? once(() => countPiece(tree, journal, keyword), 'piece', keyword) : view.names(keyword),
    segments: (level, list, part = {}) =>
      once(
        async () =>
          journal.indexes.includes(list.index.name) ? readSegments(tree, journal, level, list, part) : [UNKNOWN],
        level,
        list.index.name,
        list.partition,
        part.from,
        part.to,
      ),
  };
  return view;
}

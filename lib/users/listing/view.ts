import { unavailable } from '../../errors.ts';
import { together } from '../../parallel.ts';
import { countLetter, isLetter } from '../counts/letters.ts';
import { treeOf } from '../counts/maps.ts';
import { type KeywordCounts, readNames } from '../counts/names.ts';
import { type Level, type Part, readSegments } from '../counts/segments.ts';
import { countBefore, readCombinations, readTotals } from '../counts/totals.ts';
import type { Database } from '../database.ts';
import type { ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import type { EncodedFilters } from '../keys.ts';
import type { List } from '../lists.ts';

/**
 * What one listing reads: lists and statistics together with one journal. Each statistic is read only once.
 *
 * @param spent read units that the request has cost before
 */
export function createView(database: Database, journal: Journal, spent = 0) {
  const tree = treeOf(database, journal.generation);
  const known = new Map<string, Promise<unknown>>();
  /** What is computed from what is read is kept under a name. */
  const remember = <Value>(ask: () => Promise<Value>, ...name: unknown[]): Promise<Value> => {
    const key = JSON.stringify(name);
    const value = (known.get(key) as Promise<Value> | undefined) ?? ask();
    known.set(key, value);
    return value;
  };
  const total = together((asked: readonly EncodedFilters[]) => readTotals(tree, journal, asked));
  const names = (keyword: string) => remember(() => readNames(tree, journal, keyword), 'names', keyword);
  return {
    database,
    journal,
    /** The read units that this request has cost before, and those of lists since; and the calls of lists. */
    units: spent,
    calls: 0,
    /** The plans that were chosen, in order. */
    plans: [] as string[],
    remember,
    /** How many users have these values. */
    total: (values: EncodedFilters) => remember(() => total(values), 'total', values),
    /** The combinations of values of some fields, and how many users have each. */
    combinations: (fields: readonly ExactField[], within: EncodedFilters) =>
      remember(() => readCombinations(tree, journal, fields, within), 'combinations', fields, within),
    /** How many users have a value of a field before a text; undefined if totals do not tell cheaply. */
    before: (field: ExactField, within: EncodedFilters, text: string) =>
      remember(() => countBefore(tree, journal, field, within, text), 'before', field, within, text),
    /** The last names with a keyword, and how many users have them. */
    names,
    /** How many users have a keyword in their last name. The names are not read for a letter. */
    keyword: async (keyword: string): Promise<KeywordCounts> =>
      isLetter(keyword) ? countLetter(tree, journal, keyword) : names(keyword),
    /** The segments of a list from one sum to the next, or all of its sums. */
    async segments(level: Level, list: List, part: Part) {
      const { index, partition } = list;
      if (!journal.indexes.includes(index.name)) throw unavailable(`The list ${index.name} has not been counted yet`);
      const read = () => readSegments(tree, journal, level, list, part);
      return remember(read, level, index.name, partition, part.from, part.to);
    },
  };
}

export type View = ReturnType<typeof createView>;

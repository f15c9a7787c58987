import type { Database } from '../database.ts';
import { EXACT_FIELDS, type ExactField } from '../fields.ts';
import type { Journal } from '../journal/journal.ts';
import type { EncodedFilters } from '../keys.ts';
import { type List, valuesOf } from '../lists.ts';
import { findLastNames, type LastNames } from '../statistics/lastNames.ts';
import { readSegments, type Segment, segmentsMap, WHOLE_LIST } from '../statistics/segments.ts';
import { readTotal, readValues, type ValueTotal } from '../statistics/totals.ts';
import type { Plan } from './plan.ts';

/** What one listing reads: the lists and statistics as they are with one journal. */
export interface View {
  database: Database;
  journal: Journal;
  /** The read units that lists have taken so far. */
  units: number;
  /** How they were read, in the order of decisions. */
  plans: Plan[];
  /** How many users have these values. Read once. */
  total(values: EncodedFilters): Promise<number>;
  values(field: ExactField, within: EncodedFilters): Promise<ValueTotal[]>;
  lastNames(keyword: string): Promise<LastNames>;
  /** How many users the partition of a list has. */
  sizeOf(list: List): Promise<number>;
  /** The second level of the segments of a list: none for a list that is not cut. */
  sums(list: List): Promise<Segment[]>;
}

/** Asks once for each key. */
function remembered<Key, Value>(ask: (key: Key) => Promise<Value>, textOf: (key: Key) => string) {
  const answers = new Map<string, Promise<Value>>();
  return (key: Key): Promise<Value> => {
    const text = textOf(key);
    const answer = answers.get(text) ?? ask(key);
    answers.set(text, answer);
    return answer;
  };
}

const textOf = (values: EncodedFilters): string => JSON.stringify(EXACT_FIELDS.map((field) => values[field]));

export function createView(database: Database, journal: Journal): View {
  const total = remembered((values: EncodedFilters) => readTotal(database, journal, values), textOf);
  return {
    database,
    journal,
    units: 0,
    plans: [],
    total,
    sizeOf: (list) => total(valuesOf(list)),
    sums: remembered(
      (list) => readSegments(database, journal, list, 2, WHOLE_LIST),
      (list) => segmentsMap(2, list),
    ),
    values: (field, within) => readValues(database, journal, field, within),
    lastNames: remembered(
      (keyword) => findLastNames(database, journal, keyword),
      (keyword) => keyword,
    ),
  };
}

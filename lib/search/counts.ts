/**
 * How many rows have each combination of values: of a composite aggregation that is read to its end, because one of terms is not exact over shards,
 * and of the rows that have changed since. Where one of terms says that it is whole, it takes as long.
 */
import {
  type By,
  compareCodePoints,
  compareExactly,
  decoded,
  encoded,
  kindOf,
  type Mixed,
  type Row,
  shownValue,
  valueIn,
  valueOfColumn,
} from '../columns/index.ts';
import { at, type Shape } from './fields.ts';
import type { Query } from './query.ts';
import type { View } from './view.ts';

/** Something that rows are counted by, and its name, whose ending says of which period its dates are. */
interface Counted {
  readonly name: string;
  readonly by: By;
}

interface Group {
  readonly values: (Mixed | undefined)[];
  readonly count: number;
  /** The keys in the index that are counted so. */
  readonly keys: readonly string[];
}

interface Counts {
  total: number;
  /** The largest first. */
  groups: Group[];
  /** Rows that have a combination beside the first ones. */
  othersThan(first: readonly Group[]): Promise<number>;
}

/** There are more combinations than are counted. */
export const TOO_MANY = 'too many';

/** Each takes some 200 bytes here, and a tenth of a millisecond there. */
export const MOST_GROUPS = 200_000;

/** Combinations of an answer of the engine, which looks at all rows for each and makes no more than 65,535. */
const PAGE = 60_000;

/** The values of a row, as they are counted, in the index and here. */
interface Source {
  readonly source: object;
  readonly field: string;
  /** Of numbers: by how much they are counted together. */
  readonly interval: number;
  /** Whether a row may have several. */
  readonly isMany: boolean;
  read(key: string | number): Mixed | undefined;
  of(row: Row): readonly (Mixed | undefined)[];
  compare(a: Mixed | undefined, b: Mixed | undefined): number;
}

const compareNames = (a: Mixed | undefined, b: Mixed | undefined): number =>
  Number(a === undefined) - Number(b === undefined) || compareCodePoints(String(a), String(b));

/** The spans of moments: days in the index, which are put together here. */
function ofSpans(
  { days }: Shape,
  { field, spanOf }: By & { spanOf: (value: number) => { value: string | number } },
): Source {
  const name = field === undefined ? 'id' : at('n', field);
  const interval = days[field ?? 'id'] ?? 1;
  return {
    source: { histogram: { field: name, interval, missing_bucket: true } },
    ...{ field: name, interval, isMany: false, compare: compareNames },
    read: (key) => spanOf(Number(key)).value,
    of(row) {
      const value = field === undefined ? row.id : row[field];
      return [typeof value === 'number' ? spanOf(value).value : undefined];
    },
  };
}

const terms = (field: string) => ({ source: { terms: { field, missing_bucket: true } }, field, interval: 1 });

const memberIn = (row: Row, column: string): Mixed | undefined => shownValue('mixed', valueIn(row, column));

function ofPeriods({ periods }: Shape, { name }: Counted, field: string): Source {
  const nameOf = periods[name.slice(field.length + 1)];
  return {
    ...terms(at('c', name)),
    ...{ isMany: true, compare: compareNames, read: String },
    of(row) {
      const texts = [memberIn(row, field)].flat().filter((each) => typeof each === 'string');
      return [...new Set(texts.flatMap((text) => nameOf?.(text) ?? []))];
    },
  };
}

function ofMembers(field: string): Source {
  return {
    ...terms(at('v', field)),
    ...{ isMany: true, read: (key) => decoded(String(key)) },
    of(row) {
      const value = memberIn(row, field);
      return Array.isArray(value) ? [...new Set(value)] : [value as Mixed | undefined];
    },
    compare: (a, b) => compareExactly('mixed', a === undefined ? a : encoded(a), b === undefined ? b : encoded(b)),
  };
}

function ofField({ kinds }: Shape, field: string): Source {
  const kind = kindOf(kinds, field) ?? 'text';
  const own = kind === 'number' ? at('n', field) : at(kind === 'exact' ? 's' : 'x', field);
  return {
    ...terms(own),
    isMany: false,
    read: (key) => (kind === 'exact' ? String(key).slice(String(key).indexOf('\0') + 1) : key),
    of: (row) => [valueOfColumn(kinds, row, field)],
    compare: (a, b) => compareExactly(kind, a as string, b as string),
  };
}

function sourceOf(shape: Shape, counted: Counted): Source {
  const { by } = counted;
  if (by.spanOf) return ofSpans(shape, by as Parameters<typeof ofSpans>[1]);
  const { field, reading } = by as { field: string; reading?: object };
  if (reading) return ofPeriods(shape, counted, field);
  return kindOf(shape.kinds, field) === 'mixed' ? ofMembers(field) : ofField(shape, field);
}

/** A key such that several in a row are those of one combination alone. */
const keyOf = (key: string | number | null): string => (key === null ? '-' : `${String(key).length}:${key}`);

/** All combinations of the values of a row. */
const combinationsOf = (sources: readonly Source[], row: Row): (Mixed | undefined)[][] =>
  sources.reduce<(Mixed | undefined)[][]>(
    (all, source) => {
      const values = source.of(row);
      return all.flatMap((some) => (values.length > 0 ? values : [undefined]).map((each) => [...some, each]));
    },
    [[]],
  );

const nameOf = (values: readonly (Mixed | undefined)[]): string => JSON.stringify(values.map((each) => each ?? null));

/** Groups by the names of their values, some added to others. */
class Groups {
  readonly all = new Map<string, { values: (Mixed | undefined)[]; count: number; keys: string[] }>();

  add(values: (Mixed | undefined)[], count: number, key?: string): void {
    const name = nameOf(values);
    const group = this.all.get(name) ?? { values, count: 0, keys: [] };
    group.count += count;
    if (key !== undefined) group.keys.push(key);
    this.all.set(name, group);
  }
}

/**
 * The same rows, by a query that is not one of all: for that one the engine makes each page but the first in the order of texts, which takes ten times
 * as long as row by row. No row has this id.
 */
const rowByRow = (query: Query): Query => ({ bool: { filter: [query], must_not: [{ ids: { values: ['-'] } }] } });

/** Puts the combinations of the index into groups. */
async function readGroups(
  { search }: View,
  query: Query,
  sources: readonly Source[],
  groups: Groups,
): Promise<number | typeof TOO_MANY> {
  let [after, total]: [object | undefined, number] = [undefined, 0];
  do {
    const composite = {
      size: PAGE,
      sources: sources.map(({ source }, i) => ({ [i]: source })),
      ...(after && { after }),
    };
    const aggs = sources.length > 0 ? { aggs: { by: { composite } } } : {};
    const found = await search({ query: rowByRow(query), size: 0, track_total_hits: true, ...aggs });
    total = found.hits.total.value;
    const { buckets = [], after_key } = found.aggregations?.by ?? {};
    for (const { key, doc_count } of buckets) {
      const keys = sources.map((_, i) => key[i] as string | number | null);
      const values = sources.map(({ read }, i) => (keys[i] == null ? undefined : read(keys[i])));
      groups.add(values, doc_count, keys.map(keyOf).join(''));
    }
    if (groups.all.size > MOST_GROUPS) return TOO_MANY;
    // Each page takes as long as the first one, also one that is empty.
    after = buckets.length < PAGE ? undefined : after_key;
  } while (after);
  return total;
}

/** Whether a row has a combination of keys that is not among some. Painless has no escapes in a text but of quotes and of itself. */
const HAS_OTHERS = `
  List all = [""];
  for (def s : params.sources) {
    List own = new ArrayList();
    if (doc.containsKey(s.field)) for (def v : doc[s.field]) {
      String key = v instanceof Number
        ? String.valueOf((long)(Math.floor(((Number)v).doubleValue() / s.interval) * s.interval))
        : v.toString();
      own.add(key.length() + ":" + key);
    }
    if (own.isEmpty()) own.add("-");
    List next = new ArrayList();
    for (def a : all) for (def o : own) next.add(a + o);
    all = next;
  }
  for (def a : all) if (!params.keys.containsKey(a)) return true;
  return false;`;

async function othersIn(
  { search }: View,
  query: Query,
  sources: readonly Source[],
  first: readonly Group[],
): Promise<number> {
  // A list of them would be read to its end for each row.
  const keys = Object.fromEntries(first.flatMap((group) => group.keys.map((key) => [key, true])));
  const shown = sources.map(({ field, interval }) => ({ field, interval }));
  const script = { script: { source: HAS_OTHERS, params: { sources: shown, keys } } };
  const found = await search({ query: { bool: { filter: [query, { script }] } }, size: 0, track_total_hits: true });
  return found.hits.total.value;
}

/** @param own the rows that have changed and meet the question, as they are now */
export async function countsOf(
  view: View,
  query: Query,
  own: readonly Row[],
  counted: readonly Counted[],
): Promise<Counts | typeof TOO_MANY> {
  const sources = counted.map((each) => sourceOf(view.shape, each));
  const groups = new Groups();
  const stored = await readGroups(view, query, sources, groups);
  if (stored === TOO_MANY) return TOO_MANY;
  const combinations = own.map((row) => combinationsOf(sources, row));
  for (const each of combinations.flat()) groups.add(each, 1);
  if (sources.length === 0 && stored > 0) groups.add([], stored);
  const total = stored + own.length;
  const compare = (a: Group, b: Group): number =>
    sources.reduce((sum, source, i) => sum || source.compare(a.values[i], b.values[i]), b.count - a.count);
  return {
    total,
    groups: [...groups.all.values()].sort(compare),
    async othersThan(first) {
      if (first.length === groups.all.size) return 0;
      if (!sources.some(({ isMany }) => isMany)) return first.reduce((left, { count }) => left - count, total);
      const names = new Set(first.map(({ values }) => nameOf(values)));
      const ofOwn = combinations.filter((each) => each.some((values) => !names.has(nameOf(values)))).length;
      return ofOwn + (await othersIn(view, query, sources, first));
    },
  };
}

import { unavailable } from '../../../lib/ground/index.ts';
import type { Engine } from '../../../lib/search/index.ts';

type Json = Record<string, unknown>;
type Value = string | number;

/** A document, and the version with which it was put, or taken away. */
interface Versioned {
  version: number;
  document: Json | undefined;
}

interface Index {
  all: Map<string, Versioned>;
  /** As searches see it, since the last refresh. */
  shown: ReadonlyMap<string, Json>;
  /** Whether it takes no documents of a copy any more. */
  isCopied?: boolean;
}

type Request = Parameters<Engine>[0];

/** Carries a request out, or a part of it, perhaps late, or not at all. */
type Around = (request: Request, execute: (given?: Request) => Json | undefined) => Promise<unknown>;

const valuesIn = (document: Json, field: string): Value[] =>
  document[field] === undefined ? [] : ([document[field]].flat() as Value[]);

const bytes = (text: Value): Buffer => Buffer.from(String(text));

/** Texts by the bytes of UTF-8. */
const compare = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : bytes(a).compare(bytes(b));

const BOUNDS: Record<string, (difference: number) => boolean> = {
  gte: (d) => d >= 0,
  gt: (d) => d > 0,
  lte: (d) => d <= 0,
  lt: (d) => d < 0,
};

/** A pattern with `*` and `?` as a regular expression: `\` takes their meaning away. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text.replace(/\\(.)|([*?])|([^\w\s])/gsu, (_, literal, sign, other) => {
      if (sign) return sign === '*' ? '.*' : '.';
      return `\\u{${(literal ?? other).codePointAt(0).toString(16)}}`;
    })}$`,
    'su',
  );

/** The one member of an object. */
const only = (object: Json): [name: string, value: Json] => Object.entries(object)[0] as [string, Json];

/** The meanings of queries. */
const QUERIES: Record<string, (document: Json, query: Json) => boolean> = {
  bool(document, { filter = [], must_not = [], should }) {
    const meets = (query: Json) => matches(document, query);
    const isOne = should === undefined || (should as Json[]).some(meets);
    return isOne && (filter as Json[]).every(meets) && !(must_not as Json[]).some(meets);
  },
  term(document, query) {
    const [field, value] = only(query);
    return valuesIn(document, field).some((each) => each === (value as unknown as Value));
  },
  terms(document, query) {
    const [field, values] = only(query);
    return valuesIn(document, field).some((each) => (values as unknown as Value[]).includes(each));
  },
  ids: (document, { values }) => (values as unknown as string[]).includes(String(document.id)),
  exists: (document, { field }) => valuesIn(document, String(field)).length > 0,
  prefix(document, query) {
    const [field, text] = only(query);
    return valuesIn(document, field).some((each) => String(each).startsWith(String(text)));
  },
  wildcard(document, query) {
    const [field, { value }] = only(query);
    const pattern = patternOf(String(value));
    return valuesIn(document, field).some((each) => pattern.test(String(each)));
  },
  range(document, query) {
    const [field, bounds] = only(query);
    const isIn = (each: Value) =>
      Object.entries(bounds).every(([bound, of]) => BOUNDS[bound]?.(compare(each, of as Value)));
    return valuesIn(document, field).some(isIn);
  },
};

function matches(document: Json, query: Json): boolean {
  const [name, value] = only(query);
  const meaning = QUERIES[name];
  if (!meaning) throw new Error(`No query is named ${name} here`);
  return meaning(document, value);
}

/** The values by which a document is sorted. */
const placeOf = (document: Json, sort: readonly Json[]): (Value | null)[] =>
  sort.map((step) => {
    const [field, { missing }] = only(step);
    const [value] = valuesIn(document, field);
    return value ?? (typeof missing === 'number' ? missing : null);
  });

const compareBy =
  (sort: readonly Json[]) =>
  (a: readonly (Value | null)[], b: readonly (Value | null)[]): number => {
    for (const [i, step] of sort.entries()) {
      const [, { order, missing }] = only(step);
      const [x = null, y = null] = [a[i], b[i]];
      const isLast = missing === '_last';
      if ((x === null) !== (y === null)) return (x === null) === isLast ? 1 : -1;
      const difference = x === null || y === null ? 0 : compare(x, y);
      if (difference !== 0) return order === 'desc' ? -difference : difference;
    }
    return 0;
  };

/** The keys of a document for a source of a composite aggregation: null without a value. */
function keysOf(document: Json, source: Json): (Value | null)[] {
  const [kind, { field, interval }] = only(only(source)[1]);
  const values = [...new Set(valuesIn(document, String(field)))];
  if (values.length === 0) return [null];
  return kind === 'histogram' ? values.map((v) => Math.floor(Number(v) / Number(interval)) * Number(interval)) : values;
}

function bucketsOf(documents: readonly Json[], sources: readonly Json[]): Json[] {
  const buckets = new Map<string, { key: (Value | null)[]; doc_count: number }>();
  for (const document of documents) {
    const all = sources.reduce<(Value | null)[][]>(
      (some, source) => some.flatMap((key) => keysOf(document, source).map((each) => [...key, each])),
      [[]],
    );
    for (const key of all) {
      const bucket = buckets.get(JSON.stringify(key)) ?? { key, doc_count: 0 };
      bucket.doc_count++;
      buckets.set(JSON.stringify(key), bucket);
    }
  }
  return [...buckets.values()].map(({ key, doc_count }) => ({
    key: Object.fromEntries(sources.map((source, i) => [only(source)[0], key[i]])),
    doc_count,
  }));
}

const SHARDS = { failed: 0 };

function searched(shown: ReadonlyMap<string, Json>, body: Json): Json {
  const {
    query,
    sort = [],
    size = 10,
    from = 0,
    search_after: after,
    aggs,
  } = body as Json & { size?: number; from?: number };
  const steps = sort as Json[];
  const found = [...shown].filter(([, document]) => matches(document, query as Json));
  const placed = found.map(([_id, document]) => ({
    _id,
    _source: { row: document.row },
    sort: placeOf(document, steps),
  }));
  const sorted = placed.sort((a, b) => compareBy(steps)(a.sort, b.sort));
  const behind = after ? sorted.filter((each) => compareBy(steps)(each.sort, after as Value[]) > 0) : sorted;
  const { by } = (aggs ?? {}) as { by?: { composite: { sources: Json[] } } };
  return {
    _shards: SHARDS,
    hits: { total: { value: found.length }, hits: behind.slice(from, from + size) },
    ...(by && {
      aggregations: {
        by: {
          buckets: bucketsOf(
            found.map(([, each]) => each),
            by.composite.sources,
          ),
        },
      },
    }),
  };
}

/**
 * A plain model of OpenSearch, as lib/search uses it: documents with external versions, which are found after a refresh, points in time, and the
 * queries that there are. The version with which a document is taken away is remembered for ever.
 */
export class FakeEngine {
  readonly indexes = new Map<string, Index>();
  private readonly points = new Map<string, ReadonlyMap<string, Json>>();
  private pointsMade = 0;

  /** The engine as a process calls it. */
  of =
    (around: Around): Engine =>
    (request) =>
      around(request, (given = request) => this.answer(given));

  private answer({ method, path, body }: Request): Json | undefined {
    const [names = '', verb = ''] = path
      .slice(1)
      .replace(/\?.*/, '')
      .split(/\/(.*)/s);
    if (names === '_cat') return [...this.indexes.keys()].map((index) => ({ index })) as unknown as Json;
    if (names === '_search') return this.byPoint(method, body as Json);
    const name = names.replace(/-(written|copied)$/, '');
    if (method === 'PUT') return this.create(name);
    const index = this.indexes.get(name);
    const endsCopy = verb.startsWith('_alias/');
    if (index && endsCopy) index.isCopied = true;
    if (index?.isCopied && names.endsWith('-copied')) return { items: [NO_ALIAS] };
    if (method === 'DELETE' && !endsCopy) this.indexes.delete(name);
    return index && this.ofIndex(index, verb, body);
  }

  /** One that is there stays. */
  private create(name: string): Json {
    if (!this.indexes.has(name)) this.indexes.set(name, { all: new Map(), shown: new Map() });
    return {};
  }

  private byPoint(method: string, body: Json): Json | undefined {
    if (method === 'DELETE') {
      for (const id of body.pit_id as string[]) this.points.delete(id);
      return {};
    }
    const shown = this.points.get(String((body.pit as Json).id));
    return shown && searched(shown, body);
  }

  private ofIndex(index: Index, verb: string, body: unknown): Json {
    if (verb === '_search') return searched(index.shown, body as Json);
    if (verb === '_bulk') return { items: bulk(index, String(body)) };
    if (verb === '_search/point_in_time') {
      const id = String(++this.pointsMade);
      this.points.set(id, index.shown);
      return { pit_id: id, _shards: SHARDS };
    }
    if (verb === '_refresh')
      index.shown = new Map([...index.all].flatMap(([id, { document }]) => (document ? [[id, document]] : [])));
    return { _shards: SHARDS };
  }
}

/** The answer to each document for an alias that is not there. */
const NO_ALIAS = { index: { status: 404, error: { type: 'index_not_found_exception' } } };

/** A version that is not higher than the one there is refused. */
function bulk({ all }: Index, body: string): Json[] {
  const lines = body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const items: Json[] = [];
  for (let i = 0; i < lines.length; i++) {
    const [action, { _id, version }] = only(lines[i]);
    const document = action === 'index' ? lines[++i] : undefined;
    const isNewer = (version as number) > (all.get(String(_id))?.version ?? -1);
    if (isNewer) all.set(String(_id), { version: Number(version), document });
    items.push({ [action]: { _id, status: isNewer ? 200 : 409 } });
  }
  return items;
}

/** The faults of a call: the engine is away, its answer is lost, or it is throttled amid the documents of a request. */
const FAULTS: Around[] = [
  async () => {
    throw unavailable('The index is away');
  },
  async (_, execute) => {
    execute();
    throw unavailable('The answer of the index is lost');
  },
  async (request, execute) => {
    if (typeof request.body !== 'string') throw unavailable('The index is throttled');
    const lines = request.body.split('\n');
    const half = lines.findLastIndex((line, i) => i <= lines.length / 2 && /^{"(?:index|delete)"/.test(line));
    const found = execute({ ...request, body: lines.slice(0, Math.max(half, 0)).join('\n') });
    return found && { items: [...(found.items as Json[]), { index: { _id: '1', status: 429 } }] };
  },
];

/** Carries a request out with one of the faults. */
export const withFault = (chance: number): Around =>
  FAULTS[Math.floor(chance * FAULTS.length)] ?? (async () => undefined);

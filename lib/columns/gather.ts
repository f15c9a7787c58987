/** The values of the next column: their sources are the places of this one, and behind them those among the changed users' values. */
import type { ChangedColumn } from './changed.ts';
import type { Column } from './column.ts';
import { ignoresCase } from './definition.ts';
import { inSlices, type Steps } from './steps.ts';
import { Texts } from './texts.ts';

/** The texts of some sources, one after the other: neighbours are copied together. */
function* gatherTexts(texts: Texts, sources: Uint32Array, added: (number: number) => string): Steps<Texts> {
  const { size } = texts;
  const ends = new Uint32Array(sources.length);
  let length = 0;
  yield* inSlices(sources.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const source = sources[i] ?? 0;
      const isAdded = source >= size;
      length += isAdded ? Buffer.byteLength(added(source - size)) : (texts.ends[source] ?? 0) - texts.start(source);
      ends[i] = length++;
    }
  });
  // It has the NULs already.
  const bytes = Buffer.alloc(length);
  let done = 0;
  yield* inSlices(sources.length, (from, to) => {
    for (let i = from, first = from; i < to; i++) {
      const source = sources[i] ?? 0;
      if (source + 1 < size && i + 1 < to && sources[i + 1] === source + 1) continue;
      if (source >= size) bytes.write(added(source - size), done);
      else texts.bytes.copy(bytes, done, texts.start(sources[first] ?? 0), texts.ends[source]);
      done = (ends[i] ?? 0) + 1;
      first = i + 1;
    }
  });
  return new Texts(bytes, sources.length, texts.fold, ends);
}

export function* gather({ values }: Column, own: ChangedColumn, sources: Uint32Array): Steps<Texts | Float64Array> {
  if (!(values instanceof Texts)) {
    const { length } = values;
    return Float64Array.from(sources, (source) =>
      source < length ? (values[source] ?? 0) : Number(own.values[source - length]),
    );
  }
  const next = yield* gatherTexts(values, sources, (added) => String(own.values[added]));
  // Who has searched will search again, and should not wait until all is folded anew.
  for (const form of values.made.keys()) yield* next.forming(form);
  return next;
}

/** The places whose text folds as the one before: of two that this column has, if all behind the first one, until the second, do. */
export function* equalsOf(column: Column, own: ChangedColumn, sources: Uint32Array): Steps<Uint32Array> {
  const { kind, size, equals, values } = column;
  if (!ignoresCase(kind) || !(values instanceof Texts)) return new Uint32Array(0);
  const textOf = (source: number) => own.texts[source - size] ?? '';
  const areEqual = (a: number, b: number): boolean =>
    a < size || b < size
      ? values.compareFolded(Math.min(a, b), Buffer.from(textOf(Math.max(a, b)))) === 0
      : textOf(a) === textOf(b);
  const found: number[] = [];
  let next = 0;
  let before = 0;
  yield* inSlices(sources.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const source = sources[i] ?? 0;
      const first = next;
      if (source < size) while ((equals[next] ?? size) <= source) next++;
      const areOld = source < size && before < size;
      if (i > 0 && (areOld ? source - before === next - first : areEqual(before, source))) found.push(i);
      before = source;
    }
  });
  return Uint32Array.from(found);
}

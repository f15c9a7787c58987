/**
 * The merge of columns. Rows and values of the next base come from sources: numbers of this one, and behind them the numbers of what is added to it.
 * A position is 2 · number + 1 of what is there, or 2 · number of what would be just before it.
 */

import type { Column } from '../stored/column.ts';
import { Numbers } from '../stored/numbers.ts';
import { Texts } from '../stored/texts.ts';
import { ignoresCase } from '../values/definition.ts';
import { inChunks, type Steps } from '../work/chunks.ts';
import type { OverlayColumn } from './overlayColumn.ts';

/** Of what goes nowhere. */
export const GONE = 0xffff_ffff;

/** Above all numbers that are sorted: below 2 ** 53 with the positions of more users than a replica is for. */
const NUMBERS = 2 ** 25;

/** Some positions are looked up among a million texts. */
const LOOKED_UP = 512;

export interface Added {
  readonly numbers: Uint32Array;
  readonly positions: Uint32Array;
}

/** By position, and those at the same one by a comparison. Numbers alone are sorted in a tenth of the time that comparisons take. */
export function* sorted(
  numbers: Uint32Array,
  positionOf: (number: number) => number,
  compare: (a: number, b: number) => number,
): Steps<Added> {
  const keys = new Float64Array(numbers.length);
  const addKeys = (from: number, to: number) => {
    for (let i = from; i < to; i++) keys[i] = positionOf(numbers[i] ?? 0) * NUMBERS + (numbers[i] ?? 0);
  };
  yield* inChunks(numbers.length, addKeys, LOOKED_UP);
  keys.sort();
  yield;
  const positions = new Uint32Array(keys.map((key) => key / NUMBERS));
  const found = new Uint32Array(keys.map((key) => key % NUMBERS));
  for (let from = 0, to = 0; from < found.length; from = to) {
    while (positions[to] === positions[from]) to++;
    if (to > from + 1) found.subarray(from, to).sort(compare);
  }
  return { numbers: found, positions };
}

/** The sources of the values that stay and that are added, in order. One at the position of a number replaces it, or is the same if that stays. */
export function* interleaved(stays: Uint8Array, { numbers, positions }: Added): Steps<Uint32Array> {
  const sources = new Uint32Array(stays.length + numbers.length);
  let size = 0;
  let next = 0;
  yield* inChunks(stays.length + 1, (from, to) => {
    for (let number = from; number < to; number++) {
      const stay = stays[number] ?? 0;
      for (; (positions[next] ?? GONE) <= 2 * number + 1 - stay; next++)
        sources[size++] = stays.length + (numbers[next] ?? 0);
      if (positions[next] === 2 * number + 1) next++;
      sources[size] = number;
      size += stay;
    }
  });
  return sources.subarray(0, size);
}

/** By source: where it goes. */
export function* movesOf(sources: Uint32Array, end: number): Steps<Uint32Array> {
  const moves = new Uint32Array(end).fill(GONE);
  yield* inChunks(sources.length, (from, to) => {
    for (let i = from; i < to; i++) moves[sources[i] ?? 0] = i;
  });
  return moves;
}

/** The texts of some sources, one after the other: neighbours are copied together. */
function* mergedTexts(texts: Texts, sources: Uint32Array, added: (number: number) => string): Steps<Texts> {
  const { size } = texts;
  const ends = new Uint32Array(sources.length);
  let length = 0;
  yield* inChunks(sources.length, (from, to) => {
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
  yield* inChunks(sources.length, (from, to) => {
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

export function* mergedValues({ values }: Column, own: OverlayColumn, sources: Uint32Array): Steps<Texts | Numbers> {
  if (!(values instanceof Texts)) {
    const { length } = values;
    const next = new Float64Array(sources.length);
    yield* inChunks(next.length, (from, to) => {
      for (let i = from; i < to; i++) {
        const source = sources[i] ?? 0;
        next[i] = source < length ? values.at(source) : Number(own.values[source - length]);
      }
    });
    return new Numbers(next);
  }
  const next = yield* mergedTexts(values, sources, (added) => String(own.values[added]));
  // A search comes again, and should not wait until all is folded anew.
  for (const form of values.made.keys()) yield* next.forming(form);
  return next;
}

/** The codes whose text folds as the one before: of two that this column has, if all behind the first one, until the second, do. */
export function* equalsOf(column: Column, own: OverlayColumn, sources: Uint32Array): Steps<Uint32Array> {
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
  /** Whether a source is equal to the one before: each is passed once, in order. */
  const isEqual = (source: number): boolean => {
    if (source >= size) return areEqual(before, source);
    const first = next;
    while ((equals[next] ?? size) <= source) next++;
    return before < size ? source - before === next - first : areEqual(before, source);
  };
  yield* inChunks(sources.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const source = sources[i] ?? 0;
      const isSame = isEqual(source);
      if (isSame && i > 0) found.push(i);
      before = source;
    }
  });
  return Uint32Array.from(found);
}

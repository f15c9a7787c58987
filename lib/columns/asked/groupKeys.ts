/** The keys that users are counted by: each user has a number on a group key, and each number a value. */

import type { Overlay } from '../changed/overlay.ts';
import { compareExactly, shownValue, type Value } from '../values/definition.ts';
import { arena } from '../work/arena.ts';
import type { Work } from '../work/chunks.ts';
import { overChunks, ticked } from '../work/chunks.ts';
import { firstNot } from '../work/search.ts';
import { type GroupKey, hasArrays, membersOf, type Reading, readOf } from './parts.ts';

/** Ids, or numbers, from one on, up to another that is not included, which are counted together. */
interface Span {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/**
 * A column, of which an array counts as each of its texts; what is read of its texts, those of arrays included; the spans of its numbers; or those
 * of ids.
 */
export type By =
  | { readonly field: string; readonly reading?: Reading; readonly spanOf?: undefined }
  | { readonly field: string; readonly spanOf: (value: number) => Span }
  | { readonly field?: undefined; readonly spanOf: (id: number) => Span };

/** The numbers are the codes of the base, that of no value, and behind them the values that only changed users have. */
function byField(overlay: Overlay, { field, reading }: By & { readonly spanOf?: undefined }, work: Work): GroupKey {
  const { base } = overlay;
  const column = ticked(base.opening(field), work);
  const own = ticked(overlay.filling(field), work);
  const first = column.size + 1;
  const valueAt = (number: number) => (number < first ? column.valueAt(number) : own.values[number - first]);
  const positionOf = (number: number) => (number < first ? 2 * number + 1 : own.exact(column, number - first));
  const whole = { column, own, valueAt };
  if (reading) ticked(column.unpacking(), work);
  return {
    numbers: ticked(column.coding(), work),
    numberOf(slot) {
      const code = own.codes[slot] ?? 0;
      const position = own.exact(column, code);
      return position % 2 === 1 ? position >> 1 : first + code;
    },
    end: () => first + own.values.length,
    valueAt: (number) => shownValue(column.kind, valueAt(number)),
    compare: (a, b) => positionOf(a) - positionOf(b) || compareExactly(column.kind, valueAt(a), valueAt(b)),
    parts: reading ? readOf(whole, reading, work) : hasArrays(whole) ? membersOf(whole, work) : undefined,
  };
}

/** A tick is due at each multiple of this number of spans: each is a date, made and read again. */
const SPANS = 256;

/** Spans by their numbers, in the order in which they are met. */
class Spans {
  readonly #all: Span[] = [];
  readonly #numberAt = new Map<number, number>();

  get size(): number {
    return this.#all.length;
  }

  add(span: Span): number {
    const number = this.#numberAt.get(span.from) ?? this.#all.push(span) - 1;
    this.#numberAt.set(span.from, number);
    return number;
  }

  at(number: number): Span | undefined {
    return this.#all[number];
  }

  /** A number behind all spans has none. */
  compare(a: number, b: number): number {
    const [x = Number.MAX_VALUE, y = Number.MAX_VALUE] = [this.at(a)?.from, this.at(b)?.from];
    return x - y;
  }

  /** Some ascending numbers, by index: each span is looked up once. */
  fill(out: Uint32Array, valueAt: (index: number) => number, spanOf: (value: number) => Span, work: Work): void {
    const size = out.length;
    for (let from = 0, found = 0; from < size; found++) {
      if (found % SPANS === 0) work.tick();
      const span = spanOf(valueAt(from));
      const end = from + 1 + firstNot(size - from - 1, (i) => valueAt(from + 1 + i) < span.to);
      out.fill(this.add(span), from, end);
      from = end;
    }
  }
}

/** The rows of a base are in the order of their ids. */
function bySpans({ base, ids }: Overlay, spanOf: (id: number) => Span, work: Work): GroupKey {
  const spans = new Spans();
  const numbers = arena.take(base.size);
  spans.fill(numbers, (row) => base.ids[row] ?? 0, spanOf, work);
  return {
    numbers,
    numberOf: (slot) => spans.add(spanOf(ids[slot] ?? 0)),
    end: () => spans.size,
    valueAt: (number) => spans.at(number)?.value,
    compare: (a, b) => spans.compare(a, b),
  };
}

/** The number of rows without a value. */
const NONE = 0;

/** The spans of a field's numbers, in which values are sorted. */
function bySpansOf(overlay: Overlay, field: string, spanOf: (value: number) => Span, work: Work): GroupKey {
  const column = ticked(overlay.base.opening(field), work);
  const own = ticked(overlay.filling(field), work);
  const codes = ticked(column.coding(), work);
  const spans = new Spans();
  const ofCodes = arena.take(column.size + 1);
  spans.fill(ofCodes.subarray(0, column.size), (code) => Number(column.valueAt(code)), spanOf, work);
  const numbers = arena.take(codes.length);
  overChunks(codes.length, work, (from, to) => {
    for (let row = from; row < to; row++) {
      const code = codes[row] ?? 0;
      numbers[row] = code < column.size ? 1 + (ofCodes[code] ?? 0) : NONE;
    }
  });
  return {
    numbers,
    numberOf(slot) {
      const value = own.values[own.codes[slot] ?? 0];
      return value === undefined ? NONE : 1 + spans.add(spanOf(Number(value)));
    },
    end: () => 1 + spans.size,
    valueAt: (number) => spans.at(number - 1)?.value,
    compare: (a, b) => spans.compare(a - 1, b - 1),
  };
}

export function groupKeyOf(overlay: Overlay, by: By, work: Work): GroupKey {
  if (by.field === undefined) return bySpans(overlay, by.spanOf, work);
  if (by.spanOf) return bySpansOf(overlay, by.field, by.spanOf, work);
  return byField(overlay, by, work);
}

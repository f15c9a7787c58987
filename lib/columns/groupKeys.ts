/** The keys that users are counted by: each user has a number on a group key, and each number a value. */

import { arena } from './arena.ts';
import { ticked } from './chunks.ts';
import { compareExactly, shownValue, type Value, type Work } from './definition.ts';
import type { Mixed } from './mixed.ts';
import type { Overlay } from './overlay.ts';

/** Ids from one on, up to another that is not included, which are counted together. */
interface Span {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/** A field; what its texts have behind the last of an ASCII character, folded; or the spans of ids. */
export type By = { readonly field: string; readonly behind?: string } | { readonly spanOf: (id: number) => Span };

export interface GroupKey {
  /** By row of the base. */
  readonly numbers: Uint32Array;
  numberOf(slot: number): number;
  /** All numbers of the base, and all that were given, are below it. */
  end(): number;
  valueAt(number: number): Mixed | undefined;
  /** The order of values; of spans, that of their ids. */
  compare(a: number, b: number): number;
}

/** The numbers are the codes of the base, that of no value, and behind them the values that only changed users have. */
function byField(overlay: Overlay, field: string, behind: string | undefined, work: Work): GroupKey {
  const { base } = overlay;
  const column = ticked(base.opening(field, behind), work);
  const own = ticked(overlay.filling(field, behind), work);
  const first = column.size + 1;
  const valueAt = (number: number) => (number < first ? column.valueAt(number) : own.values[number - first]);
  const positionOf = (number: number) => (number < first ? 2 * number + 1 : own.exact(column, number - first));
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
  };
}

/** A tick is due at each multiple of this number of spans: each is a date, made and read again. */
const SPANS = 256;

/** The rows of a base are in the order of their ids, so each span is looked up once. */
function bySpans({ base, ids }: Overlay, spanOf: (id: number) => Span, work: Work): GroupKey {
  const spans: Span[] = [];
  const numbers = arena.take(base.size);
  const numberAt = new Map<number, number>();
  const add = (span: Span): number => {
    const number = numberAt.get(span.from) ?? spans.push(span) - 1;
    numberAt.set(span.from, number);
    return number;
  };
  for (let row = 0, found = 0; row < base.size; found++) {
    if (found % SPANS === 0) work.tick();
    const span = spanOf(base.ids[row] ?? 0);
    const end = Math.max(base.rowOf(span.to), row + 1);
    numbers.fill(add(span), row, end);
    row = end;
  }
  return {
    numbers,
    numberOf: (slot) => add(spanOf(ids[slot] ?? 0)),
    end: () => spans.length,
    valueAt: (number) => spans[number]?.value,
    compare: (a, b) => (spans[a]?.from ?? 0) - (spans[b]?.from ?? 0),
  };
}

export const groupKeyOf = (overlay: Overlay, by: By, work: Work): GroupKey =>
  'spanOf' in by ? bySpans(overlay, by.spanOf, work) : byField(overlay, by.field, by.behind, work);

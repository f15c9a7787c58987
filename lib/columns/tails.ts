import { Column } from './column.ts';
import { folded, foldOf, type Kind, type Value } from './definition.ts';
import { compareCodePoints } from './text.ts';
import { Texts } from './texts.ts';

/** What a text has behind the last of an ASCII character, folded; undefined without such a character. */
export function tailOf(kind: Kind, value: Value | undefined, behind: string): string | undefined {
  const text = String(value ?? '');
  const at = text.lastIndexOf(behind);
  return at < 0 ? undefined : folded(kind, text.slice(at + 1));
}

/** By text: which of the tails it has. They are told apart as bytes, so that each is decoded once. */
function tailsIn({ bytes, ends, size }: Texts, behind: number): { numbers: Uint32Array; tails: string[] } {
  const numbers = new Uint32Array(size);
  const found = new Map<string, number>();
  for (let i = 0, start = 0; i < size; i++) {
    const end = ends[i] ?? 0;
    let at = end;
    while (at > start && bytes[at] !== behind) at--;
    const tail = bytes.toString('latin1', at, end);
    const number = found.get(tail) ?? found.size;
    if (number === found.size) found.set(tail, number);
    numbers[i] = number;
    start = end + 1;
  }
  return { numbers, tails: [...found.keys()].map((tail) => Buffer.from(tail, 'latin1').toString()) };
}

/**
 * The tails of a column's texts as a column: a million takes a fifth of a second, seven times that if no two are equal. So it is made once in a
 * container, and a merge makes the next one of it, in steps.
 */
export function tailsOf({ kind, values, places }: Column, behind: string): Column {
  const texts = values instanceof Texts ? values : new Texts(Buffer.alloc(0), 0, foldOf(kind));
  const { numbers, tails } = tailsIn(texts, behind.charCodeAt(0));
  const own = tails.map((tail) => tailOf(kind, tail, behind));
  const sorted: string[] = [];
  const placeBy = new Uint32Array(own.length);
  for (const number of [...own.keys()].sort((a, b) => compareCodePoints(own[a] ?? '', own[b] ?? ''))) {
    const tail = own[number];
    if (tail !== undefined && tail !== sorted.at(-1)) sorted.push(tail);
    placeBy[number] = sorted.length - 1;
  }
  const none = sorted.length;
  for (const [number, tail] of own.entries()) if (tail === undefined) placeBy[number] = none;
  const rows = places.map((place) => placeBy[numbers[place] ?? -1] ?? none);
  const all = Buffer.from(sorted.map((tail) => `${tail}\0`).join(''));
  return new Column(kind, new Texts(all, sorted.length, foldOf(kind)), rows, new Uint32Array(0));
}

import { setTimeout } from 'node:timers/promises';

/** Enough to see what columns have. */
const ITEMS = 1_000;
const CHARACTERS = 1_048_576;

/** A pipe may wait for its users. */
const PATIENCE_MS = 1_000;

/** The first items of an input, whether they are everything, and all of it. Few are in memory. */
export async function begin<Item extends { text: string }>(items: AsyncGenerator<Item>) {
  const first: Item[] = [];
  const late = setTimeout(PATIENCE_MS, undefined, { ref: false });
  let [next, isWhole]: [ReturnType<typeof items.next>, boolean] = [items.next(), false];
  for (let length = 0; first.length < ITEMS && length < CHARACTERS; next = items.next()) {
    const found = await Promise.race([next, late]);
    isWhole = found?.done === true;
    if (!found || found.done) break;
    first.push(found.value);
    length += found.value.text.length;
  }
  // The next reader gets the error.
  next.catch(() => undefined);
  async function* all(): AsyncGenerator<Item> {
    yield* first;
    for (let found = await next; !found.done; found = await items.next()) yield found.value;
  }
  return { first, isWhole, all: all() };
}

import { countsOf, recountOf } from '../recount.ts';
import type { FakeStore } from './store.ts';

/** Throws if two values differ, and says how. */
export function differ(what: string, got: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}\n got  ${a}\n true ${b}`);
}

/** Faster than a comparison of texts, which is needed only to show a difference. */
function areSame(a: Record<string, number>, b: Record<string, number>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

const sorted = (counts: Record<string, number>) => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

/** Fails unless the statistics and the journal together count exactly the existing users. */
export function checkCounts(store: FakeStore): void {
  const users = store.itemsOf('users');
  const { counts, total } = countsOf(store.itemsOf('directory'));
  differ('total', total, users.length);
  const recount = recountOf(users);
  if (!areSame(counts, recount)) differ('counts', sorted(counts), sorted(recount));
}

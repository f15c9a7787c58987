import type { List } from './lists.ts';
import { scan } from './scan.ts';
import type { View } from './view.ts';

/** How many users a run has. */
export async function countRun(view: View, list: List): Promise<number> {
  let count = 0;
  for await (const _ of scan(view, list, { direction: 'asc', expected: 20 })) count++;
  return count;
}

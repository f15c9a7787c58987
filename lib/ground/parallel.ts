/** Neighbours, so many at a time. */
export const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** Neighbours, as many at a time as may be together. @param joins whether one may come behind some others */
export function* runsOf<Item>(
  items: Iterable<Item>,
  joins: (run: readonly Item[], next: Item) => boolean,
): Generator<Item[]> {
  let run: Item[] = [];
  for (const item of items) {
    if (run.length > 0 && !joins(run, item)) {
      yield run;
      run = [];
    }
    run.push(item);
  }
  if (run.length > 0) yield run;
}

/** The results of some tasks, in the order of the tasks. At most `limit` of them run at a time. */
export async function inParallel<Task, Result>(
  tasks: readonly Task[],
  limit: number,
  run: (task: Task, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(tasks.length);
  const waiting = tasks.entries();
  const runWaiting = async () => {
    for (const [index, task] of waiting) results[index] = await run(task, index);
  };
  await Promise.all(Array.from({ length: limit }, runWaiting));
  return results;
}

/** So many transactions of one request run side by side: more would only meet the limits of the table sooner. */
export const TRANSACTIONS_AT_ONCE = 6;

/** About how many calls justify one more at a time. */
const CALLS_EACH = 64;

/**
 * How many of some writes run at a time. A few run one after another, so a request waits for one of them at most; many have to catch up
 * with the requests that made them.
 */
export const callsAtOnce = (calls: number, most: number): number =>
  Math.min(most, Math.max(1, Math.ceil(calls / CALLS_EACH)));

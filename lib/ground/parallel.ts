/** Neighbours, as many at a time as a size says; the last ones may be fewer. */
export function* chunksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
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

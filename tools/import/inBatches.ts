/** As many as a request takes: operations, and ids in a filter. */
export const BATCH = 100;

/** How long a few wait for more. */
const MORE_MS = 20;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Collects what is asked for one by one, and sends it together.
 *
 * @param parallel how many requests there are at once
 * @param send responds with a result for each item, in their order
 * @param groupOf only items of the same group are sent together
 */
export function inBatches<Item, Result>(
  parallel: number,
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
  groupOf: (item: Item) => unknown = () => undefined,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;

  async function sendNext([first]: readonly Waiting<Item, Result>[]): Promise<void> {
    const isNext = ({ item }: Waiting<Item, Result>) => first && groupOf(item) === groupOf(first.item);
    const batch = new Set(waiting.filter(isNext).slice(0, BATCH));
    waiting = waiting.filter((each) => !batch.has(each));
    running++;
    try {
      const results = await send([...batch].map(({ item }) => item));
      for (const [index, { resolve }] of [...batch].entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    running--;
    sendWaiting();
  }

  function sendWaiting(): void {
    while (running < parallel && waiting.length >= (timer ? BATCH : 1)) void sendNext(waiting);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      timer ??= setTimeout(() => {
        timer = undefined;
        sendWaiting();
      }, MORE_MS);
      sendWaiting();
    });
}

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What was sent since counting began. */
interface Count {
  rounds: number;
  underWay: number;
  /** Responses that are kept back. */
  kept: (() => void)[];
}

/**
 * Counts how many calls wait for one another: the rounds, if all calls took the same time. Every response is kept back until all
 * calls under way are answered and nobody begins another one.
 */
export function countRounds({ middlewareStack }: Pick<DynamoDBDocumentClient, 'middlewareStack'>) {
  let counting: Count | undefined;

  const isComplete = ({ kept, underWay }: Count) => kept.length > 0 && kept.length === underWay;

  function giveAll(count: Count): void {
    const { kept } = count;
    count.underWay = 0;
    count.kept = [];
    for (const give of kept) give();
  }

  /** Who can begin a call without an answer has done so before the next turn of the event loop. */
  function endRound(count: Count): void {
    if (!isComplete(count)) return;
    count.rounds++;
    giveAll(count);
  }

  middlewareStack.add(
    (next) => async (args) => {
      const count = counting;
      if (!count) return next(args);
      count.underWay++;
      try {
        return await next(args);
      } finally {
        if (count === counting) {
          const given = new Promise<void>((give) => count.kept.push(give));
          if (isComplete(count)) setImmediate(endRound, count);
          await given;
        }
      }
    },
    { step: 'initialize', name: 'countRounds' },
  );
  return {
    /** Begins to count, from none. */
    begin() {
      counting = { rounds: 0, underWay: 0, kept: [] };
    },
    /** How many rounds there were. From now on calls take as long as they take. */
    end(): number {
      const count = counting;
      counting = undefined;
      if (count) giveAll(count);
      return count?.rounds ?? 0;
    },
  };
}

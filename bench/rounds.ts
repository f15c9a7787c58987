import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Counts how many calls wait for one another: the rounds, if all calls took the same time. Every response is kept back until all
 * calls under way are answered and nobody begins another one.
 */
export function countRounds({ middlewareStack }: Pick<DynamoDBDocumentClient, 'middlewareStack'>) {
  let rounds = 0;
  let underWay = 0;
  let kept: (() => void)[] = [];

  const isComplete = () => kept.length > 0 && kept.length === underWay;

  /** Who can begin a call without an answer has done so before the next turn of the event loop. */
  function giveAll(): void {
    if (!isComplete()) return;
    rounds++;
    underWay = 0;
    const answered = kept;
    kept = [];
    for (const give of answered) give();
  }

  middlewareStack.add(
    (next) => async (args) => {
      underWay++;
      try {
        return await next(args);
      } finally {
        const given = new Promise<void>((give) => kept.push(give));
        if (isComplete()) setImmediate(giveAll);
        await given;
      }
    },
    { step: 'initialize', name: 'countRounds' },
  );
  return {
    restart() {
      rounds = 0;
    },
    taken: () => rounds,
  };
}

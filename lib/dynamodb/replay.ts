import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';

/**
 * How many items of an index are read beyond the number asked for: what is computed again may ask for a few more. Most queries do
 * not cost more with them. A request that has asked for more once asks for more again, as while many users are written.
 */
const SPARE = 4;
const MORE_SPARE = 8;
const MORE_PARTS = 4;
const FEW = 128;

interface Response {
  $metadata: object;
  LastEvaluatedKey?: object | undefined;
}

interface Kept {
  limit: number;
  response: Promise<Response>;
  hasEnded: boolean;
}

type Responses = ReadonlyMap<string, readonly Kept[]>;

/** The reads of one request and their responses, so that what was computed from them can be computed again. */
export interface Replay {
  /** Answers a query or a batch that was asked before from its response, and asks DynamoDB all others. */
  dynamo: DynamoDBDocumentClient;
  /** For computing again, from what DynamoDB has answered until now. The last time, which may read much, nothing more is kept. */
  again(isLast?: boolean): Replay;
  /** How many of them have been asked of DynamoDB by this replay. */
  readonly asked: number;
}

/** Responses that have come. What is still under way is asked again. */
function ended(responses: Responses): [string, Kept[]][] {
  return [...responses].map(([name, kept]) => {
    const pending = kept.findIndex(({ hasEnded }) => !hasEnded);
    return [name, kept.slice(0, pending < 0 ? kept.length : pending)];
  });
}

/**
 * Keeps the responses of queries. If a query is asked several times, each time has its own response: whoever asks twice expects
 * a change. A query with a lower limit gets the items of the higher one.
 *
 * @param known responses from before
 */
export function createReplay(dynamo: DynamoDBDocumentClient, known: Responses = new Map(), isLast = false): Replay {
  const responses = new Map(ended(known));
  const turns = new Map<string, number>();
  const isAgain = known.size > 0;
  let asked = 0;

  function limitFor({ IndexName, Limit }: Partial<QueryCommandInput>): number | undefined {
    if (IndexName === undefined || Limit === undefined) return Limit;
    if (isAgain) return Limit + MORE_SPARE + Math.ceil(Limit / MORE_PARTS);
    return Limit + (Limit <= FEW ? SPARE : 0);
  }

  const ask = (command: QueryCommand | BatchGetCommand, Limit: number | undefined): Promise<Response> =>
    command instanceof QueryCommand ? dynamo.send(new QueryCommand({ ...command.input, Limit })) : dynamo.send(command);

  async function answer(command: QueryCommand | BatchGetCommand): Promise<Response> {
    const { Limit: limit = Number.POSITIVE_INFINITY, ...input }: Partial<QueryCommandInput> = command.input;
    const name = JSON.stringify(input);
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    const ofName = responses.get(name) ?? [];
    responses.set(name, ofName);
    const kept = ofName[turn];
    if (kept && (kept.limit >= limit || (await kept.response).LastEvaluatedKey === undefined)) return kept.response;
    asked++;
    const Limit = limitFor(command.input);
    const response = ask(command, Limit);
    const asks: Kept = { limit: Limit ?? limit, response, hasEnded: false };
    if (!isLast) ofName[turn] = asks;
    const output = await response;
    asks.hasEnded = true;
    return output;
  }

  const send = (command: unknown, ...options: unknown[]): unknown =>
    command instanceof QueryCommand || command instanceof BatchGetCommand
      ? answer(command)
      : Reflect.apply(dynamo.send, dynamo, [command, ...options]);

  return {
    dynamo: Object.assign(Object.create(dynamo) as DynamoDBDocumentClient, { send }),
    again: (last) => createReplay(dynamo, responses, last),
    get asked() {
      return asked;
    },
  };
}

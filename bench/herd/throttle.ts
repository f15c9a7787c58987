/**
 * A DynamoDB that throttles: the embedded store, with buckets of units before it, a latency, and the time that bytes take to a container; all by a
 * clock of its own. herd.ts is an example. Its refusals are those of DynamoDB at an on-demand table: a ThrottlingException, a
 * cancelled transaction, statements with an error, or items that are not written, or not read.
 */
import {
  type ConsumedCapacity,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { InitializeHandlerOutput, InitializeMiddleware } from '@smithy/types';
import { createDynamo } from '../../lib/dynamodb/index.ts';
import type { Database } from '../../lib/users/database.ts';
import type { Store } from '../data.ts';
import type { Clock } from './clock.ts';
import type { Partitions, Touch } from './partitions.ts';
import { kindOf, type Part, partsOf } from './touches.ts';

/** Milliseconds of a call besides its bytes: half of them on the way to the store. */
const TRIP_MS = 4;

/** Bytes that a container receives in a millisecond: 60 MB a second. */
const BYTES_A_MS = 60_000;

/** Bytes of a read unit, which base64 makes a third longer. Half a unit reads as many eventually consistent. */
const UNIT_BYTES = 4_096 * (4 / 3);

export interface Throttling {
  clock: Clock;
  partitions: Partitions;
  /** Answers with parts of bases, which never change, so the store is asked once. */
  answers?: Map<string, Promise<Answer>>;
  /** Is called for each part of a call that is refused. */
  onRefused?: () => void;
}

type Answer = InitializeHandlerOutput<ServiceOutputTypes>;

interface Output {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
  Responses?: unknown;
}

/** The units that a call has consumed of a table, or of an index of it. */
function consumed({ ConsumedCapacity = [] }: Output, { table, index }: Touch): number {
  const found = [ConsumedCapacity].flat().filter(({ TableName }) => TableName === table);
  return found.reduce((sum, { CapacityUnits = 0, Table, GlobalSecondaryIndexes = {} }) => {
    const own = index === undefined ? Table : GlobalSecondaryIndexes[index];
    return sum + (own?.CapacityUnits ?? (index === undefined && !Table ? CapacityUnits : 0));
  }, 0);
}

const MESSAGE = 'Throughput exceeds the current capacity of your table or index';

/** Nothing of a call is served. */
function refusal(command: string, { touches }: Part): Error {
  const metadata = { $metadata: { httpStatusCode: 400 } };
  if (command !== 'TransactWriteItemsCommand')
    return Object.assign(new Error(MESSAGE), { name: 'ThrottlingException', $fault: 'client', ...metadata });
  const CancellationReasons = touches.map(() => ({ Code: 'ThrottlingError', Message: MESSAGE }));
  return new TransactionCanceledException({ message: MESSAGE, CancellationReasons, ...metadata });
}

/** An input with some of its parts. */
function only(input: object, isKept: (part: number) => boolean | undefined): object {
  let part = 0;
  const cut = <Each>(list: Each[]): Each[] => list.filter(() => isKept(part++));
  if ('Statements' in input) return { ...input, Statements: cut(input.Statements as unknown[]) };
  if (!('RequestItems' in input)) return input;
  const tables = Object.entries(input.RequestItems as Record<string, unknown[] | { Keys: unknown[] }>);
  const some = tables.map(([table, requests]) => [
    table,
    'Keys' in requests ? { ...requests, Keys: cut(requests.Keys) } : cut(requests),
  ]);
  return { ...input, RequestItems: Object.fromEntries(some) };
}

/** The answer to the whole call: with an error for each statement, or the items, that were refused. */
function withRefused(input: object, output: Output, isServed: readonly boolean[]): Output {
  if (!isServed.includes(false)) return output;
  if ('Statements' in input) {
    const responses = (output.Responses as unknown[]).values();
    const refused = { Error: { Code: 'ThrottlingError', Message: MESSAGE } };
    return { ...output, Responses: isServed.map((each) => (each ? responses.next().value : refused)) };
  }
  const { RequestItems } = only(input, (part) => !isServed[part]) as { RequestItems?: object };
  return { ...output, ...{ UnprocessedItems: RequestItems, UnprocessedKeys: RequestItems } };
}

const isOfBase = ([part]: readonly Part[]): boolean =>
  part?.touches[0]?.kind === 'read' && String(part.touches[0].key).startsWith('base:');

type Ask = (input: object) => Promise<Answer>;

/** Parts of bases, each asked for by itself, and once. */
async function remembered(answers: Map<string, Promise<Answer>>, inputs: readonly object[], ask: Ask): Promise<Answer> {
  const names = inputs.map((input) => JSON.stringify(input));
  for (const [i, name] of names.entries()) if (!answers.has(name)) answers.set(name, ask(inputs[i] ?? {}));
  const all = await Promise.all(names.flatMap((name) => answers.get(name) ?? []));
  // A query for the end of a base has one part, and items without a table.
  if (all[0] && all.length === 1 && !('RequestItems' in (inputs[0] ?? {}))) return all[0];
  const outputs = all.map(({ output }) => output as { Responses: object; ConsumedCapacity: ConsumedCapacity[] });
  const Responses = { directory: outputs.flatMap((each) => Object.values(each.Responses).flat()) };
  const output = { Responses, ConsumedCapacity: outputs.flatMap((each) => each.ConsumedCapacity) };
  return { ...all[0], output } as unknown as Answer;
}

/** Before each attempt of a call. */
function throttle({
  clock,
  partitions,
  answers = new Map(),
  onRefused = () => {},
}: Throttling): InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> {
  const { sleep, monotonic } = clock.runtime;
  /** When the last byte has come of all that is on the way to this container. */
  let received = 0;

  async function receive(bytes: number): Promise<void> {
    received = Math.max(received, monotonic()) + bytes / BYTES_A_MS;
    await sleep(TRIP_MS / 2 + received - monotonic());
  }

  function isServed({ touches, units }: Part): boolean {
    const isOpen = touches.every(partitions.isOpen);
    if (isOpen) for (const touch of touches) partitions.take(touch, units);
    else onRefused();
    return isOpen;
  }

  /** The units that the store tells, in place of those supposed. Units that several parts share are divided evenly. */
  function charge(parts: readonly Part[], output: Output): void {
    const all = parts.flatMap(({ touches, units }) => touches.map((touch) => ({ touch, units })));
    const nameOf = ({ table, index }: Touch) => `${table}/${index}`;
    const counts = Map.groupBy(all, ({ touch }) => nameOf(touch));
    for (const { touch, units } of all) {
      const share = consumed(output, touch) / (counts.get(nameOf(touch))?.length ?? 1);
      partitions.take(touch, share - units);
    }
  }

  const bytesOf = (parts: readonly Part[], { ConsumedCapacity = [] }: Output): number => {
    if (kindOf(parts) === 'write') return 0;
    const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    return units * UNIT_BYTES * (isOfBase(parts) ? 2 : 1);
  };

  return (next, { commandName = '' }) =>
    async (args) => {
      const { input } = args;
      await sleep(TRIP_MS / 2);
      const parts = partsOf(commandName, input);
      const served = parts.map(isServed);
      const [first] = parts;
      if (first && !served.includes(true)) {
        await receive(0);
        throw refusal(commandName, first);
      }
      const some = { ...only(input, (part) => served[part]), ReturnConsumedCapacity: 'INDEXES' };
      const ask: Ask = (asked) => clock.outside(() => next({ ...args, input: asked as ServiceInputTypes }));
      const kept = parts.filter((_, i) => served[i]);
      const alone = kept.map((_, i) => only(some, (part) => part === i));
      const result = await (isOfBase(parts) ? remembered(answers, alone, ask) : ask(some));
      const output = result.output as Output;
      charge(kept, output);
      await receive(bytesOf(kept, output));
      return { ...result, output: withRefused(input, output, served) as ServiceOutputTypes };
    };
}

/** The database of one container. */
export function throttled({ endpoint, database }: Store, throttling: Throttling): Database {
  const { runtime } = throttling.clock;
  const dynamo = createDynamo({ endpoint, isUnhurried: true, runtime });
  dynamo.middlewareStack.add(throttle(throttling), { step: 'initialize', priority: 'low' });
  return { ...database, dynamo, runtime };
}

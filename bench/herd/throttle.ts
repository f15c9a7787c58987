/**
 * A DynamoDB that throttles: the embedded store, with buckets of units before it, a latency, and the time that bytes take to a container; all by a
 * clock of its own. For a simulation:
 *
 *   const store = await openData(100_000);                    // or any store
 *   const clock = createClock(Date.now(), seed);
 *   const partitions = createPartitions(UNKIND, clock.runtime.monotonic, salt);
 *   const database = throttled(store, { clock, partitions, note: ({ touch, units, isRefused }) => … });   // one for each container
 *   const { runtime } = clock;
 *   await clock.run(() => Promise.all(times(50, async (i) => {
 *     await runtime.sleep(i * 20);                            // whoever waits, waits by the clock
 *     await createUserStore(database).create({ … });
 *   })));
 *
 * What it refuses it answers as DynamoDB does at an on-demand table: with a ThrottlingException, a cancelled transaction, statements with an
 * error, or items that are not written.
 */
import {
  type ConsumedCapacity,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { InitializeHandlerOutput, InitializeMiddleware } from '@smithy/types';
import { createDynamo, UNHURRIED } from '../../lib/dynamodb/client.ts';
import type { Database } from '../../lib/users/database.ts';
import type { Store } from '../data.ts';
import type { Clock } from './clock.ts';
import type { Partitions, Touch } from './partitions.ts';
import { kindOf, type Part, partsOf } from './touches.ts';

/** What a call takes besides its bytes, in milliseconds: half on the way to the store. */
const TRIP_MS = 4;

/** What a container receives in a millisecond: 60 MB a second. */
const BYTES_A_MS = 60_000;

/** Bytes of a read unit, which base64 makes a third longer. Half a unit reads as many eventually consistent. */
const UNIT_BYTES = 4_096 * (4 / 3);

/** What came of a call, or of a part of it. */
export interface Note {
  at: number;
  touch: Touch;
  units: number;
  isRefused: boolean;
}

export interface Throttling {
  clock: Clock;
  partitions: Partitions;
  /** What parts of bases were answered: they never change, so the store is asked once. */
  answers?: Map<string, Promise<InitializeHandlerOutput<ServiceOutputTypes>>>;
  note?: (note: Note) => void;
}

interface Output {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
  Responses?: unknown;
}

/** What a table, or an index of it, has consumed. */
function consumed({ ConsumedCapacity = [] }: Output, { table, index }: Touch): number {
  const found = [ConsumedCapacity].flat().find(({ TableName }) => TableName === table);
  const { CapacityUnits = 0, Table, GlobalSecondaryIndexes = {} } = found ?? {};
  const own = index === undefined ? Table : GlobalSecondaryIndexes[index];
  return own?.CapacityUnits ?? (index === undefined && !Table ? CapacityUnits : 0);
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

type Flags = readonly boolean[];

/** Cuts the lists of an input by what is served. */
function only(input: object, isServed: Flags): object {
  const left = isServed.values();
  const cut = <Each>(list: Each[]): Each[] => list.filter(() => left.next().value);
  if ('Statements' in input) return { ...input, Statements: cut(input.Statements as unknown[]) };
  if (!('RequestItems' in input)) return input;
  const tables = Object.entries(input.RequestItems as Record<string, unknown[]>);
  return { ...input, RequestItems: Object.fromEntries(tables.map(([table, requests]) => [table, cut(requests)])) };
}

/** The answer to the whole call: with an error for each statement, or the items, that were refused. */
function withRefused(input: object, output: Output, isServed: Flags): Output {
  if (!isServed.includes(false)) return output;
  if ('Statements' in input) {
    const responses = (output.Responses as unknown[]).values();
    const refused = { Error: { Code: 'ThrottlingError', Message: MESSAGE } };
    return { ...output, Responses: isServed.map((each) => (each ? responses.next().value : refused)) };
  }
  const left = only(
    input,
    isServed.map((each) => !each),
  );
  return { ...output, ...('RequestItems' in left && { UnprocessedItems: left.RequestItems }) } as Output;
}

const isOfBase = ([part]: readonly Part[]): boolean =>
  part?.touches[0]?.kind === 'read' && String(part.touches[0].key).startsWith('base:');

function remembered<Answer>(answers: Map<string, Answer>, key: string, ask: () => Answer): Answer {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}

/** Before each attempt of a call. */
function throttle({
  clock,
  partitions,
  answers = new Map(),
  note = () => {},
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
    else for (const touch of touches.slice(0, 1)) note({ at: monotonic(), touch, units, isRefused: true });
    return isOpen;
  }

  /** Instead of what was supposed, what the store tells. What several parts have in common is divided evenly. */
  function charge(parts: readonly Part[], output: Output): void {
    const all = parts.flatMap(({ touches, units }) => touches.map((touch) => ({ touch, units })));
    const nameOf = ({ table, index }: Touch) => `${table}/${index}`;
    const counts = Map.groupBy(all, ({ touch }) => nameOf(touch));
    for (const { touch, units } of all) {
      const share = consumed(output, touch) / (counts.get(nameOf(touch))?.length ?? 1);
      partitions.take(touch, share - units);
      note({ at: monotonic(), touch, units: share, isRefused: false });
    }
  }

  const bytesOf = (parts: readonly Part[], { ConsumedCapacity = [] }: Output, isStrong: boolean): number => {
    if (kindOf(parts) === 'write') return 0;
    const units = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    return units * UNIT_BYTES * (isStrong ? 1 : 2);
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
      const some = { ...only(input, served), ReturnConsumedCapacity: 'INDEXES' } as ServiceInputTypes;
      const ask = () => clock.outside(() => next({ ...args, input: some }));
      const result = await (isOfBase(parts) ? remembered(answers, JSON.stringify(input), ask) : ask());
      const kept = parts.filter((_, i) => served[i]);
      const output = result.output as Output;
      charge(kept, output);
      await receive(bytesOf(kept, output, 'ConsistentRead' in input && input.ConsistentRead === true));
      return { ...result, output: withRefused(input, output, served) as ServiceOutputTypes };
    };
}

/** The database of one container. */
export function throttled({ endpoint, database }: Store, throttling: Throttling): Database {
  const { runtime } = throttling.clock;
  const dynamo = createDynamo({ endpoint, ...UNHURRIED, runtime });
  dynamo.middlewareStack.add(throttle(throttling), { step: 'initialize', priority: 'low' });
  return { ...database, dynamo, runtime };
}

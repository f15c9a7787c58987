import {
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
  type PutEventsCommandOutput,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import type { FeedChange } from '../changes/items.ts';
import type { ShownChange } from '../changes/shown.ts';
import { Again, type Delays, retry } from '../dynamodb/index.ts';
import { ensureTime, type Runtime, unavailable } from '../ground/index.ts';
import { toEvent } from './event.ts';
import type { Show, Sink } from './sender.ts';

/** All pauses together are about six seconds at most. */
const MAX_TRIES = 6;
const DELAYS: Delays = { base: 200, longest: 3_000 };

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;

/** One attempt a call: the sink decides what is sent again. */
export const createEventBridge = (config: EventBridgeClientConfig = {}): EventBridgeClient =>
  new EventBridgeClient({
    ...config,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });

/**
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html. Together they may have 256 KB, and the largest
 * users stay far below that.
 */
const MAX_ENTRIES = 10;

export function entryOf(change: ShownChange, bus: string): PutEventsRequestEntry {
  const { source, 'detail-type': DetailType, time, detail } = toEvent(change);
  return { EventBusName: bus, Source: source, DetailType, Time: new Date(time), Detail: JSON.stringify(detail) };
}

/**
 * The changes of one call each, in their order. EventBridge may refuse some entries of a call and accept others, so a call never
 * has two changes of one user: the later could be accepted first.
 */
function* callsOf(changes: readonly FeedChange[]): Generator<FeedChange[]> {
  let call: FeedChange[] = [];
  for (const change of changes) {
    if (call.length === MAX_ENTRIES || call.some(({ id }) => id === change.id)) {
      yield call;
      call = [];
    }
    call.push(change);
  }
  if (call.length > 0) yield call;
}

interface EventBridgeSink {
  client: { send(command: PutEventsCommand): Promise<PutEventsCommandOutput> };
  /** The name of the bus. */
  bus: string;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>;
}

/** The changes that a call has not sent, and why. Messages may quote what was sent, so only the kind of an error is kept. */
interface Outcome {
  left: FeedChange[];
  reason: string;
}

/** Puts changes as events on a bus. */
export function createEventBridgeSink({ client, bus, runtime }: EventBridgeSink): Sink {
  /** Each attempt has what is kept of the changes at that moment. */
  async function put(changes: FeedChange[], show: Show): Promise<Outcome> {
    const Entries = (await show(changes)).map((change) => entryOf(change, bus));
    ensureTime(runtime);
    try {
      const { Entries: results = [] } = await client.send(new PutEventsCommand({ Entries }));
      // A result without an id says why; a response without results says nothing of any entry.
      const left = changes.filter((_, i) => results[i]?.EventId === undefined);
      return { left, reason: results.find(({ ErrorCode }) => ErrorCode)?.ErrorCode ?? 'no results' };
    } catch (error) {
      return { left: changes, reason: error instanceof Error ? error.name : 'unknown' };
    }
  }

  /** @throws {ServiceError} 503 when some are not accepted after all tries, or the time is over */
  async function putAll(changes: FeedChange[], show: Show): Promise<void> {
    let left = changes;
    await retry(runtime, MAX_TRIES, async () => {
      const outcome = await put(left, show);
      left = outcome.left;
      if (left.length > 0)
        return new Again(unavailable(`EventBridge did not accept events on bus ${bus}: ${outcome.reason}`), DELAYS);
    });
  }

  return {
    async send(changes, show) {
      for (const call of callsOf(changes)) await putAll(call, show);
    },
  };
}

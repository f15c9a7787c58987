import {
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
  type PutEventsCommandOutput,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { ensureTime, sleepWithin } from '../deadline.ts';
import { backoff, type Delays } from '../dynamodb/backoff.ts';
import { unavailable } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { callsOf } from './entries.ts';
import type { Sink } from './sender.ts';

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

interface EventBridgeSink {
  client: { send(command: PutEventsCommand): Promise<PutEventsCommandOutput> };
  /** The name of the bus. */
  bus: string;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'random'>;
}

/** What is left of a call's entries, and why. Messages may quote what was sent, so only the kind of an error is kept. */
interface Outcome {
  left: PutEventsRequestEntry[];
  reason: string;
}

/** Puts changes as events on a bus. */
export function createEventBridgeSink({ client, bus, runtime }: EventBridgeSink): Sink {
  async function put(Entries: PutEventsRequestEntry[]): Promise<Outcome> {
    ensureTime(runtime);
    try {
      const { Entries: results = [] } = await client.send(new PutEventsCommand({ Entries }));
      // A result without an id says why; a response without results says nothing of any entry.
      const left = Entries.filter((_, i) => results[i]?.EventId === undefined);
      return { left, reason: results.find(({ ErrorCode }) => ErrorCode)?.ErrorCode ?? 'no results' };
    } catch (error) {
      return { left: Entries, reason: error instanceof Error ? error.name : 'unknown' };
    }
  }

  /** @throws {ServiceError} 503 when some entries are not accepted after all tries, or the time is over */
  async function putAll(entries: PutEventsRequestEntry[]): Promise<void> {
    let { left, reason } = await put(entries);
    for (let tries = 1; left.length > 0; tries++) {
      if (tries === MAX_TRIES) throw unavailable(`EventBridge did not accept events on bus ${bus}: ${reason}`);
      await sleepWithin(runtime, backoff(tries - 1, runtime.random, DELAYS));
      ({ left, reason } = await put(left));
    }
  }

  return {
    async send(changes) {
      for (const entries of callsOf(changes, bus)) await putAll(entries);
    },
  };
}

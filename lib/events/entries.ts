import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { FeedChange } from '../changes/items.ts';
import type { ShownChange } from '../changes/shown.ts';
import { runsOf } from '../ground/index.ts';
import { toEvent } from './event.ts';

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
export const callsOf = (changes: readonly FeedChange[]): Iterable<FeedChange[]> =>
  runsOf(changes, (call, { id }) => call.length < MAX_ENTRIES && call.every((each) => each.id !== id));

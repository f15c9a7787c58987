import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { ShownChange } from '../users/changes/feed.ts';
import { toEvent } from './event.ts';

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const MAX_ENTRIES = 10;

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html, which also has the size of an entry. */
const MAX_BYTES = 256 * 1_024;
const TIME_BYTES = 14;

const sizeOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), TIME_BYTES);

export function entryOf(change: ShownChange, bus: string): PutEventsRequestEntry {
  const { source, 'detail-type': DetailType, time, detail } = toEvent(change);
  return { EventBusName: bus, Source: source, DetailType, Time: new Date(time), Detail: JSON.stringify(detail) };
}

/**
 * The entries of one call each, in the order of the changes. EventBridge may refuse some entries of a call and accept others, so
 * a call never has two changes of one user: the later could be accepted first. An entry is at most some 15 KB.
 */
export function* callsOf(changes: readonly ShownChange[], bus: string): Generator<PutEventsRequestEntry[]> {
  let entries: PutEventsRequestEntry[] = [];
  let bytes = 0;
  const users = new Set<number>();
  for (const change of changes) {
    const entry = entryOf(change, bus);
    const size = sizeOf(entry);
    if (entries.length === MAX_ENTRIES || bytes + size > MAX_BYTES || users.has(change.id)) {
      yield entries;
      [entries, bytes] = [[], 0];
      users.clear();
    }
    entries.push(entry);
    bytes += size;
    users.add(change.id);
  }
  if (entries.length > 0) yield entries;
}

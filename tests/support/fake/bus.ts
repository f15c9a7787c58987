import type { PutEventsCommand, PutEventsCommandOutput, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';

/** An event that a bus received: the members of its detail. */
export interface Received {
  id: number;
  version: number;
}

/** Decides about an entry of a call: it is accepted, or fails with this code. */
type Judge = (entry: number, call: number) => 'accepted' | string;

/** A bus of EventBridge in memory. */
export class FakeBus {
  readonly received: Received[] = [];
  /** How many entries each call had. */
  readonly calls: number[] = [];
  judge: Judge = () => 'accepted';

  async send({ input: { Entries = [] } }: PutEventsCommand): Promise<PutEventsCommandOutput> {
    const call = this.calls.length;
    this.calls.push(Entries.length);
    const results = Entries.map(({ Detail = '' }, i): PutEventsResultEntry => {
      const verdict = this.judge(i, call);
      if (verdict !== 'accepted') return { ErrorCode: verdict, ErrorMessage: verdict };
      this.received.push(JSON.parse(Detail));
      return { EventId: `${call}-${i}` };
    });
    const FailedEntryCount = results.filter(({ ErrorCode }) => ErrorCode).length;
    return { Entries: results, FailedEntryCount, $metadata: {} };
  }
}

/** The changes that a receiver keeps if it ignores every version that it has already, and every older one. */
export function firstOf(received: readonly Received[]): string[] {
  const seen = new Map<number, number>();
  return received.flatMap(({ id, version }) => {
    if (version <= (seen.get(id) ?? 0)) return [];
    seen.set(id, version);
    return [`${id} ${version}`];
  });
}

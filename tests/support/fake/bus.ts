import type { PutEventsCommand, PutEventsCommandOutput, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';

/** What a bus was sent, as its detail has it. */
export interface Received {
  id: number;
  version: number;
}

/** What becomes of an entry of a call: it is accepted, or fails with a code. */
type Judge = (entry: number, call: number) => 'accepted' | string;

/** A bus of EventBridge in memory. */
export class FakeBus {
  readonly received: Received[] = [];
  /** The numbers of entries of the calls. */
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

/** The changes as somebody keeps them who ignores versions that they have, or that are older. */
export function firstOf(received: readonly Received[]): string[] {
  const seen = new Map<number, number>();
  return received.flatMap(({ id, version }) => {
    if (version <= (seen.get(id) ?? 0)) return [];
    seen.set(id, version);
    return [`${id} ${version}`];
  });
}

import type { SendReport } from './events/sender.ts';
import { embeddedMetrics, isLocal, LATENCY, type Metric, type RequestRecord, trace, UNITS, writeLine } from './log.ts';

const EVENTS: Metric[] = [
  ['sentEvents', 'Count'],
  ['eventsLagSeconds', 'Seconds'],
];

/** What a run of the sender did, what it cost, and what it left. */
export interface SendRecord extends Pick<RequestRecord, 'requestId' | 'function' | 'milliseconds' | 'meter'> {
  report: SendReport;
}

/** One JSON line per run. A terminal gets none, because events are sent every second there. */
export function logSend({ meter, report, ...run }: SendRecord): void {
  if (isLocal()) return;
  writeLine({
    level: 'info',
    ...run,
    ...meter,
    sentEvents: report.sent,
    eventsLagSeconds: report.lagMs / 1_000,
    ...trace(),
    ...embeddedMetrics(LATENCY, ...UNITS, ...EVENTS),
  });
}

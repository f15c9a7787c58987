import { embeddedMetrics, isLocal, LATENCY, type Metric, type RequestRecord, trace, UNITS, writeLine } from './log.ts';
import type { FoldReport } from './users/fold/fold.ts';

const JOURNAL: Metric[] = [
  ['foldedEntries', 'Count'],
  ['journalEntries', 'Count'],
  ['oldestEntrySeconds', 'Seconds'],
];

/** What a run of the fold did, what it cost, and what it left. */
export interface FoldRecord extends Pick<RequestRecord, 'requestId' | 'function' | 'milliseconds' | 'meter'> {
  report: FoldReport;
}

/** One JSON line per run. A terminal gets none, because the fold runs every second there. */
export function logFold({ meter, report, ...run }: FoldRecord): void {
  if (isLocal()) return;
  writeLine({
    level: 'info',
    ...run,
    ...meter,
    foldedEntries: report.folded,
    journalEntries: report.left,
    oldestEntrySeconds: report.oldestMs / 1_000,
    ...trace(),
    ...embeddedMetrics(LATENCY, ...UNITS, ...JOURNAL),
  });
}

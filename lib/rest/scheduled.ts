import type { Context } from 'aws-lambda';
import { logFault, metered, systemRuntime, withDeadline } from '../ground/index.ts';
import { isLocal, logMetrics, METRICS, type Unit } from './metrics.ts';

/** Enough time to log what is left. */
const REPORT_MS = 1_000;

interface Job<Report, Metric> {
  /** Enough time to finish what has begun. */
  lastMs: number;
  /** Works until nothing is left or these milliseconds are over. `tell` logs a fault that does not end it. */
  run(milliseconds: number, tell: (fault: Error) => void): Promise<Report>;
  /** The numbers of a run: its work, and the work that is left. Each is a metric. */
  numbers(report: Report): readonly (readonly [metric: Metric, value: number])[];
}

interface Program<Metric extends string> {
  /** In which CloudWatch shows the metrics. */
  namespace: string;
  units: Readonly<Record<Metric, Unit>>;
}

/**
 * Makes functions that are called by a schedule and by a stream. They never throw, so that Lambda does not repeat a failed call: the next
 * call continues where this one ended. They log one line of JSON per run, but nothing in a terminal, where they run every second.
 */
export const createScheduled =
  <Metric extends string>({ namespace, units }: Program<Metric>) =>
  <Report>({ lastMs, run, numbers }: Job<Report, Metric>) =>
  async (_call: unknown, context: Context): Promise<void> => {
    const { awsRequestId: requestId, functionName } = context;
    const start = systemRuntime.monotonic();
    const tell = (fault: Error) => logFault(fault, requestId);
    try {
      await metered(async (meter) => {
        const time = context.getRemainingTimeInMillis();
        const report = await withDeadline(systemRuntime.now() + time - REPORT_MS, () => run(time - lastMs, tell));
        if (isLocal()) return;
        const counted = numbers(report);
        const own = Object.fromEntries(counted.map(([metric]) => [metric, units[metric]]));
        const { throttledCalls } = METRICS;
        logMetrics(
          { namespace, units: { ...own, ...(meter.throttledCalls && { throttledCalls }) } },
          {
            requestId,
            function: functionName,
            milliseconds: Math.round(systemRuntime.monotonic() - start),
            ...meter,
            ...Object.fromEntries(counted),
          },
        );
      });
    } catch (error) {
      tell(error instanceof Error ? error : new Error(`${functionName} failed`));
    }
  };

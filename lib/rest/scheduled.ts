import type { Context } from 'aws-lambda';
import {
  embeddedMetrics,
  isLocal,
  logFault,
  type Metric,
  metered,
  systemRuntime,
  trace,
  withDeadline,
  writeLine,
} from '../ground/index.ts';

/** Enough time to log what is left. */
const REPORT_MS = 1_000;

interface Job<Report> {
  /** Enough time to finish what has begun. */
  lastMs: number;
  /** Works until nothing is left or so many milliseconds are over. `tell` logs a fault that does not end it. */
  run(milliseconds: number, tell: (fault: Error) => void): Promise<Report>;
  /** What a run did and what it left. Each number is a metric. */
  numbers(report: Report): readonly (readonly [metric: Metric, value: number])[];
}

/**
 * A function that is called by a schedule and by a stream. It never throws, so that Lambda does not repeat a failed call: the next call
 * continues where this one ended. It logs one line of JSON per run, but nothing in a terminal, where it runs every second.
 */
export const scheduled =
  <Report>({ lastMs, run, numbers }: Job<Report>) =>
  async (_call: unknown, context: Context): Promise<void> => {
    const { awsRequestId: requestId, functionName } = context;
    const start = systemRuntime.monotonic();
    const tell = (fault: Error) => logFault(fault, requestId);
    try {
      await metered(async (meter) => {
        const time = context.getRemainingTimeInMillis();
        const report = await withDeadline(systemRuntime.now() + time - REPORT_MS, () => run(time - lastMs, tell));
        if (isLocal()) return;
        const { throttledCalls } = meter;
        const throttled = throttledCalls ? [['throttledCalls', throttledCalls] as const] : [];
        const counted = [...numbers(report), ...throttled];
        writeLine({
          level: 'info',
          requestId,
          function: functionName,
          milliseconds: Math.round(systemRuntime.monotonic() - start),
          ...meter,
          ...Object.fromEntries(counted),
          ...trace(),
          ...embeddedMetrics(counted.map(([metric]) => metric)),
        });
      });
    } catch (error) {
      tell(error instanceof Error ? error : new Error(`${functionName} failed`));
    }
  };

import type { Context } from 'aws-lambda';
import { withDeadline } from '../lib/deadline.ts';
import { logFold } from '../lib/foldLog.ts';
import { logFault } from '../lib/log.ts';
import { metered } from '../lib/metering.ts';
import { fold } from '../lib/roots/fold.ts';
import { systemRuntime } from '../lib/runtime.ts';

/** Enough time to finish a batch that has begun. */
const LAST_BATCH_MS = 30_000;

/** Enough time to log what is left. */
const REPORT_MS = 1_000;

/**
 * Folds the journal into the statistics until nothing is left or the time is over. It never throws, so that Lambda does not
 * repeat a failed call: the next call continues where this one ended.
 */
export async function handler(_call: unknown, context: Context): Promise<void> {
  const start = systemRuntime.monotonic();
  const time = context.getRemainingTimeInMillis();
  try {
    await metered(async (meter) => {
      const end = systemRuntime.now() + time - REPORT_MS;
      const report = await withDeadline(end, () => fold.run(time - LAST_BATCH_MS));
      const milliseconds = Math.round(systemRuntime.monotonic() - start);
      logFold({ requestId: context.awsRequestId, function: context.functionName, milliseconds, meter, report });
    });
  } catch (error) {
    logFault(error instanceof Error ? error : new Error('The fold failed'), context.awsRequestId);
  }
}

import type { Context } from 'aws-lambda';
import { withDeadline } from '../lib/deadline.ts';
import { logFault, logFold } from '../lib/log.ts';
import { metered } from '../lib/metering.ts';
import { systemRuntime } from '../lib/runtime.ts';
import { fold } from '../lib/users/index.ts';

/** Enough to end a batch that was begun. */
const LAST_BATCH_MS = 15_000;

/** Enough to say what is left. */
const REPORT_MS = 1_000;

/**
 * Folds what was written into the statistics, until nothing is left or its time is over. Whoever calls it has no use for an
 * answer, and a call that fails is not to be repeated: the next one goes on where this one ended.
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

import type { Context } from 'aws-lambda';
import { withDeadline } from '../lib/deadline.ts';
import { logSend } from '../lib/eventsLog.ts';
import { logFault } from '../lib/log.ts';
import { metered } from '../lib/metering.ts';
import { sender } from '../lib/roots/events.ts';
import { systemRuntime } from '../lib/runtime.ts';

/** Enough time to send a page that has begun. */
const LAST_PAGE_MS = 15_000;

/** Enough time to log what is left. */
const REPORT_MS = 1_000;

/**
 * Sends the changes of the feed as events until all are sent or the time is over. It never throws, so that Lambda does not
 * repeat a failed call: the next call continues where this one ended.
 */
export async function handler(_call: unknown, context: Context): Promise<void> {
  const start = systemRuntime.monotonic();
  const time = context.getRemainingTimeInMillis();
  const tell = (fault: Error) => logFault(fault, context.awsRequestId);
  try {
    await metered(async (meter) => {
      const end = systemRuntime.now() + time - REPORT_MS;
      const report = await withDeadline(end, () => sender.run(time - LAST_PAGE_MS, tell));
      const milliseconds = Math.round(systemRuntime.monotonic() - start);
      logSend({ requestId: context.awsRequestId, function: context.functionName, milliseconds, meter, report });
    });
  } catch (error) {
    tell(error instanceof Error ? error : new Error('The sender of events failed'));
  }
}

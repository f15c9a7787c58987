/** The maker of functions that are called by a schedule, for this service. */
import { createScheduled, METRICS as OF_REQUESTS } from '../rest/index.ts';
import { NAMESPACE } from './api.ts';

/** The metrics of scheduled functions, with their units. */
const OF_JOBS = {
  journalEntries: 'Count',
  oldestEntrySeconds: 'Seconds',
  sizePercent: 'Percent',
  brokenItems: 'Count',
  indexLagSeconds: 'Seconds',
  sentEvents: 'Count',
  eventsLagSeconds: 'Seconds',
} as const;

/** All metrics. */
export const METRICS = { ...OF_REQUESTS, ...OF_JOBS } as const;

export type Metric = keyof typeof METRICS;

export const scheduled = createScheduled({ namespace: NAMESPACE, units: OF_JOBS });

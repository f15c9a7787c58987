import { METRICS as OF_REQUESTS } from '../rest/index.ts';

/** The metrics of scheduled functions, with their units. */
export const OF_JOBS = {
  journalEntries: 'Count',
  oldestEntrySeconds: 'Seconds',
  sizePercent: 'Percent',
  brokenItems: 'Count',
  sentEvents: 'Count',
  eventsLagSeconds: 'Seconds',
} as const;

/** All metrics. */
export const METRICS = { ...OF_REQUESTS, ...OF_JOBS } as const;

export type Metric = keyof typeof METRICS;

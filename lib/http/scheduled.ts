/** The maker of functions that are called by a schedule, for this service. */
import { createScheduled } from '../rest/index.ts';
import { NAMESPACE } from './api.ts';
import { OF_JOBS } from './metrics.ts';

export const scheduled = createScheduled({ namespace: NAMESPACE, units: OF_JOBS });

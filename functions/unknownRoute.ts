import { API } from '../lib/http/api.ts';
import { createFallback } from '../lib/rest/index.ts';

/** Handles all other requests: OPTIONS, unknown paths, and known paths with another method. */
export const handler = createFallback(API);

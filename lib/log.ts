import type { Meter } from './metering.ts';

/** What a request was and what it took. No path, no parameter and no body: nothing of a user's data. */
export interface RequestRecord {
  requestId: string | undefined;
  /** Method and route, such as `GET /api/users/{id}`. */
  route: string;
  status: number;
  milliseconds: number;
  meter: Meter;
}

/** One JSON line a request, as CloudWatch Logs Insights reads it. */
export function logRequest({ meter, ...request }: RequestRecord): void {
  console.log(JSON.stringify({ level: 'info', ...request, ...meter }));
}

/** One JSON line a fault. Stack and cause go here and nowhere else. */
export function logFault(error: Error, requestId: string | undefined): void {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    causes.push(cause.stack ?? cause.message);
  console.error(JSON.stringify({ level: 'error', requestId, message: error.message, causes }));
}

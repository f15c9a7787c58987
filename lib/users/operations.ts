/** Requests that write many users. */
import { note } from '../ground/index.ts';

/** How many transactions of one request run side by side. More would only meet the limits of the table sooner. */
export const TRANSACTIONS_AT_ONCE = 6;

/** Notes how many operations a request had, and how many of them failed, by their status. */
export function noteOperations(statuses: readonly number[]): void {
  const failed: Record<number, number> = {};
  for (const status of statuses) if (status >= 400) failed[status] = (failed[status] ?? 0) + 1;
  const faulty = statuses.filter((status) => status >= 500).length;
  note({ operations: statuses.length, failed, ...(faulty > 0 && { faultyOperations: faulty }) });
}

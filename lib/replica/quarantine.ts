/** A stored item that does not hold is set aside: it is logged with its id, counted for an alarm, and stops nothing. */
import { fault, logFault } from '../ground/index.ts';

/** The items that were told: lists meet them again and again. */
const told = new Set<string>();

/** Logs what cannot be applied, once in a container. */
export function quarantine(what: string, cause: unknown): void {
  if (told.has(what)) return;
  told.add(what);
  logFault(fault(`${what} cannot be applied, and is set aside`, cause), undefined);
}

let counted = 0;

/** How many items this container has set aside since it was asked before. */
export function countQuarantined(): number {
  const fresh = told.size - counted;
  counted = told.size;
  return fresh;
}
